//! Which tests execute which statements, without any mutant and without a coverage tool.
//!
//! In: a project, and the files that are watched. Out: the results of its tests, and per statement the tests that
//! execute it. Every statement gets a guard with nothing in it. What does not compile with a guard is not watched;
//! then its neighbours in the same block stand for it, or what it is in, or its function ([`KnownBy`]): no statement
//! is left out.

use std::path::PathBuf;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::control::Phase;
use crate::insert::Inserter;

use super::baseline::Baseline;
use super::driver::BuildError;
use super::driver::Driver;
use super::error::TestError;
use super::execution::Body;
use super::execution::Execution;
use super::execution::KnownBy;
use super::execution::Watched;
use super::neighbours::surveyed;
use super::project::Project;
use super::scenario::Engine;
use super::switched::Switched;
use super::watching::Watching;
use super::waves::Engines;
use super::waves::Reached;
use super::workbench::Workbench;

/// Tests that are named in a warning.
const MOST_NAMED: usize = 3;

/// What was seen of the unchanged program.
pub struct Survey {
    pub baseline: Baseline,
    pub statements: Vec<Watched>,
    pub bodies: Vec<Body>,
}

impl Survey {
    /// Runs all tests in the original and with every statement watched. `paths` are the files of the target
    /// inside of the project.
    pub fn run(
        project: &Project,
        inserter: &Inserter,
        paths: &[PathBuf],
        jobs: usize,
        events: &Events,
    ) -> Result<Self, TestError> {
        let mut watching = Watching::new(inserter);
        let bench = Workbench::set_up(project, inserter.def, watching.count(), events)?;
        let mut survey = Self { baseline: bench.baseline()?, statements: vec![], bodies: vec![] };
        let Some(runtime) = bench.runtime.as_ref().filter(|_| watching.count() > 0) else {
            return Ok(survey);
        };
        let phase = Phase::BuildingWatched;
        let driver = Driver { bench: &bench, runtime, inserter, paths, phase };
        match driver.build(&mut watching) {
            Ok(finished) => survey.measure(&bench, &watching, &finished.said, jobs)?,
            Err(BuildError::Run(error)) => return Err(error.into()),
            Err(BuildError::Hopeless(_)) => {
                let what = "no coverage of statements: the project does not build with instrumented statements; \
                    only mutants show who executes what";
                events.warn(what);
            }
        }
        Ok(survey)
    }

    /// Runs the tests with statements watched.
    fn measure(
        &mut self,
        bench: &Workbench,
        watching: &Watching,
        said: &[u8],
        jobs: usize,
    ) -> Result<(), TestError> {
        let so = "their coverage is taken from neighbouring statements and their mutants";
        watching.warn_of_unwatched(bench.events, so);
        bench.events.enter(Phase::FindingStatements);
        let made = bench.runners(jobs, said, &self.baseline, |_| vec![])?;
        let progress = &bench.events.progress;
        let engine =
            |runner| Box::new(Switched { runner, switches: &[], lines: None, progress }) as Box<dyn Engine>;
        let engines = Engines::new(made.runners.into_iter().map(engine).collect(), progress);
        let reached = engines.reach(&self.baseline.heard(), &self.baseline.limits)?;
        self.compare(&reached, bench.events);
        (self.statements, self.bodies) = surveyed(watching, &reached.units);
        Ok(())
    }

    /// Warns of tests that pass in the original and fail when statements are watched.
    fn compare(&self, reached: &Reached, events: &Events) {
        let broken: RoaringBitmap = self.baseline.broken().into_iter().collect();
        let differing = &reached.failing - &broken;
        if differing.is_empty() {
            return;
        }
        let names: Vec<&str> = differing
            .iter()
            .take(MOST_NAMED)
            .map(|test| self.baseline.tests[test as usize].name.as_str())
            .collect();
        events.warn(format!(
            "{} tests fail only in the instrumented program ({}); their coverage may be wrong",
            differing.len(),
            names.join(", ")
        ));
    }

    /// Which tests execute tokens of a file, as far as that is known.
    pub fn execution(&self, file: usize, from: u32, to: u32) -> Execution<'_> {
        if self.statements.is_empty() {
            return Execution::Unknown;
        }
        if let Some(statement) = self.statement(file, from, to) {
            return match statement.known_by {
                KnownBy::Nothing => Execution::Unknown,
                _ => Execution::By(&statement.covered),
            };
        }
        let holding = self.bodies.iter().filter(|body| body.file == file && body.piece.holds(from, to));
        match holding.min_by_key(|body| body.piece.end - body.piece.start) {
            Some(Body { covered: Some(covered), .. }) => Execution::By(covered),
            Some(Body { covered: None, .. }) => Execution::Unknown,
            None => Execution::Outside,
        }
    }

    /// The innermost statement that tokens of a file are in.
    pub fn statement(&self, file: usize, from: u32, to: u32) -> Option<&Watched> {
        self.statement_number(file, from, to).map(|number| &self.statements[number])
    }

    /// The number of the innermost statement that tokens of a file are in.
    pub fn statement_number(&self, file: usize, from: u32, to: u32) -> Option<usize> {
        let holding = |known: &Watched| known.file == file && known.piece.holds(from, to);
        let holding = (0..self.statements.len()).filter(|number| holding(&self.statements[*number]));
        holding.min_by_key(|number| {
            let piece = self.statements[*number].piece;
            piece.end - piece.start
        })
    }
}
