//! Runs a test on a box of combinations, and cuts the box where they part.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Instant;

use thiserror::Error;

use crate::analysis::sshom::AlternativeSets;
use crate::analysis::sshom::Leaf;
use crate::analysis::sshom::Splitter;
use crate::control::Progress;
use crate::exec::Verdict;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::SplitEnd;
use crate::runner::SplitFile;
use crate::runner::SplitLimits;
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
    pub progress: &'a Progress,
    /// Is told how far it came.
    pub tell: &'a (dyn Fn(String) + Sync),
    pub runs: &'a Runs,
}

/// Counts runs of tests.
#[derive(Debug, Default)]
pub struct Runs {
    all: AtomicU64,
    forks: AtomicU64,
}

impl Runs {
    /// How many there were.
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// How many of them did not begin at the start of the test, but where they parted from another.
    pub fn forks(&self) -> u64 {
        self.forks.load(Ordering::Relaxed)
    }

    /// Adds what others counted.
    pub(super) fn add(&self, other: &Self) {
        self.all.fetch_add(other.all(), Ordering::Relaxed);
        self.forks.fetch_add(other.forks(), Ordering::Relaxed);
    }

    /// Counts those that told something: it depends on the machine which have to be done again.
    fn count(&self, branches: &[Branch]) {
        let told = |branch: &&Branch| branch.fails.is_some();
        let forked = |branch: &&Branch| matches!(branch.trace.end, SplitEnd::Forked(_));
        let count = branches.iter().filter(told).count() as u64;
        let forks = branches.iter().filter(told).filter(forked).count() as u64;
        self.all.fetch_add(count, Ordering::Relaxed);
        self.forks.fetch_add(forks, Ordering::Relaxed);
    }
}

/// What a process of a run came to.
pub(super) struct Branch {
    /// Whether the test fails; nothing if that is not known, and the run has to be done again without forks.
    pub fails: Option<bool>,
    pub trace: SplitTrace,
}

impl Worker {
    /// Runs a test, in more than one process if it may fork: whether it fails in each, and where it parted from
    /// other combinations.
    pub(super) fn once(
        &mut self,
        program: &PointProgram,
        test: u32,
        masks: &[u64],
        limits: SplitLimits,
        progress: &Progress,
    ) -> Result<Vec<Branch>, RunError> {
        let (said, traces) = self.attempt(program, test, masks, limits, progress)?;
        let kept_waiting = said.0 == Verdict::TimeOut && !said.1;
        // What was only kept waiting is asked again.
        if kept_waiting && limits.forks.is_none() {
            let ((verdict, _), traces) = self.attempt(program, test, masks, limits, progress)?;
            return Ok(self.branches(test, Some(verdict), traces));
        }
        Ok(self.branches(test, (!kept_waiting).then_some(said.0), traces))
    }

    fn branches(&mut self, test: u32, first: Option<Verdict>, traces: Vec<SplitTrace>) -> Vec<Branch> {
        let branch = |trace: SplitTrace| {
            let verdict = match &trace.end {
                SplitEnd::Untold => None,
                SplitEnd::Told => first,
                SplitEnd::Forked(ending) => self.runner.judge(test, ending),
            };
            Branch { fails: verdict.map(Verdict::is_kill), trace }
        };
        traces.into_iter().map(branch).collect()
    }

    fn attempt(
        &mut self,
        program: &PointProgram,
        test: u32,
        masks: &[u64],
        limits: SplitLimits,
        progress: &Progress,
    ) -> Result<((Verdict, bool), Vec<SplitTrace>), RunError> {
        let path = self.split.path().display().to_string();
        self.split.put(masks, limits).map_err(RunError::io(path.clone()))?;
        let baseline = &program.baseline;
        let request = Request {
            on: "",
            tests: &[test],
            limits: &|test| baseline.limits.test(test),
            floor: baseline.limits.floor,
            // What hangs passes points too often long before, or hangs where there are none; what does not fork may
            // be a machine that just started, and slow.
            work: if limits.forks.is_some() { baseline.limits.work } else { baseline.limits.floor },
            first_kill: false,
            reach: false,
            thrifty: limits.forks.is_some(),
            progress,
        };
        let ran = self.runner.run(&request)?;
        let said = ran.said.iter().find(|said| said.test == test).map(|said| (said.verdict, said.busy));
        let traces = self.split.read().map_err(RunError::io(path))?;
        // A test that says nothing any more was stopped by what was exchanged.
        Ok((said.unwrap_or((Verdict::Crash, true)), traces))
    }
}

