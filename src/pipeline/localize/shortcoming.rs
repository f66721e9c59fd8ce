//! What a localization lacks.

use std::path::PathBuf;

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
    /// Mutants that were not run with all tests that reach them.
    PartialMutants(usize),
    /// Failing tests execute no known statement.
    NothingExecuted,
    /// Faulty lines where nothing is ranked.
    MissingFaults(Vec<String>),
}
