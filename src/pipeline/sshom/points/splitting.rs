//! Cuts a box of combinations into leaves: combinations with which a test does the same.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use crate::analysis::sshom::AlternativeSets;
use crate::analysis::sshom::Leaf;
use crate::analysis::sshom::Splitter;
use crate::runner::RunError;
use crate::runner::SplitLimits;

use super::bound::PointStop;
use super::bound::SearchBound;
use super::program::PointProgram;
use super::worker::Branch;
use super::worker::Worker;

/// A worker that runs a program within bounds.
pub struct Splitting<'a> {
    pub program: &'a PointProgram,
    pub worker: &'a mut Worker,
    pub bound: SearchBound<'a>,
    /// Leaves so far of what is searched, by all workers.
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
        if self.bound.time.is_over() || self.bound.progress.stopped() {
            return Err(PointStop::Time);
        }
        let number = self.program.tests[test];
        let limits = SplitLimits { steps: self.program.steps(test), forks };
        let branches = self.worker.once(self.program, number, masks, limits, self.bound.progress);
        let branches = branches.map_err(|error| match error {
            RunError::Stopped => PointStop::Time,
            error => error.into(),
        })?;
        // Runs without a result are not counted: it depends on the machine which have to be repeated.
        let known = || branches.iter().filter(|branch| branch.fails.is_some());
        let forks = known().filter(|branch| branch.is_fork()).count();
        self.bound.runs.add(known().count() as u64, forks as u64);
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
