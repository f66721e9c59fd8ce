//! How much a run may use, relative to what the unchanged program used.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use super::sandbox::Usage;

/// Memory that every run may use, in bytes.
const LEAST_MEMORY: u64 = 2 << 30;
/// Processes that every run may have at a time.
const LEAST_PROCESSES: u64 = 256;
/// How many times as much as the unchanged program a mutant may use.
const FACTOR: u64 = 4;
/// The largest file that a run may write, in bytes.
const LARGEST_FILE: u64 = 4 << 30;

/// Limits that are set; the others follow from the unchanged program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetLimits {
    /// Bytes of memory of all processes of a run.
    pub memory: Option<u64>,
    /// Processes of a run at a time.
    pub processes: Option<u64>,
    /// Bytes of each file that a run writes.
    pub file_size: Option<u64>,
}

/// Limits of runs, and what the unchanged program used.
#[derive(Debug)]
pub struct Quota {
    set: SetLimits,
    /// Whether limits that are not set are in force.
    settled: AtomicBool,
    memory: AtomicU64,
    processes: AtomicU64,
}

/// A limit that a run exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    /// It had more than this many bytes of memory.
    Memory(u64),
    /// It had more than this many processes.
    Processes(u64),
}

impl Quota {
    /// Limits of which some may be set.
    pub fn new(set: SetLimits) -> Self {
        Self { set, settled: AtomicBool::new(false), memory: 0.into(), processes: 0.into() }
    }

    /// Notes what a run used. Until [`Quota::settle`], that is the unchanged program.
    pub fn note(&self, used: Usage) {
        if !self.settled.load(Ordering::Relaxed) {
            self.memory.fetch_max(used.memory, Ordering::Relaxed);
            self.processes.fetch_max(used.processes, Ordering::Relaxed);
        }
    }

    /// Puts the limits into force that follow from what was noted.
    pub fn settle(&self) {
        self.settled.store(true, Ordering::Relaxed);
    }

    /// Which limit a run exceeds.
    pub fn exceeded(&self, used: Usage) -> Option<Exceeded> {
        let (memory, processes) = (self.memory(), self.processes());
        if used.memory > memory {
            return Some(Exceeded::Memory(memory));
        }
        (used.processes > processes).then_some(Exceeded::Processes(processes))
    }

    /// The most bytes of memory of a run.
    pub fn memory(&self) -> u64 {
        self.limit(self.set.memory, &self.memory, LEAST_MEMORY)
    }

    /// The most processes of a run at a time.
    pub fn processes(&self) -> u64 {
        self.limit(self.set.processes, &self.processes, LEAST_PROCESSES)
    }

    /// The most bytes of a file.
    pub fn file_size(&self) -> u64 {
        self.set.file_size.unwrap_or(LARGEST_FILE)
    }

    fn limit(&self, set: Option<u64>, noted: &AtomicU64, least: u64) -> u64 {
        match set {
            Some(set) => set,
            None if self.settled.load(Ordering::Relaxed) => {
                least.max(noted.load(Ordering::Relaxed).saturating_mul(FACTOR))
            }
            None => u64::MAX,
        }
    }
}

impl Exceeded {
    /// What happened, and which setting it is.
    pub fn message(self) -> String {
        match self {
            Self::Memory(most) => {
                let most = most >> 20;
                format!("stopped: used more than {most} MiB of memory (see memory in [limits])")
            }
            Self::Processes(most) => {
                format!("stopped: had more than {most} processes (see processes in [limits])")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_from_the_unchanged_program_unless_they_are_set() {
        let quota = Quota::new(SetLimits { processes: Some(7), ..SetLimits::default() });
        quota.note(Usage { memory: 1 << 30, processes: 3 });
        assert_eq!(quota.exceeded(Usage { memory: 1 << 50, processes: 7 }), None);
        quota.settle();
        quota.note(Usage { memory: 1 << 40, processes: 300 });
        assert_eq!(quota.exceeded(Usage { memory: 4 << 30, processes: 7 }), None);
        assert_eq!(
            quota.exceeded(Usage { memory: (4 << 30) + 1, processes: 1 }),
            Some(Exceeded::Memory(4 << 30))
        );
        assert_eq!(quota.exceeded(Usage { memory: 1, processes: 8 }), Some(Exceeded::Processes(7)));
        let small = Quota::new(SetLimits::default());
        small.settle();
        assert_eq!((small.memory(), small.processes()), (LEAST_MEMORY, LEAST_PROCESSES));
    }
}
