//! Why a directory of results cannot be used.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use super::super::StoreError;

/// Why a directory of results cannot be used, and what to do about it.
#[derive(Debug, Error)]
pub enum RunDirError {
    #[error("{}: {source}; check path and permissions, or choose another directory with --out", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{}: in use by another run{}; wait until it ends, or choose another directory with --out", path.display(), by(*process))]
    Busy { path: PathBuf, process: Option<u32> },
    #[error("{}: no results; run `wildcaught test` first", path.display())]
    Nothing { path: PathBuf },
    #[error(
        "--resume: the project, its settings or its tests have changed since the run in {}; run without --resume",
        path.display()
    )]
    Changed { path: PathBuf },
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn by(process: Option<u32>) -> String {
    process.map_or(String::new(), |process| format!(" (process {process})"))
}

impl RunDirError {
    /// An error of the system about a path.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
