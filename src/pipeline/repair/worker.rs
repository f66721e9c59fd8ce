//! Runs tests with edits switched on.

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::engine::Baseline;
use crate::runner::Ran;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::runner::Thrift;
use crate::runner::ValueNotes;
use crate::runner::ValuesFile;

/// Runs the program in a copy of its own.
pub struct SlotWorker {
    pub runner: Box<dyn Runner>,
    pub values: ValuesFile,
}

/// Which tests are run, and until when.
#[derive(Clone, Copy)]
pub struct TestRun<'a> {
    pub tests: &'a [u32],
    pub first_failure: bool,
    /// How often conditions may be passed.
    pub most_passes: u64,
}

/// What tests said.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub passed: RoaringBitmap,
    pub failed: RoaringBitmap,
    /// What conditions were made of.
    pub noted: ValueNotes,
}

impl Outcome {
    /// Adds what another run said.
    pub fn add(&mut self, more: Self) {
        self.passed |= more.passed;
        self.failed |= more.failed;
        self.noted.notes.extend(more.noted.notes);
        self.noted.complete &= more.noted.complete;
    }
}

impl SlotWorker {
    /// Runs tests with this switched on.
    pub fn run(
        &mut self,
        on: &str,
        run: TestRun,
        baseline: &Baseline,
        progress: &Progress,
    ) -> Result<Outcome, RunError> {
        let ran = self.ask(on, run, baseline, Thrift::Classes, progress)?;
        let mut outcome = Outcome::default();
        for said in &ran.said {
            match said.verdict.is_kill() {
                true => outcome.failed.insert(said.test),
                false => outcome.passed.insert(said.test),
            };
        }
        outcome.noted = self.values.read().map_err(RunError::io(self.path()))?;
        Ok(outcome)
    }

    /// Per test, the units that it passes with this switched on.
    pub fn reach(
        &mut self,
        on: &str,
        run: TestRun,
        baseline: &Baseline,
        progress: &Progress,
    ) -> Result<Vec<(u32, RoaringBitmap)>, RunError> {
        Ok(self.ask(on, run, baseline, Thrift::None, progress)?.reached)
    }

    fn ask(
        &mut self,
        on: &str,
        run: TestRun,
        baseline: &Baseline,
        thrift: Thrift,
        progress: &Progress,
    ) -> Result<Ran, RunError> {
        self.values.clear(run.most_passes).map_err(RunError::io(self.path()))?;
        self.runner.run(&Request {
            on,
            tests: run.tests,
            limits: &|test| baseline.limits.test(test),
            floor: baseline.limits.floor,
            work: baseline.limits.work,
            first_kill: run.first_failure,
            reach: thrift == Thrift::None,
            thrift,
            progress,
        })
    }

    fn path(&self) -> String {
        self.values.path().display().to_string()
    }
}
