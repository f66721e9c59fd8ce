//! Judges many variants with several engines in parallel, wave by wave.
//!
//! What is learned about tests (which of them kill most per second) is used from the next wave on, so the order of
//! tests does not depend on which worker was faster.

use std::collections::VecDeque;
use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::control::share_turns;
use crate::exec::Verdict;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::RunError;
use crate::runner::Said;

use super::order::TestOrder;
use super::policy::Policy;
use super::rechecks::Rechecks;
use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::TestLimits;
use super::scenario::Variant;

/// Variants in the first wave; each wave has twice as many.
const FIRST_WAVE: usize = 32;
/// Tests that are asked for what they reach at a time.
const REACH_CHUNK: usize = 64;
/// What is slow because it records where it was is not stuck: limits are longer by this factor.
const RECORDING: u32 = 10;

/// Engines that work side by side, one for each worker.
pub struct Engines<'e> {
    engines: Vec<Mutex<Box<dyn Engine + 'e>>>,
    progress: &'e Progress,
}

/// A variant to be judged: its number, what it is, the tests that reach it.
pub struct Task<'t> {
    pub number: u32,
    pub variant: Variant<'t>,
    pub covered: RoaringBitmap,
}

/// A task that was judged.
pub struct Judged<'o> {
    pub number: u32,
    pub outcome: &'o Outcome,
    /// Its fate before, if that was withdrawn.
    pub before: Option<Fate>,
}

/// What was seen of tests that were run one by one without any mutant.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Per test, the units that it executes.
    pub units: Vec<(u32, RoaringBitmap)>,
    /// Tests that failed.
    pub failing: RoaringBitmap,
}

/// Whether a test failed; one that is late on a busy machine did not.
pub(super) fn is_failure(said: &Said) -> bool {
    said.verdict.is_kill() && (said.verdict != Verdict::TimeOut || said.busy)
}

impl<'e> Engines<'e> {
    /// At least one engine is needed.
    pub fn new(engines: Vec<Box<dyn Engine + 'e>>, progress: &'e Progress) -> Self {
        assert!(!engines.is_empty(), "at least one engine is needed");
        Self { engines: engines.into_iter().map(Mutex::new).collect(), progress }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.engines.len()
    }

