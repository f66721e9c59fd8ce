//! Why nothing can be ranked.

/// Why there is no ranking, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalizeError {
    /// Localization starts from a failure.
    #[error(
        "no test fails on the unchanged program, so there is no fault to locate; name failing tests with \
        --failing"
    )]
    NoFailingTest,
    /// A test was asked for that does not fail.
    #[error("test `{0}` does not fail on the unchanged program; name a failing test")]
    NotFailing(String),
    #[error("unknown test `{0}`; the matrix lists all tests")]
    NoSuchTest(String),
    /// A method with an unknown name.
    #[error("unknown method `{name}`; known are {known}")]
    NoSuchMethod { name: String, known: String },
    /// Coverage localization compares coverage with and without a mutant.
    #[error(
        "method `coverage` needs --mutant-coverage: the coverage of failing tests under the mutants that repair \
         them"
    )]
    NoMutantCoverage,
}