/// A worker on a program, within bounds.
pub struct Splitting<'a> {
    pub program: &'a PointProgram,
    pub worker: &'a mut Worker,
    pub bound: Bound<'a>,
    /// Leaves so far of what is searched, by whomever.
    pub leaves: &'a AtomicU64,
}

impl Splitting<'_> {
    /// Whether a test fails with a single combination.
    pub fn fails(&mut self, test: usize, sets: &AlternativeSets) -> Result<bool, PointStop> {
        if self.program.is_untouched(test, sets) {
            return Ok(false);
        }
        let masks = self.program.masks(sets);
        let thrifty = self.program.forks(test).then_some(0);
        let told = |branches: Vec<Branch>| branches.first().and_then(|branch| branch.fails);
        match told(self.once(test, &masks, thrifty)?) {
            Some(fails) => Ok(fails),
            None => Ok(told(self.once(test, &masks, None)?).unwrap_or(true)),
        }
    }

    fn once(&mut self, test: usize, masks: &[u64], forks: Option<u64>) -> Result<Vec<Branch>, PointStop> {
        if (self.bound.is_over)() || self.bound.progress.stopped() {
            return Err(PointStop::Time);
        }
        let number = self.program.tests[test];
        let limits = SplitLimits { steps: self.program.steps(test), forks };
        let branches = self.worker.once(self.program, number, masks, limits, self.bound.progress);
        let branches = branches.map_err(|error| match error {
            RunError::Stopped => PointStop::Time,
            error => error.into(),
        })?;
        self.bound.runs.count(&branches);
        Ok(branches)
    }

    fn allow_leaves(&self, more: u64) -> Result<(), PointStop> {
        let leaves = self.leaves.load(Ordering::Relaxed) + more;
        if self.bound.max_leaves.is_some_and(|most| leaves > most) { Err(PointStop::Leaves) } else { Ok(()) }
    }

    /// At how many more points a run of a box may give up the original.
    fn losses(&self, sets: &AlternativeSets) -> u64 {
        self.bound.max_order.map_or(u64::MAX, |order| order.saturating_sub(forced(sets)) as u64)
    }

    fn is_within(&self, sets: &AlternativeSets) -> bool {
        let within = self.bound.max_order.is_none_or(|order| forced(sets) <= order);
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
        let mut leaves: Vec<(Vec<u64>, bool)> = Vec::new();
        let mut open = vec![(self.program.masks(allowed), self.program.forks(test))];
        while let Some((masks, may_fork)) = open.pop() {
            self.allow_leaves(1)?;
            let forks = may_fork.then(|| self.losses(&self.program.sets(&masks)));
            for Branch { fails, trace } in self.once(test, &masks, forks)? {
                let others = trace.others.into_iter().rev();
                let within = others.filter(|other| self.is_within(&self.program.sets(other)));
                open.extend(within.map(|other| (other, may_fork)));
                match fails {
                    Some(fails) => {
                        self.leaves.fetch_add(1, Ordering::Relaxed);
                        leaves.push((trace.masks, fails));
                    }
                    None => open.push((trace.masks, false)),
                }
            }
        }
        self.allow_leaves(0)?;
        // Where a run forked depends on the time that it took.
        leaves.sort_unstable();
        let leaf = |(masks, fails): (Vec<u64>, bool)| Leaf { sets: self.program.sets(&masks), fails };
        Ok(leaves.into_iter().map(leaf).collect())
    }
}

/// The points at which a box has no original.
fn forced(sets: &AlternativeSets) -> usize {
    sets.iter().filter(|set| !set.contains(0)).count()
}
