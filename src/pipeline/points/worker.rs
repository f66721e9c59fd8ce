//! Runs a test on a box of combinations, and cuts the box where they part.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Instant;

use thiserror::Error;

use crate::analysis::sshom::AlternativeSets;
use crate::analysis::sshom::Leaf;
use crate::analysis::sshom::Splitter;
use crate::exec::Verdict;
use crate::history::Meter;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::SplitFile;
use crate::runner::SplitTrace;

use super::program::PointProgram;

/// Somebody who runs the program.
pub struct Worker {
    pub runner: Box<dyn Runner>,
    pub split: SplitFile,
}

/// Why a run came to nothing.
#[derive(Debug, Error)]
pub enum PointStop {
    #[error("the time is up")]
    Time,
    #[error("there are too many leaves")]
    Leaves,
    #[error(transparent)]
    Run(#[from] RunError),
}

/// How far to go.
#[derive(Clone, Copy)]
pub struct Bound<'a> {
    /// Combinations of more mutants are not run.
    pub max_order: Option<usize>,
    /// Whether some were not run for that.
    pub cut: &'a AtomicBool,
    /// What falls into more leaves is not looked at further: combinations for one test as the first to kill.
    pub max_leaves: Option<u64>,
    /// Since when time is counted.
    pub begun: Instant,
    /// Says when the time is up.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    pub meter: &'a Meter,
    /// Counts the runs of a test.
    pub runs: &'a AtomicU64,
}

impl Worker {
    /// Runs a test once: whether it fails, and where it parted from other combinations.
    pub(super) fn once(
        &mut self,
        program: &PointProgram,
        test: u32,
        masks: &[u64],
        steps: u64,
        meter: &Meter,
    ) -> Result<(bool, SplitTrace), RunError> {
        let (verdict, busy, trace) = self.attempt(program, test, masks, steps, meter)?;
        // What was only kept waiting is asked again.
        if verdict == Verdict::TimeOut && !busy {
            let (verdict, _, trace) = self.attempt(program, test, masks, steps, meter)?;
            return Ok((verdict.is_kill(), trace));
        }
        Ok((verdict.is_kill(), trace))
    }

    fn attempt(
        &mut self,
        program: &PointProgram,
        test: u32,
        masks: &[u64],
        steps: u64,
        meter: &Meter,
    ) -> Result<(Verdict, bool, SplitTrace), RunError> {
        let path = self.split.path().display().to_string();
        self.split.put(masks, steps).map_err(RunError::io(path.clone()))?;
        let baseline = &program.baseline;
        let limits = |test| baseline.limit(test);
        let request = Request {
            on: "",
            tests: &[test],
            limits: &limits,
            floor: baseline.floor,
            work: baseline.work,
            first_kill: false,
            reach: false,
            meter,
        };
        let ran = self.runner.run(&request)?;
        let said = ran.said.iter().find(|said| said.test == test).map(|said| (said.verdict, said.busy));
        let trace = self.split.read().map_err(RunError::io(path))?;
        // A test that says nothing any more was stopped by what was exchanged.
        let (verdict, busy) = said.unwrap_or((Verdict::Crash, true));
        Ok((verdict, busy, trace))
    }
}

/// A worker on a program, within bounds.
pub struct Splitting<'a> {
    pub program: &'a PointProgram,
    pub worker: &'a mut Worker,
    pub bound: Bound<'a>,
    /// Leaves so far.
    pub leaves: u64,
}

impl Splitting<'_> {
    /// Whether a test fails with a single combination.
    pub fn fails(&mut self, test: usize, sets: &AlternativeSets) -> Result<bool, PointStop> {
        if self.program.is_untouched(test, sets) {
            return Ok(false);
        }
        let masks = self.program.masks(sets);
        Ok(self.once(test, &masks)?.0)
    }

    fn once(&mut self, test: usize, masks: &[u64]) -> Result<(bool, SplitTrace), PointStop> {
        if (self.bound.is_over)() {
            return Err(PointStop::Time);
        }
        self.bound.runs.fetch_add(1, Ordering::Relaxed);
        let number = self.program.tests[test];
        let steps = self.program.steps(test);
        self.worker.once(self.program, number, masks, steps, self.bound.meter).map_err(|error| match error {
            RunError::Stopped => PointStop::Time,
            error => error.into(),
        })
    }

    fn is_within(&self, sets: &AlternativeSets) -> bool {
        let forced = || sets.iter().filter(|set| !set.contains(0)).count();
        let within = self.bound.max_order.is_none_or(|order| forced() <= order);
        if !within {
            self.bound.cut.store(true, Ordering::Relaxed);
        }
        within
    }
}

impl Splitter for Splitting<'_> {
    type Stop = PointStop;

    /// Boxes of too high an order are left out.
    fn run(&mut self, test: usize, allowed: &AlternativeSets) -> Result<Vec<Leaf>, PointStop> {
        if self.program.is_untouched(test, allowed) {
            return Ok(vec![Leaf { sets: allowed.clone(), fails: false }]);
        }
        let mut leaves = Vec::new();
        let mut open = vec![self.program.masks(allowed)];
        while let Some(masks) = open.pop() {
            if self.bound.max_leaves.is_some_and(|most| self.leaves >= most) {
                return Err(PointStop::Leaves);
            }
            self.leaves += 1;
            let (fails, trace) = self.once(test, &masks)?;
            leaves.push(Leaf { sets: self.program.sets(&trace.masks), fails });
            let others = trace.others.into_iter().rev();
            open.extend(others.filter(|other| self.is_within(&self.program.sets(other))));
        }
        Ok(leaves)
    }
}
