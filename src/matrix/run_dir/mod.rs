//! The directory in which a run keeps its results: `wildcaught.out`.
//!
//! In: a path, the mutants of a run, a fingerprint of what is tested. Out: a store that holds what is still true
//! of the run before. While a run uses the directory, it is locked. A new store is made aside and renamed, so that
//! whoever is killed loses nothing. Only files that a run wrote are ever moved or removed.
//!
//! ```text
//! store.sqlite      the results
//! coverage.info     which tests execute which lines (localize, tame)
//! memory.json       what the results depend on, function by function
//! previous/         the same files of the run before
//! selected/         results of a run of single mutants (--id, --op) that belong to other code than store.sqlite
//! cache/            what can be built once
//! exports           which documents were written from the results, by numbers for their content
//! lock              who uses the directory
//! ```

mod error;
mod exports;
mod fingerprint;
mod known;
mod lock;
mod memory;
mod place;
mod swap;
#[cfg(test)]
mod tests;

pub use error::RunDirError;
pub use exports::note_export;
pub use fingerprint::fingerprint;
pub use fingerprint::project_files;
pub(super) use known::FINGERPRINT;
pub use memory::Memory;
pub use memory::ProjectChange;
pub use place::Begun;
pub use place::Earlier;
pub use place::RunDir;
