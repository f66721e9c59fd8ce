//! Clones and updates: one at a time per copy, complete or not at all.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;

use git2::Oid;
use git2::Repository;

use crate::history::HistoryError;

use super::Received;
use super::Remote;
use super::command::Git;
use super::lock::Lock;

/// How to clone repositories.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cloning {
    /// Use the copies that are here, as they are.
    pub offline: bool,
    /// A user is at the terminal: git may ask for a password there.
    pub can_ask: bool,
}

impl Remote {
    /// Gives the path of an up-to-date bare copy inside `cache_dir`; clones it if it is not there yet.
    /// `progress` is called now and then, and ends the transfer by answering `Break`.
    pub fn fetch_into(
        &self,
        cache_dir: &Path,
        options: &Cloning,
        progress: &dyn Fn(Received) -> ControlFlow<()>,
    ) -> Result<PathBuf, HistoryError> {
        let place = self.place(cache_dir);
        if options.offline {
            return if place.is_dir() { Ok(place) } else { Err(self.not_here()) };
        }
        let fail = |error| HistoryError::Io { path: place.clone(), error };
        fs::create_dir_all(place.parent().unwrap_or(cache_dir)).map_err(fail)?;
        let lock = Lock::wait(&beside(&place, "lock"), &|| progress(Received::default())).map_err(fail)?;
        let Some(_held) = lock else { return Err(HistoryError::Stopped) };
        let git = Git { remote: self, can_ask: options.can_ask, progress };
        if place.is_dir() {
            update(&git, &place)?;
        } else {
            create(&git, &place)?;
        }
        Ok(place)
    }

    fn not_here(&self) -> HistoryError {
        HistoryError::Clone {
            url: self.shown().into(),
            reason: "not in the cache, and --offline forbids cloning it".into(),
            remedy: "run once without --offline".into(),
        }
    }
}

/// A hidden neighbour of the copy, for what is not a copy: `.name.git.lock`.
fn beside(place: &Path, what: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".");
    name.push(what);
    place.with_file_name(name)
}

/// Clones beside the place and moves the copy there once it is complete.
fn create(git: &Git, place: &Path) -> Result<(), HistoryError> {
    let fail = |error| HistoryError::Io { path: place.into(), error };
    let partial = beside(place, "partial");
    // A killed process may have left it; this one holds the lock, so that nobody works on it.
    remove(&partial).map_err(fail)?;
    let made = Repository::init_bare(&partial).map_err(|error| failed(&partial, &error));
    if let Err(error) = made.and_then(|repo| fetch(git, &repo)) {
        remove(&partial).map_err(fail)?;
        return Err(error);
    }
    fs::rename(&partial, place).map_err(fail)
}

fn update(git: &Git, place: &Path) -> Result<(), HistoryError> {
    let repo = Repository::open_bare(place).map_err(|error| HistoryError::Clone {
        url: git.remote.shown().into(),
        reason: format!("the copy {} is damaged: {}", place.display(), error.message()),
        remedy: "delete it; it will be cloned again".into(),
    })?;
    fetch(git, &repo)
}

fn fetch(git: &Git, repo: &Repository) -> Result<(), HistoryError> {
    let head = git.remote_head(repo.path())?;
    git.fetch(repo.path())?;
    follow_head(repo, &head).map_err(|error| failed(repo.path(), &error))
}

/// Points HEAD to where the remote's HEAD points: a branch, or a commit if it is on none.
fn follow_head(repo: &Repository, head: &str) -> Result<(), git2::Error> {
    let of_head = || head.lines().filter_map(|line| line.strip_suffix("\tHEAD"));
    if let Some(branch) = of_head().find_map(|target| target.strip_prefix("ref: ")) {
        return repo.set_head(branch);
    }
    match of_head().find_map(|target| Oid::from_str(target).ok()) {
        Some(commit) => repo.set_head_detached(commit),
        None => Ok(()), // an empty repository
    }
}

fn failed(path: &Path, error: &git2::Error) -> HistoryError {
    HistoryError::Git { path: path.into(), reason: error.message().into() }
}

fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
