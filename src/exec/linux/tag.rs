//! A mark on every process of a run, which its children inherit.
//!
//! The mark is the soft limit of file locks (`RLIMIT_LOCKS`). The kernel has not enforced that limit since 2.4, and
//! inherits it through `fork` and `exec`, also where a process leaves its session, its group or its environment.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use rustix::process::Pid;

use super::calls::lock_limits;

/// Tags of one process of ours: its id, then this many decimal digits. The guardian searches for them as text.
const PER_PROCESS: u64 = 10_000_000_000;

/// No number of a process is larger, on any kernel.
const MOST_PROCESSES: u64 = 1 << 22;

static NEXT: AtomicU64 = AtomicU64::new(0);
static LIVE: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

/// The tag of a run that is under way; its processes are nobody else's to end.
#[derive(Debug)]
pub struct Tag(u64);

/// To whom a process belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// To this run.
    This,
    /// To another run that is under way, or to ourselves.
    Other,
    /// To a run that has ended.
    Ended,
}

impl Tag {
    /// A new tag.
    pub fn new() -> Self {
        let tag = u64::from(std::process::id()) * PER_PROCESS + NEXT.fetch_add(1, Ordering::Relaxed);
        live().insert(tag);
        Self(tag)
    }

    /// Whether processes can be marked at all.
    pub fn can_be_set() -> bool {
        lock_limits(0).is_some_and(|(_, hard)| hard >= MOST_PROCESSES * PER_PROCESS)
    }

    /// The limit that marks a process.
    pub fn limit(&self) -> u64 {
        self.0
    }

    /// To whom a process belongs; nothing if it is gone.
    pub fn owner(&self, pid: Pid) -> Option<Owner> {
        let tag = lock_limits(pid.as_raw_nonzero().get())?.0;
        let own = lock_limits(0)?.0;
        Some(match tag {
            tag if tag == self.0 => Owner::This,
            tag if tag == own || live().contains(&tag) => Owner::Other,
            _ => Owner::Ended,
        })
    }
}

impl Drop for Tag {
    fn drop(&mut self) {
        live().remove(&self.0);
    }
}

fn live() -> std::sync::MutexGuard<'static, BTreeSet<u64>> {
    LIVE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
