//! Mutants of the meta-program, run by several workers.

use std::sync::Mutex;
use std::sync::RwLock;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::exec::Verdict;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::Ran;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;

use super::baseline::Baseline;
use super::order::TestOrder;

/// Mutants in the first wave; each wave has twice as many.
const FIRST_WAVE: usize = 32;
/// Failing tests that are asked about a mutant at first; then twice as many each time.
const FIRST_ASKED: usize = 4;
/// Tests in which a mutant may hang before it is given up.
const MOST_HANGS: u64 = 3;
/// Tests that are asked for what they reach at a time.
const REACH_CHUNK: usize = 64;

/// A mutant to be run: its number, how it is switched on, the tests that reach it.
pub struct Task {
    pub mutant: u32,
    pub on: String,
    pub covered: RoaringBitmap,
}

/// Workers with a runner each.
pub struct Crew<'a> {
    pub runners: Vec<Mutex<Box<dyn Runner>>>,
    pub baseline: &'a Baseline,
    pub trusted: RoaringBitmap,
    /// Tests that fail in the unchanged program; they are asked first whether a mutant mends something.
    pub failing: RoaringBitmap,
    /// Whether the others are asked even if it does not.
    pub thorough: bool,
    pub full: bool,
    pub progress: &'a Progress,
    /// How often a mutant mended a test only sometimes.
    pub unsure: AtomicUsize,
    /// Mutants that were not run with all tests since they hang.
    pub given_up: AtomicUsize,
    /// Held by all who run; whoever confirms a time-out holds it alone.
    pub quiet: RwLock<()>,
}

