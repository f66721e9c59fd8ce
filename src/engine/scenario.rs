//! The interface between planning and running: a [`Scenario`] goes in, a [`Run`] comes out.
//!
//! Callers know mutants and tests only by their numbers. How a mutant is activated (switched on
//! in a program that was built once, or edited into a copy that is built for it) is the engine's business.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use crate::insert::TextEdit;
use crate::runner::Ran;
use crate::runner::RunError;

/// A file inside of the tree, its text, and how that is changed.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedFile<'a> {
    pub path: PathBuf,
    pub original: &'a [u8],
    /// In order; they do not overlap.
    pub edits: Vec<TextEdit>,
}

/// How the program differs from the original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variant<'a> {
    Nothing,
    /// These mutants, all at the same time.
    Mutants(&'a [u32]),
    /// These edits, all at the same time.
    Edits(&'a [ChangedFile<'a>]),
}

/// When a run may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// When a test notices something.
    FirstKill,
    /// When all tests were run.
    All,
}

/// How long tests may take.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct TestLimits {
    /// How long each test may take, besides `floor`.
    pub tests: Vec<Duration>,
    /// How long a process may take in any case.
    pub floor: Duration,
    /// How much of that may be processor time of its own: what waits may be late, what works hangs sooner.
    pub work: Duration,
}

impl TestLimits {
    /// One limit for everything, as long as nothing is known of the tests.
    pub fn only(longest: Duration) -> Self {
        Self { tests: vec![], floor: longest, work: longest }
    }

    /// The limits for something that is slower by this factor.
    pub fn times(&self, factor: u32) -> Self {
        Self {
            tests: self.tests.iter().map(|limit| *limit * factor).collect(),
            floor: self.floor * factor,
            work: self.floor * factor,
        }
    }

    /// How long a test may take, besides the floor.
    pub fn test(&self, test: u32) -> Duration {
        self.tests.get(test as usize).copied().unwrap_or_default()
    }
}

/// What is to be run.
#[derive(Clone, Copy)]
pub struct Scenario<'a> {
    pub variant: Variant<'a>,
    /// Tests by their number, in the order in which they are wanted.
    pub tests: &'a [u32],
    pub limits: &'a TestLimits,
    pub until: Until,
    /// Whether to find out which units of the meta-program each test executes.
    pub reach: bool,
}

impl<'a> Scenario<'a> {
    /// All of these tests on the unchanged program.
    pub fn unchanged(tests: &'a [u32], limits: &'a TestLimits) -> Self {
        Self { variant: Variant::Nothing, tests, limits, until: Until::All, reach: false }
    }
}

/// The result of a scenario.
#[derive(Clone, Debug)]
pub enum Run {
    /// The program does not build; what the compiler said.
    Unviable(String),
    /// It builds, but tests cannot even be started; why. No test in particular noticed it.
    Unrunnable(String),
    /// What tests said.
    Tested(Ran),
}

/// Runs scenarios. An engine belongs to one worker; several work side by side.
pub trait Engine: Send {
    /// Runs a scenario. An error means that nothing is known about it.
    fn run(&mut self, scenario: &Scenario) -> Result<Run, RunError>;

    /// Whether single tests can be chosen; else all run in any case.
    fn chooses(&self) -> bool {
        true
    }

    /// Begins anew after a run that took the runner down: with new processes and a tree that is restored.
    fn renew(&mut self) -> Result<(), RunError> {
        Ok(())
    }

    /// Whether tests find in their process what the tests before them left.
    fn shares_processes(&self) -> bool {
        false
    }
}
