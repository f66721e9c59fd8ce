//! Why a store refused.

use std::io;
use std::path::PathBuf;

/// Why a store refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A new store never overwrites an old one.
    #[error("{path}: is there already; remove it or choose another name", path = path.display())]
    Exists { path: PathBuf },
    /// The file cannot be made or looked at.
    #[error("{path}: {source}; check the name and who may write there", path = path.display())]
    Access { path: PathBuf, source: io::Error },
    /// Some other file.
    #[error("{path}: not a kill matrix of wildcaught; name the file that a run wrote", path = path.display())]
    Foreign { path: PathBuf },
    /// Written by a later wildcaught.
    #[error(
        "{path}: format {found}, but this wildcaught reads up to {known}; update wildcaught or run again",
        path = path.display()
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// Something in it is not what was written.
    #[error("{path}: {what} cannot be read; the file is damaged, run again", path = path.display())]
    Damaged { path: PathBuf, what: String },
    /// An outcome without its mutant.
    #[error("{path}: there is no mutant {number}; put the mutants before their outcomes", path = path.display())]
    NoMutant { path: PathBuf, number: u32 },
    /// An outcome speaks of a test that is not in the list.
    #[error(
        "{path}: mutant {number} speaks of test {test}, but there are {tests}; put the tests of the same run",
        path = path.display()
    )]
    NoTest { path: PathBuf, number: usize, test: u32, tests: usize },
    /// Another process has it open.
    #[error("{path}: another process reads it; try again when it is done", path = path.display())]
    InUse { path: PathBuf },
    /// SQLite said no.
    #[error(
        "{path}: {source}; see that the disk is not full, the file may be written and nobody else holds it",
        path = path.display()
    )]
    Sql { path: PathBuf, source: rusqlite::Error },
}