impl Crew<'_> {
    /// Which units each test passes.
    pub fn reach(&self, tests: &[u32]) -> Result<Vec<(u32, RoaringBitmap)>, RunError> {
        let chooses = self.runners[0].lock().expect("no worker panics with the lock").chooses();
        let size = if chooses {
            REACH_CHUNK.min(tests.len().div_ceil(self.runners.len()).max(1))
        } else {
            tests.len().max(1)
        };
        let chunks: Vec<&[u32]> = tests.chunks(size).collect();
        let found = Mutex::new(Vec::new());
        self.each(chunks.len(), |runner, turn| {
            // What is slow because it writes down where it was is not stuck.
            let limit = |test| self.baseline.limit(test) * 10;
            let request = Request {
                on: "",
                tests: chunks[turn],
                limits: &limit,
                floor: self.baseline.floor * 10,
                work: self.baseline.floor * 10,
                first_kill: false,
                reach: true,
                thrifty: false,
                progress: self.progress,
            };
            let ran = runner.run(&request)?;
            found.lock().expect("no worker panics with the lock").extend(ran.reached);
            self.progress.advance(1024 * chunks[turn].len() as u64);
            Ok(())
        })?;
        let mut found = found.into_inner().expect("no worker panics with the lock");
        found.sort_by_key(|(test, _)| *test);
        Ok(found)
    }

    /// Runs tasks wave by wave; `done` hears of each outcome.
    pub fn run(
        &self,
        tasks: &[Task],
        done: &(dyn Fn(u32, &Outcome) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let mut order = TestOrder::new(self.baseline);
        let (mut start, mut size) = (0, FIRST_WAVE);
        while start < tasks.len() {
            let end = (start + size).min(tasks.len());
            let wave = &tasks[start..end];
            let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; wave.len()]);
            self.each(wave.len(), |runner, turn| {
                let task = &wave[turn];
                let outcome = self.task(runner, &task.on, &task.covered, &order)?;
                done(task.mutant, &outcome)?;
                outcomes.lock().expect("no worker panics with the lock")[turn] = Some(outcome);
                Ok(())
            })?;
            let outcomes = outcomes.into_inner().expect("no worker panics with the lock");
            outcomes.iter().flatten().for_each(|outcome| order.learn(outcome));
            start = end;
            size *= 2;
        }
        Ok(())
    }

    /// Shares turns among the workers.
    fn each(
        &self,
        turns: usize,
        work: impl Fn(&mut dyn Runner, usize) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let next = AtomicUsize::new(0);
        let worker = |runner: &Mutex<Box<dyn Runner>>| -> Result<(), RunError> {
            let mut runner = runner.lock().expect("no worker panics with the lock");
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                if turn >= turns {
                    return Ok(());
                }
                if self.progress.stopped() {
                    return Err(RunError::Stopped);
                }
                if let Err(error) = work(&mut **runner, turn) {
                    // The others need not go on.
                    next.store(turns, Ordering::Relaxed);
                    return Err(error);
                }
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = self.runners.iter().map(|runner| scope.spawn(|| worker(runner))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    /// Runs a mutant.
    pub fn task(
        &self,
        runner: &mut dyn Runner,
        on: &str,
        covered: &RoaringBitmap,
        order: &TestOrder,
    ) -> Result<Outcome, RunError> {
        let mut outcome = Outcome::new(Fate::Survived);
        outcome.covered = covered & &self.trusted;
        if outcome.covered.is_empty() {
            outcome.fate = Fate::NotCovered;
            return Ok(outcome);
        }
        if !self.failing.is_empty() {
            let failing = &outcome.covered & &self.failing;
            if failing.is_empty() {
                outcome.fate = Fate::NotCovered;
                return Ok(outcome);
            }
            self.ask_all(runner, on, failing.iter().collect(), true, &mut outcome)?;
            self.ask_again(runner, on, &failing, &mut outcome)?;
            if !self.thorough && (&failing - &outcome.kills()).is_empty() {
                return Ok(outcome);
            }
        }
        let mut left: Vec<u32> = (&outcome.covered - &self.failing).iter().collect();
        if !self.full {
            order.sort(&mut left);
        }
        self.ask_all(runner, on, left, self.full, &mut outcome)?;
        outcome.fate = fate(&outcome, &self.failing);
        Ok(outcome)
    }

    /// Runs tests that a mutant mends once more: one that fails now is as unsure as if it had not been run.
    fn ask_again(
        &self,
        runner: &mut dyn Runner,
        on: &str,
        failing: &RoaringBitmap,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        let mended = &(failing & &outcome.ran) - &outcome.kills();
        let mut again = Outcome::new(Fate::Survived);
        self.ask_all(runner, on, mended.iter().collect(), true, &mut again)?;
        for test in again.kills() {
            outcome.forget(test);
            self.unsure.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Runs tests on a mutant, all of them or until one notices something, and notes what they say.
    /// Where it is about failing tests, a mutant that hangs and hangs is given up: each time takes long.
    fn ask_all(
        &self,
        runner: &mut dyn Runner,
        on: &str,
        left: Vec<u32>,
        full: bool,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        if self.failing.is_empty() || !runner.chooses() {
            return self.ask_some(runner, on, left, full, outcome);
        }
        let (mut left, mut size) = (&left[..], FIRST_ASKED);
        while !left.is_empty() {
            let (now, rest) = left.split_at(size.min(left.len()));
            self.ask_some(runner, on, now.to_vec(), full, outcome)?;
            if outcome.timed_out.len() >= MOST_HANGS && !rest.is_empty() {
                self.given_up.fetch_add(1, Ordering::Relaxed);
                break;
            }
            (left, size) = (rest, size * 2);
        }
        Ok(())
    }

    fn ask_some(
        &self,
        runner: &mut dyn Runner,
        on: &str,
        mut left: Vec<u32>,
        full: bool,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        while !left.is_empty() {
            let ran = {
                let _running = self.quiet.read().expect("no worker panics with the lock");
                self.ask(runner, on, &left, !full)?
            };
            let before = left.len();
            for said in &ran.said {
                left.retain(|test| *test != said.test);
                let verdict = match said.verdict {
                    // A mutant that was seen to hang with nobody else running is believed from then on.
                    Verdict::TimeOut if outcome.timed_out.is_empty() && !said.busy => {
                        self.confirm(runner, on, said.test)?
                    }
                    verdict => verdict,
                };
                if self.trusted.contains(said.test) {
                    outcome.note(said.test, verdict);
                    outcome.millis += said.millis;
                    if verdict.is_kill() && outcome.log.is_empty() {
                        outcome.log.clone_from(&said.message);
                    }
                }
            }
            let killed = !outcome.kills().is_empty();
            if (killed && !full) || left.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn ask(
        &self,
        runner: &mut dyn Runner,
        on: &str,
        tests: &[u32],
        first_kill: bool,
    ) -> Result<Ran, RunError> {
        let limits = |test| self.baseline.limit(test);
        let request = Request {
            on,
            tests,
            limits: &limits,
            floor: self.baseline.floor,
            work: self.baseline.work,
            first_kill,
            reach: false,
            thrifty: false,
            progress: self.progress,
        };
        runner.run(&request)
    }

    /// Runs a test that took too long once more, with nobody else running.
    fn confirm(&self, runner: &mut dyn Runner, on: &str, test: u32) -> Result<Verdict, RunError> {
        if self.runners.len() == 1 {
            return Ok(Verdict::TimeOut);
        }
        let _alone = self.quiet.write().expect("no worker panics with the lock");
        let ran = self.ask(runner, on, &[test], false)?;
        Ok(ran.said.iter().find(|said| said.test == test).map_or(Verdict::TimeOut, |said| said.verdict))
    }
}

/// What the verdicts come to; those of tests that fail anyway count for nothing.
pub fn fate(outcome: &Outcome, failing: &RoaringBitmap) -> Fate {
    if !(&(&outcome.failed | &outcome.crashed) - failing).is_empty() {
        Fate::Killed
    } else if !(&outcome.timed_out - failing).is_empty() {
        Fate::TimeOut
    } else {
        Fate::Survived
    }
}
