//! What a localization lacks.

use std::path::PathBuf;

use super::gather::GatherEnd;

/// Something that is missing, so that the ranking may be worse than it could be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortcoming {
    /// Tests in the coverage that the matrix does not have.
    UnknownTests(Vec<String>),
    /// Tests without coverage: the mutants that they reach stand in for it.
    UncoveredTests(Vec<String>),
    /// Files of coverage under mutants, named after no mutant.
    UnknownMutants { directory: PathBuf, files: Vec<String> },
    /// Statements in no known function, when functions are ranked.
    OutsideFunctions(usize),
    /// Mutants that were run with failing tests, but not with all passing tests that reach them; whether they were run just
    /// now.
    PartialMutants { mutants: usize, here: bool },
    /// Mutants that hang in test after test.
    HangingMutants(usize),
    /// Mutants that were not run, of how many, and how that came about.
    UnrunMutants { unrun: usize, all: usize, end: Option<GatherEnd> },
    /// Failing tests execute no known statement.
    NothingExecuted,
    /// Faulty lines where nothing is ranked.
    MissingFaults(Vec<String>),
}
