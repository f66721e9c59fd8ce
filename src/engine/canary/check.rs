//! Whether tests execute code of the sources.

use std::path::PathBuf;

use crate::control::Events;
use crate::control::Phase;
use crate::insert::Inserter;

use super::super::baseline::Baseline;
use super::super::driver::BuildError;
use super::super::driver::Driver;
use super::super::error::TestError;
use super::super::project::Project;
use super::super::project::put;
use super::super::scenario::Engine;
use super::super::scenario::Run;
use super::super::scenario::Scenario;
use super::super::switched::Switched;
use super::super::watching::Watching;
use super::super::workbench::Workbench;
use super::instead::suspects;

/// Tests that run before checking whether one of them executed something.
const CHUNK: usize = 8;
/// What is slow because it records where it was is not stuck: limits are longer by this factor.
const RECORDING: u32 = 10;
/// Files that are named.
const MOST_NAMED: usize = 3;

/// What is known about whether tests execute the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Executed {
    /// A test does.
    Yes,
    /// No test does; what the user should know.
    No(String),
    /// It cannot be found out.
    Unknown,
}

/// All sources of a project, whatever part of them is mutated.
pub struct Canary<'a> {
    pub project: &'a Project<'a>,
    pub inserter: &'a Inserter<'a>,
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
    pub events: &'a Events,
}

impl Canary<'_> {
    /// Finds out whether tests that pass execute any statement.
    pub fn check(&self, baseline: &Baseline) -> Result<Executed, TestError> {
        let tests = baseline.trusted();
        if tests.is_empty() {
            return Ok(Executed::Unknown);
        }
        self.events.enter(Phase::Canary);
        let mut watching = Watching::new(self.inserter);
        let bench = Workbench::set_up(self.project, self.inserter.def, watching.count(), self.events)?;
        let Some(runtime) = bench.runtime.as_ref() else { return self.without(baseline, &tests) };
        if watching.count() == 0 {
            return Ok(Executed::Unknown);
        }
        let (inserter, paths, phase) = (self.inserter, self.paths, Phase::Canary);
        let said = match (Driver { bench: &bench, runtime, inserter, paths, phase }).build(&mut watching) {
            Ok(finished) => finished.said,
            Err(BuildError::Run(error)) => return Err(error.into()),
            Err(BuildError::Hopeless(_)) => return Ok(Executed::Unknown),
        };
        // Where most cannot be watched, tests may execute just that.
        if watching.watched() * 2 < watching.count() {
            return Ok(Executed::Unknown);
        }
        let mut made = bench.runners(1, &said, baseline, |_| vec![])?;
        let progress = &self.events.progress;
        let mut engine = Switched { runner: made.runners.remove(0), switches: &[], lines: None, progress };
        let limits = baseline.limits.times(RECORDING);
        for tests in tests.chunks(if engine.chooses() { CHUNK } else { tests.len() }) {
            let scenario = Scenario { reach: true, ..Scenario::unchanged(tests, &limits) };
            let Run::Tested(ran) = engine.run(&scenario)? else { return Ok(Executed::Unknown) };
            if ran.reached.iter().any(|(_, units)| !units.is_empty()) {
                return Ok(Executed::Yes);
            }
        }
        Ok(Executed::No(self.complaint(&bench, tests.len())))
    }

    /// Where nothing can be watched: tests that pass although all sources are empty do not execute them.
    fn without(&self, baseline: &Baseline, tests: &[u32]) -> Result<Executed, TestError> {
        let copy = self.project.copy()?;
        let (tree, env) = (copy.path(), self.project.env(&[], 0));
        for path in self.paths {
            put(&copy, path, b"")?;
        }
        let built = self.project.build(tree, &env)?;
        if !built.fine {
            return Ok(Executed::Unknown);
        }
        let names = baseline.names();
        let Ok(runner) = self.project.runner(tree, tree, &built.said, &env, 1, Some(&names)) else {
            return Ok(Executed::Yes);
        };
        let progress = &self.events.progress;
        let mut engine = Switched { runner: baseline.align(runner), switches: &[], lines: None, progress };
        let run = engine.run(&Scenario::unchanged(tests, &baseline.limits))?;
        let passes = matches!(run, Run::Tested(ran) if !ran.is_killed());
        let bench = Workbench::set_up(self.project, self.inserter.def, 0, self.events)?;
        Ok(if passes { Executed::No(self.complaint(&bench, tests.len())) } else { Executed::Yes })
    }

    /// What the user should know: what is not executed, what may be executed instead, what to do.
    fn complaint(&self, bench: &Workbench, tests: usize) -> String {
        let named: Vec<String> =
            self.paths.iter().take(MOST_NAMED).map(|path| path.display().to_string()).collect();
        let more = match self.paths.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let mut complaint = format!(
            "{tests} tests pass, but none executes any code of {}{more}, so no mutant there can be killed",
            named.join(", ")
        );
        for suspect in suspects(self, bench) {
            complaint.push_str("\n  ");
            complaint.push_str(&suspect);
        }
        complaint
            + "\nFix [build] and [tests] in wildcaught.toml so that the tests run the program built in the \
                copy, or fix `sources` if you want to mutate other code. If the tests start the program with an \
                empty environment (env -i, a container), use --engine classic."
    }
}
