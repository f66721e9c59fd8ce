//! Why inputs cannot be ranked.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use crate::matrix::CoverageError;
use crate::matrix::MatrixReadError;
use crate::matrix::PlainError;

use super::kind::DistanceKind;

/// Why inputs cannot be ranked, and what to do about it.
#[derive(Debug, Error)]
pub enum TameError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Matrix(#[from] MatrixReadError),
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    #[error(transparent)]
    Plain(#[from] PlainError),
    /// A distance that needs something else.
    #[error("--distance {} cannot be computed from {from}; use {possible}", distance.name())]
    Distance { distance: DistanceKind, from: &'static str, possible: &'static str },
    /// An input by a name that does not exist.
    #[error("unknown input `{name}`; known are {known}")]
    NoSuchInput { name: String, known: String },
    /// A directory of crashes in which there is none.
    #[error("{}: contains no input", path.display())]
    NoInput { path: PathBuf },
    #[error("--cmd {0}: write {{}} for the path of the input")]
    NoPlaceholder(String),
    #[error("give the command that runs the program: --cmd './prog {{}}'")]
    NoCommand,
    #[error("cannot link {} into a temporary directory: {error}", path.display())]
    Link { path: PathBuf, error: io::Error },
    #[error("cannot create a temporary directory: {0}")]
    Temporary(io::Error),
}

impl TameError {
    /// An error of the system about a path.
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Read { path, error }
    }
}
