//! Runs survivors once more with all tests in the order of the project.
//!
//! A test that runs alone finds a fresh process; in the project it finds what earlier tests left, and may then kill a
//! mutant that it does not kill alone. Several mutants are switched on at a time: if all tests pass, all of them
//! survive, otherwise each half is tried. A kill counts only if it happens again with no other worker running: a test
//! that waits may only have waited for others.

use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::RunError;
use crate::runner::Said;

use super::policy::Policy;
use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::TestLimits;
use super::scenario::Until;
use super::scenario::Variant;
use super::waves::Engines;

/// Mutants that are switched on at a time.
const AT_ONCE: usize = 16;

/// A mutant that survived.
pub struct Survivor {
    pub mutant: u32,
    /// The piece of code that it changes: of each, one version can be on.
    pub unit: u32,
    pub outcome: Outcome,
}

/// A survivor that was noticed once.
struct Suspect<'s> {
    survivor: &'s Survivor,
    noticed: Vec<Said>,
}

impl Engines<'_> {
    /// The survivors that are killed where all tests run together, with their new outcomes.
    pub fn run_together(
        &self,
        policy: &Policy,
        survivors: &[Survivor],
    ) -> Result<Vec<(u32, Outcome)>, RunError> {
        if survivors.is_empty() || !self.share_processes() {
            return Ok(vec![]);
        }
        let tests: Vec<u32> = policy.believed().iter().collect();
        let groups = groups(survivors);
        let suspects = Mutex::new(Vec::new());
        self.share(groups.len(), |engine, turn| {
            let mut found = Vec::new();
            halve(engine, policy, &tests, &groups[turn], &mut found)?;
            suspects.lock().expect("the lock is not poisoned").extend(found);
            Ok(())
        })?;
        let mut suspects = suspects.into_inner().expect("the lock is not poisoned");
        suspects.sort_by_key(|suspect| suspect.survivor.mutant);
        let killed = Mutex::new(Vec::new());
        for suspect in &suspects {
            self.share(1, |engine, _| {
                let limits = policy.patient_limits();
                let again = noticed(engine, &limits, &tests, &[suspect.survivor])?;
                let outcome = suspect.outcome(&again.iter().map(|said| said.test).collect());
                let outcome = outcome.map(|outcome| (suspect.survivor.mutant, outcome));
                killed.lock().expect("the lock is not poisoned").extend(outcome);
                Ok(())
            })?;
        }
        Ok(killed.into_inner().expect("the lock is not poisoned"))
    }
}

