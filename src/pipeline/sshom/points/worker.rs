//! Runs a test of a program with a box of combinations.

use crate::control::Progress;
use crate::exec::Verdict;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::SplitEnd;
use crate::runner::SplitFile;
use crate::runner::SplitLimits;
use crate::runner::SplitTrace;
use crate::runner::Thrift;

use super::program::PointProgram;

/// Runs the program in a copy of its own.
pub struct Worker {
    pub runner: Box<dyn Runner>,
    pub split: SplitFile,
}

/// One process of a run.
pub(super) struct Branch {
    /// Whether the test fails; none if that is not known, and the run has to be repeated without forks.
    pub fails: Option<bool>,
    pub trace: SplitTrace,
}

impl Branch {
    pub(super) fn is_fork(&self) -> bool {
        matches!(self.trace.end, SplitEnd::Forked(_))
    }
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
        // A process that was only kept waiting is run again.
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
            thrift: if limits.forks.is_some() { Thrift::Forks } else { Thrift::None },
            progress,
        };
        let ran = self.runner.run(&request)?;
        let said = ran.said.iter().find(|said| said.test == test).map(|said| (said.verdict, said.busy));
        let traces = self.split.read().map_err(RunError::io(path))?;
        // A test that says nothing any more was stopped by what was exchanged.
        Ok((said.unwrap_or((Verdict::Crash, true)), traces))
    }
}
