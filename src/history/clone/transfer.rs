//! Clones and updates through libgit2.

use std::cell::Cell;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;

use git2::FetchOptions;
use git2::FetchPrune;
use git2::ProxyOptions;
use git2::RemoteCallbacks;
use git2::Repository;

use crate::history::HistoryError;

use super::Remote;
use super::access::Access;
use super::failure::explain;
use super::lock::Lock;

/// How to bring repositories here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cloning {
    /// Use the copies that are here, as they are.
    pub offline: bool,
}

/// How far a transfer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    pub objects: usize,
    /// 0 as long as the server did not say.
    pub total_objects: usize,
    pub bytes: usize,
}

/// How long a server may be silent; its progress messages count as talk.
const PATIENCE_MS: i32 = 120_000;
const CONNECT_MS: i32 = 30_000;

/// All branches, under their own names.
const BRANCHES: &str = "+refs/heads/*:refs/heads/*";

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
        let transfer = Transfer { remote: self, progress, stopped: Cell::new(false) };
        if place.is_dir() {
            transfer.update(&place)?;
        } else {
            transfer.create(&place)?;
        }
        Ok(place)
    }

    fn not_here(&self) -> HistoryError {
        HistoryError::Clone {
            url: self.shown().into(),
            reason: "not here yet, and --offline forbids cloning it".into(),
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

struct Transfer<'a> {
    remote: &'a Remote,
    progress: &'a dyn Fn(Received) -> ControlFlow<()>,
    stopped: Cell<bool>,
}

impl Transfer<'_> {
    /// Clones beside the place and moves the copy there once it is complete.
    fn create(&self, place: &Path) -> Result<(), HistoryError> {
        let fail = |error| HistoryError::Io { path: place.into(), error };
        let partial = beside(place, "partial");
        // What a killed process left; this one holds the lock, so nobody works on it.
        remove(&partial).map_err(fail)?;
        let fetched = Repository::init_bare(&partial).and_then(|repo| self.fetch(&repo));
        if let Err(error) = fetched {
            remove(&partial).map_err(fail)?;
            return Err(self.explain(&error));
        }
        fs::rename(&partial, place).map_err(fail)
    }

    fn update(&self, place: &Path) -> Result<(), HistoryError> {
        let repo = Repository::open_bare(place).map_err(|error| HistoryError::Clone {
            url: self.remote.shown().into(),
            reason: format!("the copy {} is damaged: {}", place.display(), error.message()),
            remedy: "delete it; it will be cloned again".into(),
        })?;
        self.fetch(&repo).map_err(|error| self.explain(&error))
    }

    fn explain(&self, error: &git2::Error) -> HistoryError {
        if self.stopped.get() { HistoryError::Stopped } else { explain(self.remote, error) }
    }

    fn fetch(&self, repo: &Repository) -> Result<(), git2::Error> {
        // SAFETY: sets globals of libgit2 to the same values every time; no other code sets them.
        unsafe {
            git2::opts::set_server_connect_timeout_in_milliseconds(CONNECT_MS)?;
            git2::opts::set_server_timeout_in_milliseconds(PATIENCE_MS)?;
        }
        // Without a name, since a named remote's address, and a password in it, would be written down.
        let mut remote = repo.remote_anonymous(self.remote.url())?;
        let mut proxy = ProxyOptions::new();
        proxy.auto();
        let mut options = FetchOptions::new();
        options.prune(FetchPrune::On).proxy_options(proxy).remote_callbacks(self.callbacks());
        remote.fetch(&[BRANCHES], Some(&mut options), None)?;
        follow_head(repo, &remote)
    }

    fn callbacks(&self) -> RemoteCallbacks<'_> {
        let mut access = Access::default();
        let mut callbacks = RemoteCallbacks::new();
        callbacks
            .credentials(move |url, user, allowed| access.answer(url, user, allowed))
            .sideband_progress(|_| self.goes_on(Received::default()))
            .transfer_progress(|stats| {
                self.goes_on(Received {
                    objects: stats.received_objects(),
                    total_objects: stats.total_objects(),
                    bytes: stats.received_bytes(),
                })
            });
        callbacks
    }

    fn goes_on(&self, received: Received) -> bool {
        let flow = (self.progress)(received);
        self.stopped.set(self.stopped.get() || flow.is_break());
        flow.is_continue()
    }
}

/// Points HEAD to where the remote's HEAD points: a branch, or a commit if it is on none.
fn follow_head(repo: &Repository, remote: &git2::Remote) -> Result<(), git2::Error> {
    let branch = remote.default_branch().ok();
    if let Some(name) = branch.as_ref().and_then(|name| name.as_str().ok()) {
        return repo.set_head(name);
    }
    // If there is a HEAD, it is the first.
    match remote.list()?.first().filter(|head| head.name() == "HEAD") {
        Some(head) => repo.set_head_detached(head.oid()),
        None => Ok(()), // empty: there is nothing to point to
    }
}

fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
