//! Stores put in the place of others: at every moment, a whole one is there.
//!
//! A store is moved only while it is one plain file ([`Store::seal`]): a log of SQLite left beside another store would
//! be taken for its own. Names and files are forced to the disk before the next step.

use std::fs;
use std::io;
use std::path::Path;

use crate::files::sync_directory;

use super::super::Store;
use super::super::StoreError;
use super::error::RunDirError;

/// The results of a run.
pub const STORE: &str = "store.sqlite";
/// A store that is being made.
pub const NEW: &str = "store.new.sqlite";
pub const COVERAGE: &str = "coverage.info";
/// What SQLite adds to a name while a store is written to.
const LOGS: [&str; 2] = ["-wal", "-shm"];

/// Puts the new store of a directory in the place of the one that is there.
pub fn put_new_in_place(directory: &Path) -> Result<(), RunDirError> {
    let (new, store) = (directory.join(NEW), directory.join(STORE));
    Store::seal(&new)?;
    seal_if_ours(&store)?;
    remove_logs(directory, STORE)?;
    fs::rename(&new, &store).map_err(RunDirError::io(&store))?;
    sync_directory(directory).map_err(RunDirError::io(directory))
}

/// Keeps the results that are there in another directory too, in place of those that are there.
pub fn keep_in(directory: &Path, previous: &Path) -> Result<(), RunDirError> {
    if !directory.join(STORE).exists() {
        return Ok(());
    }
    seal_if_ours(&directory.join(STORE))?;
    fs::create_dir_all(previous).map_err(RunDirError::io(previous))?;
    remove_logs(previous, STORE)?;
    for name in [STORE, COVERAGE] {
        let (from, to) = (directory.join(name), previous.join(name));
        remove_if_there(&to)?;
        if from.exists() {
            // Some file systems have no hard links.
            let kept = fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop));
            kept.map_err(RunDirError::io(&to))?;
        }
    }
    sync_directory(previous).map_err(RunDirError::io(previous))
}

/// Takes back what a run left halfway when it was killed.
pub fn recover(directory: &Path, previous: &Path) -> Result<(), RunDirError> {
    remove_new(directory)?;
    if !directory.join(STORE).exists() && previous.join(STORE).exists() {
        for name in [COVERAGE, "store.sqlite-shm", "store.sqlite-wal", STORE] {
            let (from, to) = (previous.join(name), directory.join(name));
            if from.exists() {
                fs::rename(&from, &to).map_err(RunDirError::io(&to))?;
            }
        }
    }
    Ok(())
}

/// Removes a store that was not finished.
pub fn remove_new(directory: &Path) -> Result<(), RunDirError> {
    remove_if_there(&directory.join(NEW))?;
    remove_logs(directory, NEW)
}

/// Removes a file, or a link and not where it leads.
pub fn remove_if_there(path: &Path) -> Result<(), RunDirError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(RunDirError::io(path)(error)),
        _ => Ok(()),
    }
}

fn remove_logs(directory: &Path, name: &str) -> Result<(), RunDirError> {
    LOGS.iter().try_for_each(|log| remove_if_there(&directory.join(format!("{name}{log}"))))
}

/// Seals a store. One that cannot be read has nothing to lose.
fn seal_if_ours(store: &Path) -> Result<(), RunDirError> {
    if !store.exists() {
        return Ok(());
    }
    match Store::seal(store) {
        Ok(()) | Err(StoreError::Foreign { .. } | StoreError::Newer { .. } | StoreError::Damaged { .. }) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
