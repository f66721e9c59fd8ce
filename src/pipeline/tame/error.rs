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
    #[error("--distance {} cannot be had from {from}; take {possible}", distance.name())]
    Distance { distance: DistanceKind, from: &'static str, possible: &'static str },
    /// An input by a name that does not exist.
    #[error("no input is called `{name}`; there are {known}")]
    NoSuchInput { name: String, known: String },
    /// A directory of crashes in which there is none.
    #[error("{}: there is no input in it", path.display())]
    NoInput { path: PathBuf },
    #[error("--cmd {0}: write {{}} where the input's path stands")]
    NoPlaceholder(String),
    #[error("say how the program is run: --cmd './prog {{}}'")]
    NoCommand,
    #[error("cannot link {} into a directory of its own: {error}", path.display())]
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
