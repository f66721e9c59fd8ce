//! How a variant is judged.

use std::collections::BTreeSet;
use std::sync::RwLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::exec::load;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::Ran;
use crate::runner::RunError;

use super::super::order::TestOrder;
use super::super::scenario::Engine;
use super::super::scenario::Run;
use super::super::scenario::Scenario;
use super::super::scenario::TestLimits;
use super::super::scenario::Until;
use super::super::scenario::Variant;

/// Tests that run on a variant at first; then twice as many each time, as long as none times out.
const FIRST_ASKED: usize = 1;
/// Tests in which a variant may hang before it is given up.
const MOST_HANGS: u64 = 2;
/// However busy the machine is, a test gets no more than this many times its limit.
const MOST_LOAD: u32 = 8;

/// Which tests run, and which results count.
pub struct Policy<'a> {
    pub limits: &'a TestLimits,
    /// Reliable tests; those that fail in the unchanged program are among them if they are run.
    pub trusted: RoaringBitmap,
    /// Tests that fail in the unchanged program; they run first, to see whether a variant repairs them. Empty if
    /// the run is not about them.
    pub failing: RoaringBitmap,
    /// Whether passing tests run even if no failing test was repaired.
    pub thorough: bool,
    /// Whether all tests run, or only until the first that kills.
    pub until: Until,
    /// How many times as long as on an idle machine a test may take that is run alone.
    pub load: fn() -> u32,
    /// Held by all who run; whoever confirms a time-out holds it alone.
    quiet: RwLock<()>,
    /// Tests that were trusted, and then failed without any mutant.
    distrusted: RwLock<RoaringBitmap>,
    /// Tests that fail without any mutant after some of the others, but not alone.
    dependent: RwLock<RoaringBitmap>,
    unsure: AtomicUsize,
    given_up: AtomicUsize,
}

/// A variant that is being judged.
struct Case<'c> {
    engine: &'c mut dyn Engine,
    variant: Variant<'c>,
    outcome: Outcome,
    /// What runs did that no test noticed.
    notes: BTreeSet<String>,
    /// Whether it hangs in test after test.
    given_up: bool,
}

impl<'a> Policy<'a> {
    /// A policy that believes these tests.
    pub fn new(limits: &'a TestLimits, trusted: RoaringBitmap, until: Until) -> Self {
        Self {
            limits,
            trusted,
            failing: RoaringBitmap::new(),
            thorough: false,
            until,
            load: || load().min(MOST_LOAD),
            quiet: RwLock::new(()),
            distrusted: RwLock::default(),
            dependent: RwLock::default(),
            unsure: AtomicUsize::new(0),
            given_up: AtomicUsize::new(0),
        }
    }

    /// Stops believing tests.
    pub fn distrust(&self, tests: &RoaringBitmap) {
        *self.distrusted.write().expect("the lock is not poisoned") |= tests & &self.trusted;
    }

    /// From now on, counts failures of these tests only if they also fail alone; gives those that counted before.
    pub fn depend(&self, tests: &RoaringBitmap) -> RoaringBitmap {
        let mut dependent = self.dependent.write().expect("the lock is not poisoned");
        let new = tests - &*dependent;
        *dependent |= &new;
        new
    }

    /// Tests whose failures count only if they also fail alone.
    pub fn dependent(&self) -> RoaringBitmap {
        self.dependent.read().expect("the lock is not poisoned").clone()
    }

    /// Tests that failed without any mutant, and are ignored from then on.
    pub fn distrusted(&self) -> RoaringBitmap {
        self.distrusted.read().expect("the lock is not poisoned").clone()
    }

    /// Reliable tests.
    pub fn believed(&self) -> RoaringBitmap {
        &self.trusted - &self.distrusted()
    }

    /// How often a variant repaired a test and, run again, did not.
    pub fn unsure(&self) -> usize {
        self.unsure.load(Ordering::Relaxed)
    }

