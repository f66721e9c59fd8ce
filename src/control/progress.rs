//! How much work there is, how much of it is done, and whether to stop.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use thiserror::Error;

/// The work was cancelled, usually with Ctrl-C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

/// Shared between the threads that work and the one that shows progress.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicU64,
    /// In 1/1024 of the unit of `total`, since a commit is read file by file.
    done: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// Announces more work.
    pub fn expect(&self, amount: u64) {
        self.total.fetch_add(amount, Ordering::Relaxed);
    }

    /// Notes work done, in 1/1024 of the announced unit.
    pub fn advance(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    /// Work announced.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Work done.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed) / 1024
    }

    /// Asks everybody who shares this to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// An error if the work was cancelled, for use with `?`.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.stopped() { Err(Stopped) } else { Ok(()) }
    }
}
