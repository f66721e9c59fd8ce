//! Why nothing can be ranked.

/// Why nothing can be ranked, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LocalizeError {
    /// Localization starts from a failure.
    #[error("no test fails on the unchanged program; there is nothing to localize without a test that does")]
    NoFailingTest,
    /// A test was asked for that does not fail.
    #[error("test `{0}` does not fail on the unchanged program; name one that does")]
    NotFailing(String),
    #[error("no test is called `{0}`; the matrix lists the tests there are")]
    NoSuchTest(String),
    /// A method by a name that nobody knows.
    #[error("no method is called `{name}`; there are {known}")]
    NoSuchMethod { name: String, known: String },
    /// Coverage localization compares coverage with and without a mutant.
    #[error(
        "the method `coverage` needs the coverage of failing tests under the mutants that repair them, which is not there"
    )]
    NoMutantCoverage,
}
