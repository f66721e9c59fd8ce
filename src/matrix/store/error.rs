//! Why a store refused.

use std::io;
use std::path::PathBuf;

/// Why a store refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A new store never overwrites an old one.
    #[error("{path}: already exists; remove it or choose another name", path = path.display())]
    Exists { path: PathBuf },
    /// The file cannot be made or looked at.
    #[error("{path}: {source}; check path and permissions", path = path.display())]
    Access { path: PathBuf, source: io::Error },
    /// Some other file.
    #[error("{path}: not a kill matrix of wildcaught; name a file that a run wrote", path = path.display())]
    Foreign { path: PathBuf },
    /// Written by a later wildcaught.
    #[error(
        "{path}: has format {found}, but this version reads up to {known}; update wildcaught or run again",
        path = path.display()
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// Something in it is not what was written.
    #[error("{path}: cannot read {what}: the file is damaged; run again", path = path.display())]
    Damaged { path: PathBuf, what: String },
    /// An outcome without its mutant.
    #[error("{path}: there is no mutant {number}; put the mutants before their outcomes", path = path.display())]
    NoMutant { path: PathBuf, number: u32 },
    /// An outcome mentions a test that is not in the list.
    #[error(
        "{path}: mutant {number} names test {test}, but there are {tests}; store the tests of the same run",
        path = path.display()
    )]
    NoTest { path: PathBuf, number: usize, test: u32, tests: usize },
    /// Another process has it open.
    #[error("{path}: in use by another process; try again when it has ended", path = path.display())]
    InUse { path: PathBuf },
    /// SQLite said no.
    #[error(
        "{path}: {source}; check that the disk is not full, the file is writable and no other process locks it",
        path = path.display()
    )]
    Sql { path: PathBuf, source: rusqlite::Error },
}
