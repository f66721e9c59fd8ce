//! Why a localization has no input, or no ranking.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use crate::analysis::localize::FaultsError;
use crate::analysis::localize::LocalizeError;
use crate::matrix::CoverageError;
use crate::matrix::MatrixReadError;

/// Why files do not give the input of a localization, and what to do about it.
#[derive(Debug, Error)]
pub enum InputError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Matrix(#[from] MatrixReadError),
    #[error(transparent)]
    Coverage(#[from] CoverageError),
    /// A list of failing tests names one that the matrix does not have.
    #[error("{}:{line}: {problem}", list.display())]
    FailingTest { list: PathBuf, line: usize, problem: LocalizeError },
    #[error(transparent)]
    Faults(#[from] FaultsError),
    /// The trees before and after the fix share no file that is ranked.
    #[error("{}: no file of the matrix exists both there and under {}; check --root", fixed.display(), root.display())]
    NothingToCompare { fixed: PathBuf, root: PathBuf },
    /// The fix changes no file that is ranked.
    #[error("{}: none of {compared} files differs from those under {}", fixed.display(), root.display())]
    NothingDiffers { fixed: PathBuf, root: PathBuf, compared: usize },
}

impl InputError {
    /// An error of the system about a path.
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Read { path, error }
    }
}

/// Why nothing was ranked, and what to do about it.
#[derive(Debug, Error)]
pub enum RankError {
    #[error(transparent)]
    Localize(#[from] LocalizeError),
    /// Functions should be ranked, and none is known.
    #[error("--by function: functions are unknown; give --root, or coverage that names functions")]
    NoFunctions,
}
