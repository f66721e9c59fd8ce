//! The policy against an engine that is written down: every combination that matters, without a compiler.

use std::time::Duration;

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::exec::Verdict::Crash;
use crate::exec::Verdict::Fail;
use crate::exec::Verdict::Pass;
use crate::exec::Verdict::TimeOut;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::matrix::TestRow;
use crate::runner::RunError;

use super::super::fake::Answer;
use super::super::fake::Fake;
use super::super::order::TestOrder;
use super::super::scenario::TestLimits;
use super::super::scenario::Until;
use super::super::scenario::Variant;
use super::Policy;

const MUTANT: u32 = 7;
/// How many times as long as on an idle machine a test may take that is run alone.
const LOAD: u32 = 3;
const FLOOR: Duration = Duration::from_secs(1);
const BUSY: Answer = Answer { verdict: TimeOut, busy: true };

fn tests(numbers: &[u32]) -> RoaringBitmap {
    numbers.iter().copied().collect()
}

/// How a policy is set up: its tests are 0 to 9.
struct Setup {
    until: Until,
    failing: RoaringBitmap,
    thorough: bool,
    trusted: RoaringBitmap,
}

impl Setup {
    fn score(until: Until) -> Self {
        let trusted = (0..10).collect();
        Self { until, failing: RoaringBitmap::new(), thorough: false, trusted }
    }

    fn localize(failing: &[u32], thorough: bool) -> Self {
        Self { failing: tests(failing), thorough, ..Self::score(Until::All) }
    }

    /// The outcome, variants that were given up, and repairs that did not last.
    fn judge(&self, fake: &mut Fake, covered: &[u32]) -> (Outcome, usize, usize) {
        self.try_to_judge(fake, covered).unwrap()
    }

    fn try_to_judge(&self, fake: &mut Fake, covered: &[u32]) -> Result<(Outcome, usize, usize), RunError> {
        let limits = TestLimits::only(FLOOR);
        let mut policy = Policy::new(&limits, self.trusted.clone(), self.until);
        policy.load = || LOAD;
        policy.failing = self.failing.clone();
        policy.thorough = self.thorough;
        let row = |number: u32| TestRow {
            name: number.to_string(),
            verdict: if self.failing.contains(number) { Fail } else { Pass },
            millis: 1.0,
            flaky: false,
        };
        let rows: Vec<TestRow> = (0..10).map(row).collect();
        let variant = Variant::Mutants(&[MUTANT]);
        let outcome = policy.judge(fake, variant, &tests(covered), &TestOrder::new(&rows))?;
        Ok((outcome, policy.given_up(), policy.unsure()))
    }
}

fn answers() -> [Answer; 5] {
    [Pass.into(), Fail.into(), Crash.into(), TimeOut.into(), BUSY]
}

/// What is believed of a test whose first and second answer are given, by the rules as they stand in the
/// documentation of the module.
fn believed(first: Answer, second: Answer, confirms: bool) -> Verdict {
    match first {
        Answer { verdict: TimeOut, busy: false } if confirms => second.verdict,
        Answer { verdict, .. } => verdict,
    }
}

#[test]
fn every_pair_of_answers_of_two_tests_is_judged_by_the_rules() {
    {
        for first in answers() {
            for again in answers() {
                for other in answers() {
                    for other_again in answers() {
                        let mut fake = Fake::content().says(MUTANT, 0, [first, again]).says(
                            MUTANT,
                            1,
                            [other, other_again],
                        );
                        let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1, 2]);
                        let one = believed(first, again, true);
                        let two = believed(other, other_again, one != TimeOut);
                        let case = format!("{first:?} {again:?} {other:?} {other_again:?}");
                        assert_eq!(outcome.verdict(0), Some(one), "{case}");
                        assert_eq!(outcome.verdict(1), Some(two), "{case}");
                        assert_eq!(outcome.verdict(2), Some(Pass), "{case}");
                        let fate = match one.is_kill() || two.is_kill() {
                            false => Fate::Survived,
                            true if [one, two].iter().any(|said| matches!(said, Fail | Crash)) => {
                                Fate::Killed
                            }
                            true => Fate::TimeOut,
                        };
                        assert_eq!(outcome.fate, fate, "{case}");
                    }
                }
            }
        }
    }
}

#[test]
fn one_kill_is_enough_where_only_the_first_is_wanted() {
    for verdict in [Fail, Crash, TimeOut] {
        let mut fake = Fake::content().says(MUTANT, 1, [verdict]);
        let (outcome, ..) = Setup::score(Until::FirstKill).judge(&mut fake, &[0, 1, 2, 3]);
        assert_eq!(outcome.kills(), tests(&[1]));
        assert_eq!(outcome.ran, tests(&[0, 1]), "tests after the kill need not run");
        let (full, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1, 2, 3]);
        assert_eq!((full.fate, full.ran), (outcome.fate, tests(&[0, 1, 2, 3])));
    }
}

