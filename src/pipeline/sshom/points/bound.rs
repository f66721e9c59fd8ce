//! How far a search goes, and what is counted on the way.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use thiserror::Error;

use crate::control::Progress;
use crate::control::Stopped;
use crate::runner::RunError;

use super::super::budget::TimeLimit;

/// Why a run came to nothing.
#[derive(Debug, Error)]
pub enum PointStop {
    #[error("time ran out")]
    Time,
    #[error("there are too many leaves")]
    Leaves,
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<Stopped> for PointStop {
    /// A search that is cancelled keeps what was found, as if the time were up.
    fn from(_: Stopped) -> Self {
        Self::Time
    }
}

/// How far to go.
#[derive(Clone, Copy)]
pub struct SearchBound<'a> {
    /// Combinations of more mutants are not run.
    pub max_order: Option<usize>,
    /// Whether some were not run because of that.
    pub cut: &'a AtomicBool,
    /// The most leaves for one test as the first to kill. What has more is not looked at further.
    pub max_leaves: Option<u64>,
    pub time: TimeLimit,
    pub progress: &'a Progress,
    /// Shows how far the search is.
    pub tell: &'a (dyn Fn(String) + Sync),
    pub runs: &'a RunCounts,
}

/// Counts runs of tests.
#[derive(Debug, Default)]
pub struct RunCounts {
    all: AtomicU64,
    forks: AtomicU64,
}

impl RunCounts {
    /// How many there were.
    pub fn all(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// How many of them did not begin at the start of the test, but where they parted from another.
    pub fn forks(&self) -> u64 {
        self.forks.load(Ordering::Relaxed)
    }

    /// Adds runs, and how many of them were forks.
    pub(super) fn add(&self, all: u64, forks: u64) {
        self.all.fetch_add(all, Ordering::Relaxed);
        self.forks.fetch_add(forks, Ordering::Relaxed);
    }
}
