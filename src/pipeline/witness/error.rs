//! Why there is no ranking.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::control::Stopped;
use crate::matrix::ArcsError;
use crate::matrix::CoverageError;

/// Why a fault cannot be looked into, and what to do about it.
#[derive(Debug, Error)]
pub enum WitnessError {
    #[error("{what}: {source}")]
    Io { what: String, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{name} does not show a fault: {why}; give a program that fails")]
    Passes { name: String, why: &'static str },
    #[error("{name} cannot be judged: {why}")]
    Unjudged { name: String, why: String },
    #[error("{command}: not found or not executable (exit code {code}); paths start at {}", directory.display())]
    NoCommand { command: String, code: i32, directory: PathBuf },
    #[error(
        "no run left counters of gcc --coverage; build the program with `gcc --coverage` and keep its .gcno files where \
         they were made, or use --coverage llvm or --coverage-command"
    )]
    NoCounters,
    #[error("{}: there are counters of it, but no notes; keep .gcno files where gcc wrote them", path.display())]
    NoNotes { path: PathBuf },
    #[error(
        "nothing that was executed lies below {}; say with --sources where the sources of the broken program are (for \
         example, {example} was executed)",
        sources.display()
    )]
    NothingBelow { sources: PathBuf, example: String },
    #[error("{what} failed: {said}")]
    Tool { what: String, said: String },
    #[error(transparent)]
    Arcs(#[from] ArcsError),
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    #[error("stopped before the failing program was run")]
    Stopped,
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
