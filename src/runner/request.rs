//! Requests to a runner, and its answers.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use roaring::RoaringBitmap;
use thiserror::Error;

use crate::control::Progress;
use crate::control::Stopped;
use crate::exec::Verdict;

use super::split::Ending;

/// Gives lines in a text the numbers that they have in the original.
pub type OriginalLines = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// How to save work between runs without changing results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrift {
    /// Every run begins anew.
    None,
    /// Classes that are as new are used again.
    Classes,
    /// A process forks where combinations part; classes that are as new are used again.
    Forks,
}

/// Tests to run, and what is switched on meanwhile.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// `unit:mutant` pairs with commas between them; empty: the original.
    pub on: &'a str,
    /// Tests by their number, in the order in which they are wanted.
    pub tests: &'a [u32],
    /// How long each may take, by its number, besides `floor`.
    pub limits: &'a dyn Fn(u32) -> Duration,
    /// How long a process may take in any case.
    pub floor: Duration,
    /// How much of that may be work of its own: what waits may be late, what works is stuck sooner.
    pub work: Duration,
    /// Whether one test that notices something is enough.
    pub first_kill: bool,
    /// Whether to record which units are executed; then one test is run at a time.
    pub reach: bool,
    /// How work may be spared.
    pub thrift: Thrift,
    pub progress: &'a Progress,
}

impl Request<'_> {
    /// How long a test may take that is alone in its process.
    pub fn limit(&self, test: u32) -> Duration {
        self.floor + (self.limits)(test)
    }

    /// How much processor time a test may use that is alone in its process.
    pub fn work(&self, test: u32) -> Duration {
        self.work + (self.limits)(test)
    }

    /// Runs the tests in the order that is wanted, until one noticed something if that is enough.
    pub fn one_by_one(
        &self,
        mut run: impl FnMut(u32) -> Result<(Said, Option<RoaringBitmap>), RunError>,
    ) -> Result<Ran, RunError> {
        let mut ran = Ran::default();
        for &test in self.tests {
            let (said, reached) = run(test)?;
            let killed = said.verdict.is_kill();
            ran.said.push(said);
            ran.reached.extend(reached.map(|reached| (test, reached)));
            if killed && self.first_kill {
                break;
            }
        }
        Ok(ran)
    }
}

/// The result of one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub test: u32,
    pub verdict: Verdict,
    pub millis: f64,
    /// What it said when it failed.
    pub message: String,
    /// Whether it ran out of time by its own work, whatever else the machine did.
    pub busy: bool,
}

/// The result of a request.
#[derive(Clone, Debug, Default)]
pub struct Ran {
    pub said: Vec<Said>,
    /// Per test, the units that were passed, if requested.
    pub reached: Vec<(u32, RoaringBitmap)>,
    /// The longest that a process took besides its tests: to start, to find them, to report.
    pub overhead: Duration,
    /// What else the user should know about the run; empty if nothing.
    pub note: String,
}

impl Ran {
    /// Whether a test noticed something.
    pub fn is_killed(&self) -> bool {
        self.said.iter().any(|said| said.verdict.is_kill())
    }
}

/// Why a request failed.
#[derive(Debug, Error)]
pub enum RunError {
    #[error("cannot run {what}: {source}")]
    Io { what: String, source: io::Error },
    #[error("{0}")]
    Broken(String),
    /// A build that does not end in time.
    #[error("{0}")]
    Late(String),
    #[error("stopped")]
    Stopped,
}

impl From<Stopped> for RunError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl RunError {
    /// An error of the system about something.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |source| Self::Io { what, source }
    }
}

/// Runs tests.
pub trait Runner: Send {
    /// The names of the tests; a test's number is its place here.
    fn tests(&self) -> &[String];

    /// Warnings for the user about how tests are run.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// Runs tests.
    fn run(&mut self, request: &Request) -> Result<Ran, RunError>;

    /// What the unchanged program did, test by test, for tests that compare with it.
    fn expected(&self) -> Vec<Option<u64>> {
        vec![]
    }

    /// What to compare with from now on.
    fn expect(&mut self, _expected: &[Option<u64>]) {}

    /// How lines of the original are found in what a program prints that has others.
    fn restore_lines(&mut self, _lines: &OriginalLines) {}

    /// What a test says by how a fork of its process ended, where processes fork.
    fn judge(&mut self, _test: u32, _ending: &Ending) -> Option<Verdict> {
        None
    }

    /// Whether single tests can be chosen; else all run in any case.
    fn chooses(&self) -> bool {
        true
    }

    /// The programs that it starts, by their full paths, where they may be outside of its tree.
    fn programs(&self) -> Vec<PathBuf> {
        vec![]
    }

    /// The runs of the unchanged program are over: from now on, a tree is restored after every run.
    fn settle(&mut self) {}

    /// Begins anew: processes that stay between runs are ended, and the tree is restored.
    fn renew(&mut self) -> Result<(), RunError> {
        Ok(())
    }

    /// Whether several tests run in one process, where each finds what those before it left.
    fn shares_processes(&self) -> bool {
        false
    }
}