    /// Judges all tasks; `done` hears of each outcome as soon as it is known, and of one that is withdrawn when
    /// another takes its place. Gives the outcomes in the order of the tasks.
    pub fn judge(
        &self,
        policy: &Policy,
        mut order: TestOrder,
        tasks: &[Task],
        done: &(dyn Fn(&Judged) -> Result<(), RunError> + Sync),
    ) -> Result<Vec<Outcome>, RunError> {
        let mut known: Vec<Option<Outcome>> = vec![None; tasks.len()];
        let mut left: VecDeque<usize> = (0..tasks.len()).collect();
        let (mut size, mut rechecks) = (FIRST_WAVE, Rechecks::default());
        while !left.is_empty() {
            let wave: Vec<usize> = left.drain(..size.min(left.len())).collect();
            let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; wave.len()]);
            self.share(wave.len(), |engine, turn| {
                let task = &tasks[wave[turn]];
                let outcome = policy.judge(engine, task.variant, &task.covered, &order)?;
                let before = known[wave[turn]].as_ref().map(|known| known.fate);
                done(&Judged { number: task.number, outcome: &outcome, before })?;
                outcomes.lock().expect("the lock is not poisoned")[turn] = Some(outcome);
                Ok(())
            })?;
            let outcomes = outcomes.into_inner().expect("the lock is not poisoned");
            let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
            let due = rechecks.due(&outcomes, &policy.failing);
            let wrong = self.recheck(policy, &order, &due, &outcomes)?;
            outcomes.iter().for_each(|outcome| order.learn(outcome));
            wave.iter().zip(outcomes).for_each(|(task, outcome)| known[*task] = Some(outcome));
            let withdrawn = |outcome: &Outcome| !outcome.kills().is_disjoint(&wrong);
            left.extend((0..tasks.len()).filter(|task| known[*task].as_ref().is_some_and(withdrawn)));
            size *= 2;
        }
        Ok(known.into_iter().flatten().collect())
    }

    /// Whether single tests can be chosen.
    pub fn choose(&self) -> bool {
        self.engines[0].lock().expect("the lock is not poisoned").chooses()
    }

    /// Whether tests find what the tests before them left.
    pub fn share_processes(&self) -> bool {
        self.engines[0].lock().expect("the lock is not poisoned").shares_processes()
    }

    /// Which units of the meta-program each test executes, in the order of the tests.
    pub fn reach(&self, tests: &[u32], limits: &TestLimits) -> Result<Reached, RunError> {
        let limits = limits.times(RECORDING);
        let chooses = self.choose();
        let share = tests.len().div_ceil(self.engines.len()).max(1);
        let size = if chooses { REACH_CHUNK.min(share) } else { tests.len().max(1) };
        let chunks: Vec<&[u32]> = tests.chunks(size).collect();
        let found = Mutex::new((Vec::new(), RoaringBitmap::new()));
        self.share(chunks.len(), |engine, turn| {
            let scenario = Scenario { reach: true, ..Scenario::unchanged(chunks[turn], &limits) };
            if let Run::Tested(ran) = engine.run(&scenario)? {
                let failed = ran.said.iter().filter(|said| is_failure(said)).map(|said| said.test);
                let (units, failing) = &mut *found.lock().expect("the lock is not poisoned");
                units.extend(ran.reached);
                failing.extend(failed);
            }
            Ok(())
        })?;
        let (mut units, failing) = found.into_inner().expect("the lock is not poisoned");
        units.sort_by_key(|(test, _)| *test);
        Ok(Reached { units, failing })
    }

    /// Hands out turns to the engines.
    pub(super) fn share(
        &self,
        turns: usize,
        work: impl Fn(&mut dyn Engine, usize) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let equip = |number: usize| Ok(self.engines[number].lock().expect("the lock is not poisoned"));
        share_turns(self.engines.len(), turns, self.progress, equip, |engine, turn| {
            work(&mut ***engine, turn)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::super::scenario::Until;
    use super::*;
    use crate::exec::Verdict::Crash;
    use crate::exec::Verdict::Fail;
    use crate::exec::Verdict::Pass;
    use crate::exec::Verdict::TimeOut;
    use crate::matrix::TestRow;

    /// Judges mutants 0 to 6, all reached by tests 0 to 2; gives fates, killers and tests that are ignored.
    fn judged(fake: Fake, until: Until) -> (Vec<(Fate, RoaringBitmap)>, RoaringBitmap, Vec<u32>) {
        let (limits, progress) = (TestLimits::default(), Progress::default());
        let policy = Policy::new(&limits, (0..3).collect(), until);
        let engines = Engines::new(vec![Box::new(fake)], &progress);
        let numbers: Vec<u32> = (0..7).collect();
        let task = |number: &u32| Task {
            number: *number,
            variant: Variant::Mutants(std::slice::from_ref(&numbers[*number as usize])),
            covered: (0..3).collect(),
        };
        let tasks: Vec<Task> = numbers.iter().map(task).collect();
        let row = |name: u32| TestRow { name: name.to_string(), verdict: Pass, millis: 1.0, flaky: false };
        let order = TestOrder::new(&(0..3).map(row).collect::<Vec<_>>());
        let again = Mutex::new(vec![]);
        let done = |judged: &Judged| {
            again.lock().unwrap().extend(judged.before.map(|_| judged.number));
            Ok(())
        };
        let outcomes = engines.judge(&policy, order, &tasks, &done).unwrap();
        let brief = outcomes.iter().map(|outcome| (outcome.fate, outcome.kills())).collect();
        (brief, policy.distrusted(), again.into_inner().unwrap())
    }

    /// A test that fails under every mutant and says `off`, one after another, without one. Mutant 3 is killed by
    /// another test, too.
    fn suspect(off: &[Verdict]) -> Fake {
        let fake = Fake::content().says(3, 2, [Fail]).says_off(0, off.iter().copied());
        (0..7).fold(fake, |fake, mutant| fake.says(mutant, 0, [Fail]))
    }

    #[test]
    fn kills_of_a_test_that_fails_anyway_are_withdrawn() {
        let passes = [Pass, TimeOut];
        let fails = [Fail, Crash];
        for until in [Until::All, Until::FirstKill] {
            for first in passes.into_iter().chain(fails) {
                for second in passes.into_iter().chain(fails) {
                    let (found, distrusted, again) = judged(suspect(&[first, second]), until);
                    let wrong = fails.contains(&first) || fails.contains(&second);
                    assert_eq!(distrusted.contains(0), wrong, "{first:?} {second:?}");
                    assert!(!distrusted.contains(2), "another test is believed");
                    assert_eq!(again.len(), if wrong { 7 } else { 0 });
                    for (mutant, (fate, kills)) in found.iter().enumerate() {
                        let killed = !wrong || mutant == 3;
                        assert_eq!(*fate, if killed { Fate::Killed } else { Fate::Survived }, "{mutant}");
                        assert_eq!(kills.contains(0), !wrong, "{mutant}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_test_that_fails_after_some_others_only_kills_where_it_fails_alone() {
        // Test 1 fails behind test 0, whatever is switched on; mutant 3 is really killed by it.
        let fake = || Fake::content().sharing().polluted(1, 0).says(3, 1, [Fail]);
        for until in [Until::All, Until::FirstKill] {
            let (found, distrusted, _) = judged(fake(), until);
            assert!(distrusted.is_empty(), "{until:?}");
            for (mutant, (fate, kills)) in found.iter().enumerate() {
                let expected = if mutant == 3 { (Fate::Killed, true) } else { (Fate::Survived, false) };
                assert_eq!((*fate, kills.contains(1)), expected, "{mutant} {until:?}");
            }
        }
    }

    #[test]
    fn a_test_that_fails_once_without_a_mutant_is_known_from_the_reach() {
        let fake = Fake::content().says_off(1, [Fail]);
        let progress = Progress::default();
        let engines = Engines::new(vec![Box::new(fake)], &progress);
        let reached = engines.reach(&[0, 1, 2], &TestLimits::default()).unwrap();
        assert_eq!(reached.failing.iter().collect::<Vec<_>>(), [1]);
    }
}
