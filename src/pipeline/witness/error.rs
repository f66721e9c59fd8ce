//! Why there is no ranking.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::control::Stopped;
use crate::engine::TestError;
use crate::history::HistoryError;
use crate::matrix::ArcsError;
use crate::matrix::CoverageError;
use crate::runner::RunError;

/// Why a fault cannot be looked into, and what to do about it.
#[derive(Debug, Error)]
pub enum WitnessError {
    #[error("{what}: {source}")]
    Io { what: String, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{name} does not trigger a failure: {why}; name a program that fails")]
    Passes { name: String, why: &'static str },
    #[error("{name} cannot be judged: {why}")]
    Unjudged { name: String, why: String },
    #[error("{command}: not found or not executable (exit code {code}); paths start at {}", directory.display())]
    NoCommand { command: String, code: i32, directory: PathBuf },
    #[error("the run of the failing program wrote no coverage; {remedy}")]
    NoCoverage { remedy: &'static str },
    #[error("--coverage reach: {why}")]
    Watch { why: String },
    #[error("{}: has coverage counters, but no .gcno file; keep .gcno files where gcc wrote them", path.display())]
    NoNotes { path: PathBuf },
    #[error(
        "no executed code is below {}; with --sources, name the source directory of the compiler or interpreter \
         (for example, {example} was executed)",
        sources.display()
    )]
    NothingBelow { sources: PathBuf, example: String },
    #[error("--bisect {range}: no commits in between; the first must be older than the second")]
    EmptyRange { range: String },
    #[error(
        "--bisect {range}: {commit} should be good but is not ({why}); name an older revision that works"
    )]
    NotGood { commit: String, range: String, why: String },
    #[error("--bisect {range}: {commit} should be bad but is not ({why}); name a revision that fails")]
    NotBad { commit: String, range: String, why: String },
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error("{what} failed: {said}")]
    Tool { what: String, said: String },
    #[error(transparent)]
    Arcs(#[from] ArcsError),
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    #[error("stopped before the failing program ran")]
    Stopped,
}

impl From<TestError> for WitnessError {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Run(error) => error.into(),
            error => Self::Watch { why: error.to_string() },
        }
    }
}

impl From<RunError> for WitnessError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Stopped => Self::Stopped,
            error => Self::Watch { why: error.to_string() },
        }
    }
}

impl From<Stopped> for WitnessError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl WitnessError {
    /// An error of the system while something was done.
    pub(super) fn io(what: &str) -> impl FnOnce(io::Error) -> Self {
        let what = what.to_owned();
        move |source| Self::Io { what, source }
    }
}