/// Survivors that can be on at the same time, as many as are wanted.
fn groups(survivors: &[Survivor]) -> Vec<Vec<&Survivor>> {
    let mut groups: Vec<(RoaringBitmap, Vec<&Survivor>)> = Vec::new();
    for survivor in survivors {
        let free = |(units, group): &&mut (RoaringBitmap, Vec<&Survivor>)| {
            group.len() < AT_ONCE && !units.contains(survivor.unit)
        };
        match groups.iter_mut().find(free) {
            Some((units, group)) => {
                units.insert(survivor.unit);
                group.push(survivor);
            }
            None => groups.push(([survivor.unit].into_iter().collect(), vec![survivor])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn halve<'s>(
    engine: &mut dyn Engine,
    policy: &Policy,
    tests: &[u32],
    group: &[&'s Survivor],
    suspects: &mut Vec<Suspect<'s>>,
) -> Result<(), RunError> {
    let noticed = noticed(engine, policy.limits, tests, group)?;
    if noticed.is_empty() {
        return Ok(());
    }
    if let [survivor] = group {
        suspects.push(Suspect { survivor, noticed });
        return Ok(());
    }
    let (first, second) = group.split_at(group.len() / 2);
    halve(engine, policy, tests, first, suspects)?;
    halve(engine, policy, tests, second, suspects)
}

/// Which reliable tests kill mutants of a group.
fn noticed(
    engine: &mut dyn Engine,
    limits: &TestLimits,
    tests: &[u32],
    group: &[&Survivor],
) -> Result<Vec<Said>, RunError> {
    let mutants: Vec<u32> = group.iter().map(|survivor| survivor.mutant).collect();
    let variant = Variant::Mutants(&mutants);
    let scenario = Scenario { variant, tests, limits, until: Until::All, reach: false };
    let Run::Tested(ran) = engine.run(&scenario)? else { return Ok(vec![]) };
    Ok(ran.said.into_iter().filter(|said| said.verdict.is_kill()).collect())
}

impl Suspect<'_> {
    /// Its outcome, if some of the tests noticed it again.
    fn outcome(&self, again: &RoaringBitmap) -> Option<Outcome> {
        let mut outcome = self.survivor.outcome.clone();
        for said in self.noticed.iter().filter(|said| again.contains(said.test)) {
            outcome.covered.insert(said.test);
            outcome.forget(said.test);
            outcome.note(said.test, said.verdict);
            if outcome.fate == Fate::Survived {
                outcome.log = format!("fails only when all tests run in one process: {}", said.message);
                outcome.fate = Fate::TimeOut;
            }
            if said.verdict != Verdict::TimeOut {
                outcome.fate = Fate::Killed;
            }
        }
        (outcome.fate != Fate::Survived).then_some(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake::Fake;
    use super::*;
    use crate::control::Progress;

    fn survivor(mutant: u32, unit: u32) -> Survivor {
        Survivor { mutant, unit, outcome: Outcome::new(Fate::Survived) }
    }

    fn killed(fake: Fake, survivors: &[Survivor]) -> Vec<u32> {
        fates(fake, survivors).into_iter().map(|(mutant, _)| mutant).collect()
    }

    fn fates(fake: Fake, survivors: &[Survivor]) -> Vec<(u32, Fate)> {
        let (limits, progress) = (TestLimits::default(), Progress::default());
        let policy = Policy::new(&limits, (0..3).collect(), Until::FirstKill);
        let engines = Engines::new(vec![Box::new(fake)], &progress);
        let outcomes = engines.run_together(&policy, survivors).unwrap();
        outcomes.into_iter().map(|(mutant, outcome)| (mutant, outcome.fate)).collect()
    }

    #[test]
    fn who_is_noticed_in_company_is_found_among_many() {
        for culprit in 0..40 {
            let fake = Fake::content().sharing().says(culprit, 2, [Verdict::Fail]);
            let survivors: Vec<Survivor> = (0..40).map(|mutant| survivor(mutant, mutant / 2)).collect();
            assert_eq!(killed(fake, &survivors), [culprit]);
        }
    }

    #[test]
    fn what_is_noticed_once_and_not_again_does_not_count() {
        let fake = Fake::content().sharing().says(1, 2, [Verdict::Fail, Verdict::Pass]);
        assert_eq!(killed(fake, &[survivor(1, 1)]), [0u32; 0]);
    }

    #[test]
    fn a_test_that_waits_for_what_others_left_counts_if_it_waits_again() {
        let waits = |answers: &[Verdict]| {
            let fake = Fake::content().sharing().says(1, 2, answers.iter().copied());
            fates(fake, &[survivor(1, 1)])
        };
        assert_eq!(waits(&[Verdict::TimeOut]), [(1, Fate::TimeOut)]);
        assert_eq!(waits(&[Verdict::TimeOut, Verdict::Pass]), []);
        let fake = Fake::content().sharing().says(1, 0, [Verdict::TimeOut]).says(1, 2, [Verdict::Fail]);
        assert_eq!(fates(fake, &[survivor(1, 1)]), [(1, Fate::Killed)]);
    }

    #[test]
    fn tests_with_processes_of_their_own_are_not_run_together() {
        let fake = Fake::content().says(1, 2, [Verdict::Fail]);
        assert_eq!(killed(fake, &[survivor(1, 1)]), [0u32; 0]);
    }
}