    /// Changes that were not run with all tests since they hang.
    pub fn given_up(&self) -> usize {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Runs a variant with the tests that reach it. `order` says which of them run first.
    pub fn judge(
        &self,
        engine: &mut dyn Engine,
        variant: Variant,
        covered: &RoaringBitmap,
        order: &TestOrder,
    ) -> Result<Outcome, RunError> {
        let mut outcome = Outcome::new(Fate::NotCovered);
        outcome.covered = covered & self.believed();
        let failing = &outcome.covered & &self.failing;
        if outcome.covered.is_empty() || (failing.is_empty() && !self.failing.is_empty()) {
            return Ok(outcome);
        }
        outcome.fate = Fate::Survived;
        let mut case = Case { engine, variant, outcome, notes: BTreeSet::new(), given_up: false };
        let closed = self.ask_failing(&mut case, &failing)?;
        let ended = closed || (!case.given_up && self.ask_passing(&mut case, order)?);
        let mut outcome = case.outcome;
        if !ended {
            outcome.fate = fate(&outcome, &self.failing);
        }
        for note in case.notes {
            let line = if outcome.log.is_empty() || outcome.log.ends_with('\n') { "" } else { "\n" };
            outcome.log = format!("{}{line}{note}", outcome.log);
        }
        Ok(outcome)
    }

    /// Asks the failing tests which of them are repaired; whether the case is closed.
    fn ask_failing(&self, case: &mut Case, failing: &RoaringBitmap) -> Result<bool, RunError> {
        if failing.is_empty() {
            return Ok(false);
        }
        if self.ask_all(case, failing.iter().collect(), Until::All)? {
            return Ok(true);
        }
        self.ask_again(case, failing)?;
        Ok(!self.thorough && (failing - &case.outcome.kills()).is_empty())
    }

    /// Asks the tests that pass in the unchanged program; whether the case is closed.
    fn ask_passing(&self, case: &mut Case, order: &TestOrder) -> Result<bool, RunError> {
        let mut tests: Vec<u32> = (&case.outcome.covered - &self.failing).iter().collect();
        if self.until == Until::FirstKill {
            order.sort(&mut tests);
        }
        self.ask_all(case, tests, self.until)
    }

    /// Runs repaired tests once more: where one fails now, nothing is known.
    fn ask_again(&self, case: &mut Case, failing: &RoaringBitmap) -> Result<(), RunError> {
        let repaired = &(failing & &case.outcome.ran) - &case.outcome.kills();
        let first = std::mem::replace(&mut case.outcome, Outcome::new(Fate::Survived));
        let asked = self.ask_all(case, repaired.iter().collect(), Until::All);
        let again = std::mem::replace(&mut case.outcome, first);
        asked?;
        for test in again.kills() {
            case.outcome.forget(test);
            self.unsure.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Runs tests and notes what they say; whether the case is closed. Where failing tests matter, a variant
    /// that hangs and hangs is given up.
    fn ask_all(&self, case: &mut Case, tests: Vec<u32>, until: Until) -> Result<bool, RunError> {
        if self.failing.is_empty() || !case.engine.chooses() {
            return self.ask_some(case, tests, until);
        }
        let (mut left, mut size) = (&tests[..], FIRST_ASKED);
        while !left.is_empty() {
            let (now, rest) = left.split_at(size.min(left.len()));
            if self.ask_some(case, now.to_vec(), until)? {
                return Ok(true);
            }
            if case.outcome.timed_out.len() >= MOST_HANGS && !rest.is_empty() {
                self.given_up.fetch_add(1, Ordering::Relaxed);
                case.given_up = true;
                break;
            }
            // Where it hung once, it may hang again: one test at a time.
            size = if case.outcome.timed_out.is_empty() { size * 2 } else { FIRST_ASKED };
            left = rest;
        }
        Ok(false)
    }

    /// Runs tests until all have said something, or one noticed something if that is enough; whether the case
    /// is closed.
    fn ask_some(&self, case: &mut Case, mut left: Vec<u32>, until: Until) -> Result<bool, RunError> {
        while !left.is_empty() {
            let ran = match self.ask_once(case, &left, until)? {
                Run::Tested(ran) => ran,
                Run::Unviable(why) => return Ok(case.close(Fate::Unviable, why)),
                Run::Unrunnable(why) => return Ok(case.close(Fate::Killed, why)),
            };
            self.note(case, &ran)?;
            let heard: RoaringBitmap = ran.said.iter().map(|said| said.test).collect();
            let before = left.len();
            left.retain(|test| !heard.contains(*test));
            let killed = until == Until::FirstKill && !case.outcome.kills().is_empty();
            if killed || left.len() == before {
                break;
            }
        }
        Ok(false)
    }

    /// Runs tests; a run that takes its runner down is tried once more.
    fn ask_once(&self, case: &mut Case, tests: &[u32], until: Until) -> Result<Run, RunError> {
        let ran = {
            let _running = self.quiet.read().expect("the lock is not poisoned");
            case.engine.run(&self.scenario(case.variant, tests, until))
        };
        match ran {
            Err(error @ (RunError::Io { .. } | RunError::Broken(_) | RunError::Late(_))) => {
                self.ask_alone(case, tests, until, error)
            }
            ran => ran,
        }
    }

    /// Runs tests of a variant that took its runner down once more, with a new runner and nobody else running. If that
    /// fails again while the unchanged program runs, it is the variant's doing; if that does not run either, the error
    /// is a real one.
    fn ask_alone(
        &self,
        case: &mut Case,
        tests: &[u32],
        until: Until,
        error: RunError,
    ) -> Result<Run, RunError> {
        let _alone = self.quiet.write().expect("the lock is not poisoned");
        case.engine.renew()?;
        match case.engine.run(&self.scenario(case.variant, tests, until)) {
            Err(RunError::Stopped) => return Err(RunError::Stopped),
            Ok(run) => return Ok(run),
            Err(_) => case.engine.renew()?,
        }
        match case.engine.run(&Scenario::unchanged(tests, self.limits)) {
            Ok(Run::Tested(_)) => Ok(Run::Unrunnable(format!("it crashes its test runner: {error}"))),
            Err(RunError::Stopped) => Err(RunError::Stopped),
            _ => Err(error),
        }
    }

    /// Notes what trusted tests said, time-outs as far as they count.
    fn note(&self, case: &mut Case, ran: &Ran) -> Result<(), RunError> {
        if !ran.note.is_empty() {
            case.notes.insert(ran.note.clone());
        }
        let (believed, dependent) = (self.believed(), self.dependent());
        for said in &ran.said {
            if !believed.contains(said.test) {
                continue;
            }
            let verdict = match said.verdict {
                Verdict::TimeOut if case.outcome.timed_out.is_empty() && !said.busy => {
                    self.confirm(case, said.test)?
                }
                Verdict::Fail | Verdict::Crash if dependent.contains(said.test) => {
                    self.confirm(case, said.test)?
                }
                verdict => verdict,
            };
            case.outcome.note(said.test, verdict);
            case.outcome.millis += said.millis;
            if verdict.is_kill() && case.outcome.log.is_empty() {
                case.outcome.log.clone_from(&said.message);
            }
        }
        Ok(())
    }

    /// Runs a test that took too long once more, with none of our workers running, and more time if others keep the
    /// machine busy.
    fn confirm(&self, case: &mut Case, test: u32) -> Result<Verdict, RunError> {
        let _alone = self.quiet.write().expect("the lock is not poisoned");
        let (limits, tests) = (&self.patient_limits(), [test]);
        let scenario = Scenario { limits, ..self.scenario(case.variant, &tests, Until::All) };
        let run = match case.engine.run(&scenario) {
            Err(RunError::Io { .. } | RunError::Broken(_) | RunError::Late(_)) => {
                case.engine.renew()?;
                return Ok(Verdict::TimeOut);
            }
            run => run?,
        };
        let Run::Tested(ran) = run else { return Ok(Verdict::TimeOut) };
        Ok(ran.said.iter().find(|said| said.test == test).map_or(Verdict::TimeOut, |said| said.verdict))
    }

    /// What a test may take that is run with none of our workers running: more if others keep the machine busy.
    pub fn patient_limits(&self) -> TestLimits {
        let load = (self.load)().max(1);
        // Its own processor time depends little on the load, but some runners derive a wall time of 3 times that.
        let work = self.limits.work * load.div_ceil(3);
        TestLimits { work, ..self.limits.times(load) }
    }

    fn scenario<'s>(&'s self, variant: Variant<'s>, tests: &'s [u32], until: Until) -> Scenario<'s> {
        Scenario { variant, tests, limits: self.limits, until, reach: false }
    }
}

impl Case<'_> {
    /// Ends with a fate that is no matter of single tests.
    fn close(&mut self, fate: Fate, why: String) -> bool {
        if fate == Fate::Unviable {
            self.outcome = Outcome::new(fate);
        }
        self.outcome.fate = fate;
        self.outcome.log = why;
        true
    }
}

/// What the verdicts come to; those of tests that fail anyway count for nothing.
fn fate(outcome: &Outcome, failing: &RoaringBitmap) -> Fate {
    if !(&(&outcome.failed | &outcome.crashed) - failing).is_empty() {
        Fate::Killed
    } else if !(&outcome.timed_out - failing).is_empty() {
        Fate::TimeOut
    } else {
        Fate::Survived
    }
}
