//! Which tests run again without any mutant, so that a flaky test soon stops killing mutants.
//!
//! A test is checked at its first kill, its second, its fourth, and so on: one that fails now and then is found
//! soon if it kills much, and a reliable one costs little. Where tests share a process, the tests that ran before it
//! run before it again: what they leave may be why it fails. One that fails then, but not alone, depends on others.

use std::collections::BTreeMap;
use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::matrix::Outcome;
use crate::runner::RunError;

use super::order::TestOrder;
use super::policy::Policy;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::Until;
use super::waves::Engines;
use super::waves::is_failure;

/// How often each test killed.
#[derive(Clone, Debug, Default)]
pub struct Rechecks {
    kills: Vec<u32>,
}

/// A test to be checked, and the outcome in which it killed, by its place in the wave.
pub type DueCheck = (u32, usize);

impl Rechecks {
    /// Takes the outcomes of a wave; gives the tests that are to be checked now, once for each check.
    pub fn due(&mut self, outcomes: &[Outcome], exempt: &RoaringBitmap) -> Vec<DueCheck> {
        let mut due = Vec::new();
        for (place, outcome) in outcomes.iter().enumerate() {
            for test in outcome.kills() - exempt {
                let at = test as usize;
                if at >= self.kills.len() {
                    self.kills.resize(at + 1, 0);
                }
                self.kills[at] += 1;
                if self.kills[at].is_power_of_two() {
                    due.push((test, place));
                }
            }
        }
        due
    }
}

impl Engines<'_> {
    /// Runs tests that killed without any mutant, and tells the policy which of them fail. Gives the tests whose kills
    /// are to be judged again.
    pub(super) fn recheck(
        &self,
        policy: &Policy,
        order: &TestOrder,
        due: &[DueCheck],
        outcomes: &[Outcome],
    ) -> Result<RoaringBitmap, RunError> {
        if due.is_empty() {
            return Ok(RoaringBitmap::new());
        }
        let alone = |tests: &mut dyn Iterator<Item = u32>| tests.map(|test| vec![test]).collect::<Vec<_>>();
        let tests: RoaringBitmap = due.iter().map(|(test, _)| *test).collect();
        if !self.choose() {
            let wrong = self.fail_unchanged(policy, &[tests.iter().collect()])? & tests;
            policy.distrust(&wrong);
            return Ok(wrong);
        }
        if !self.share_processes() {
            let wrong = self.fail_unchanged(policy, &alone(&mut due.iter().map(|(test, _)| *test)))?;
            policy.distrust(&wrong);
            return Ok(wrong);
        }
        let failing = self.fail_behind_others(policy, order, due, outcomes)?;
        let wrong = self.fail_unchanged(policy, &alone(&mut failing.iter()))?;
        policy.distrust(&wrong);
        let dependent = policy.depend(&(&failing - &wrong));
        Ok(wrong | dependent)
    }

    /// The tests that are due and fail where the tests run that ran with the mutant.
    fn fail_behind_others(
        &self,
        policy: &Policy,
        order: &TestOrder,
        due: &[DueCheck],
        outcomes: &[Outcome],
    ) -> Result<RoaringBitmap, RunError> {
        let mut runs: BTreeMap<usize, RoaringBitmap> = BTreeMap::new();
        for (test, place) in due {
            runs.entry(*place).or_default().insert(*test);
        }
        let turns: Vec<Vec<u32>> = runs
            .keys()
            .map(|place| {
                let mut tests: Vec<u32> = outcomes[*place].ran.iter().collect();
                if policy.until == Until::FirstKill {
                    order.sort(&mut tests);
                }
                tests
            })
            .collect();
        let asked: RoaringBitmap = runs.values().flatten().collect();
        Ok(self.fail_unchanged(policy, &turns)? & asked)
    }

    /// Tests that fail without any mutant, each list run at once.
    fn fail_unchanged(&self, policy: &Policy, turns: &[Vec<u32>]) -> Result<RoaringBitmap, RunError> {
        let wrong = Mutex::new(RoaringBitmap::new());
        self.share(turns.len(), |engine, turn| {
            if let Run::Tested(ran) = engine.run(&Scenario::unchanged(&turns[turn], policy.limits))? {
                let failed = ran.said.iter().filter(|said| is_failure(said)).map(|said| said.test);
                wrong.lock().expect("the lock is not poisoned").extend(failed);
            }
            Ok(())
        })?;
        Ok(wrong.into_inner().expect("the lock is not poisoned"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Verdict;
    use crate::matrix::Fate;

    fn killed(tests: &[u32]) -> Outcome {
        let mut outcome = Outcome::new(Fate::Killed);
        tests.iter().for_each(|test| outcome.note(*test, Verdict::Fail));
        outcome
    }

    #[test]
    fn checks_are_due_whenever_the_kills_have_doubled() {
        let mut rechecks = Rechecks::default();
        let exempt = RoaringBitmap::from_iter([5]);
        let mut due = |outcomes: &[Outcome]| rechecks.due(outcomes, &exempt);
        assert_eq!(due(&[killed(&[0, 5])]), [(0, 0)]);
        assert_eq!(due(&[killed(&[0]), killed(&[1])]), [(0, 0), (1, 1)]);
        assert_eq!(due(&[killed(&[0])]), [], "three kills, checked at two");
        assert_eq!(due(&vec![killed(&[2]); 7]), [(2, 0), (2, 1), (2, 3)]);
        assert_eq!(due(&[killed(&[0])]), [(0, 0)]);
    }
}
