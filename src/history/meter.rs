//! How far a reading is, for whoever watches; and whether it should stop.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

/// Shared between the threads that read and the one that shows progress.
#[derive(Debug, Default)]
pub struct Meter {
    total: AtomicU64,
    /// In 1/1024 of the unit of `total`, since a commit is read file by file.
    done: AtomicU64,
    stop: AtomicBool,
}

impl Meter {
    /// Announces more work, in commits or bytes.
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

    /// Asks the readers to stop at the next file.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether they were asked to.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