#[test]
fn a_time_out_that_is_not_confirmed_lets_the_other_tests_go_on() {
    let mut fake = Fake::content().says(MUTANT, 0, [TimeOut, Pass]).says(MUTANT, 2, [Fail]);
    let (outcome, ..) = Setup::score(Until::FirstKill).judge(&mut fake, &[0, 1, 2]);
    assert_eq!(outcome.kills(), tests(&[2]));
    assert_eq!(outcome.fate, Fate::Killed);
    assert_eq!(fake.asked(0), 2);
}

#[test]
fn a_time_out_is_confirmed_with_the_time_that_the_load_of_the_machine_asks_for() {
    for (answers, fate) in [([TimeOut, Pass], Fate::Survived), ([TimeOut, TimeOut], Fate::TimeOut)] {
        let mut fake = Fake::content().says(MUTANT, 0, answers);
        let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0]);
        assert_eq!(outcome.fate, fate);
        assert_eq!(fake.floors, [FLOOR, FLOOR * LOAD]);
    }
    let mut busy = Fake::content().says(MUTANT, 0, [BUSY, Pass.into()]);
    let (outcome, ..) = Setup::score(Until::All).judge(&mut busy, &[0]);
    assert_eq!((outcome.fate, busy.asked(0)), (Fate::TimeOut, 1), "its own work does not depend on the load");
}

#[test]
fn a_confirmed_time_out_is_not_confirmed_again() {
    let hangs = |fake: Fake, test| fake.says(MUTANT, test, [TimeOut]);
    let mut fake = (0..3).fold(Fake::content(), hangs);
    let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1, 2]);
    assert_eq!((outcome.timed_out.clone(), outcome.fate), (tests(&[0, 1, 2]), Fate::TimeOut));
    assert_eq!([fake.asked(0), fake.asked(1), fake.asked(2)], [2, 1, 1]);
}

#[test]
fn tests_that_are_not_trusted_say_nothing() {
    for verdict in [Fail, Crash, TimeOut] {
        let mut fake = Fake::content().says(MUTANT, 3, [verdict]);
        let mut setup = Setup::score(Until::All);
        setup.trusted.remove(3);
        let (outcome, ..) = setup.judge(&mut fake, &[2, 3]);
        assert_eq!((outcome.fate, outcome.covered), (Fate::Survived, tests(&[2])));
        let (alone, ..) = setup.judge(&mut fake, &[3]);
        assert_eq!(alone.fate, Fate::NotCovered);
    }
}

#[test]
fn what_no_test_reaches_is_not_run() {
    let mut fake = Fake::content().says(MUTANT, 0, [Fail]);
    assert_eq!(Setup::score(Until::All).judge(&mut fake, &[]).0.fate, Fate::NotCovered);
    let unreached = Setup::localize(&[5], true).judge(&mut fake, &[0]).0;
    assert_eq!(unreached.fate, Fate::NotCovered, "no failing test reaches it");
    assert!(fake.runs.is_empty());
}

#[test]
fn a_variant_that_does_not_build_is_unviable_whatever_is_asked() {
    for setup in [Setup::score(Until::FirstKill), Setup::localize(&[1], false)] {
        let (outcome, ..) = setup.judge(&mut Fake::content().unviable(MUTANT), &[0, 1]);
        assert_eq!((outcome.fate, outcome.log.as_str()), (Fate::Unviable, "it does not build"));
        assert!(outcome.ran.is_empty() && outcome.covered.is_empty());
    }
}

#[test]
fn where_tests_cannot_be_started_no_test_is_charged_with_the_kill() {
    for setup in [Setup::score(Until::FirstKill), Setup::localize(&[1], false)] {
        let (outcome, ..) = setup.judge(&mut Fake::content().unrunnable(MUTANT), &[0, 1]);
        assert_eq!((outcome.fate, outcome.log.as_str()), (Fate::Killed, "tests cannot be listed"));
        assert!(outcome.kills().is_empty() && outcome.ran.is_empty());
    }
}

#[test]
fn a_variant_that_takes_its_runner_down_once_is_tried_again() {
    let mut fake = Fake::content().breaks(Some(MUTANT), 1).says(MUTANT, 1, [Fail]);
    let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1]);
    assert_eq!((outcome.fate, outcome.kills()), (Fate::Killed, tests(&[1])));
}

#[test]
fn a_variant_that_takes_its_runner_down_twice_is_killed_by_no_test() {
    let mut fake = Fake::content().breaks(Some(MUTANT), 2);
    let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1]);
    assert_eq!((outcome.fate, outcome.kills()), (Fate::Killed, tests(&[])));
    assert!(outcome.log.contains("the test runner has ended"), "{}", outcome.log);
    assert_eq!(fake.runs, [(vec![], vec![0, 1])], "the unchanged program is tried");
}

#[test]
fn a_runner_that_does_not_run_the_unchanged_program_is_an_error() {
    let mut fake = Fake::content().breaks(Some(MUTANT), 2).breaks(None, 1);
    let error = Setup::score(Until::All).try_to_judge(&mut fake, &[0, 1]).unwrap_err();
    assert_eq!(error.to_string(), "the test runner has ended");
}

#[test]
fn a_repaired_test_is_run_twice_and_believed_only_if_it_passes_twice() {
    for (answers, ran, unsure) in
        [([Pass, Pass], true, 0), ([Pass, Fail], false, 1), ([Pass, Crash], false, 1)]
    {
        let mut fake = Fake::content().says(MUTANT, 4, answers);
        let (outcome, _, seen) = Setup::localize(&[4], false).judge(&mut fake, &[0, 4]);
        assert_eq!((outcome.ran.contains(4), seen), (ran, unsure), "{answers:?}");
        assert!(!outcome.kills().contains(4));
        assert_eq!(fake.asked(4), 2);
    }
}

#[test]
fn passing_tests_are_asked_about_repairs_and_otherwise_only_by_thorough_methods() {
    let fails = || Fake::content().says(MUTANT, 4, [Fail]).says(MUTANT, 0, [Fail]);
    let (blind, ..) = Setup::localize(&[4], false).judge(&mut fails(), &[0, 4]);
    assert_eq!((blind.fate, blind.ran), (Fate::Survived, tests(&[4])));
    let (thorough, ..) = Setup::localize(&[4], true).judge(&mut fails(), &[0, 4]);
    assert_eq!((thorough.fate, thorough.ran), (Fate::Killed, tests(&[0, 4])));
    let mut repairs = Fake::content().says(MUTANT, 0, [Fail]);
    let (outcome, ..) = Setup::localize(&[4], false).judge(&mut repairs, &[0, 4]);
    assert_eq!((outcome.fate, outcome.ran), (Fate::Killed, tests(&[0, 4])));
}

#[test]
fn failing_tests_that_go_on_to_fail_kill_nothing() {
    for verdict in [Fail, Crash, TimeOut] {
        let mut fake = Fake::content().says(MUTANT, 4, [verdict]);
        let (outcome, ..) = Setup::localize(&[4], true).judge(&mut fake, &[0, 4]);
        assert_eq!(outcome.fate, Fate::Survived);
    }
}

#[test]
fn what_hangs_in_test_after_test_is_given_up_in_localization_only() {
    let all: Vec<u32> = (0..10).collect();
    let hangs = |fake: Fake, test: &u32| fake.says(MUTANT, *test, [TimeOut]);
    let mut fake = all.iter().fold(Fake::content(), hangs);
    let (outcome, given_up, _) = Setup::localize(&all, true).judge(&mut fake, &all);
    assert_eq!((outcome.ran.len(), given_up), (2, 1), "one after the other, as soon as it hangs");
    // Where it hangs in failing tests, passing ones do not run.
    let mut fake = all.iter().fold(Fake::content(), hangs);
    let (outcome, ..) = Setup::localize(&[7, 8, 9], true).judge(&mut fake, &all);
    assert_eq!(outcome.ran, tests(&[7, 8]));
    let mut fake = all.iter().fold(Fake::content(), hangs);
    let (outcome, given_up, _) = Setup::score(Until::All).judge(&mut fake, &all);
    assert_eq!((outcome.ran.len(), given_up), (10, 0));
}

#[test]
fn an_engine_that_cannot_choose_is_asked_once_for_all() {
    let mut fake = Fake::content().says(MUTANT, 1, [Fail]);
    fake.chooses = false;
    let (outcome, ..) = Setup::localize(&[0, 1, 2, 3, 4, 5], true).judge(&mut fake, &[0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(outcome.ran.len(), 7);
    assert_eq!(fake.runs.len(), 3, "failing tests, repaired ones again, passing ones");
}

#[test]
fn a_test_that_says_nothing_does_not_hold_up_the_rest() {
    let mut fake = Fake::content().silent(1).says(MUTANT, 2, [Fail]);
    let (outcome, ..) = Setup::score(Until::All).judge(&mut fake, &[0, 1, 2]);
    assert_eq!((outcome.ran.clone(), outcome.fate), (tests(&[0, 2]), Fate::Killed));
    assert_eq!(outcome.verdict(1), None);
}
