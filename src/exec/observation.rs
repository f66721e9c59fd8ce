//! What a process did.

use std::process::ExitStatus;
use std::time::Duration;

use super::quota::Exceeded;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long and was ended.
    TimedOut,
    /// It printed too much and was ended.
    Flooded,
    /// It used more than it may, and was ended.
    OverLimit(Exceeded),
    /// The work was cancelled; it was ended.
    Stopped,
}

impl Ended {
    /// Whether it was ended because it exceeded a limit of time or output.
    pub fn is_over_limit(self) -> bool {
        matches!(self, Self::TimedOut | Self::Flooded)
    }
}

#[cfg(unix)]
impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        match status.code() {
            Some(code) => Self::Code(code),
            None => Self::Signal(status.signal().unwrap_or(0)),
        }
    }
}

#[cfg(not(unix))]
impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Self {
        Self::Code(status.code().unwrap_or(-1))
    }
}

/// How a command ended and what it printed.
#[derive(Clone, Debug)]
pub struct Observation {
    pub ended: Ended,
    /// What it printed: standard output, or both streams where they were not kept apart.
    pub stdout: Vec<u8>,
    /// Standard error, where it was kept apart.
    pub stderr: Vec<u8>,
    /// Whether it printed more than was kept.
    pub cut: bool,
    pub took: Duration,
    /// Whether it exceeded a limit by its own work, whatever else the machine did.
    pub busy: bool,
}

impl Observation {
    /// Whether it ended by itself with exit code 0.
    pub fn is_success(&self) -> bool {
        self.ended == Ended::Code(0)
    }

    /// The limit that it exceeded, if that is why it was ended.
    pub fn exceeded(&self) -> Option<Exceeded> {
        match self.ended {
            Ended::OverLimit(exceeded) => Some(exceeded),
            _ => None,
        }
    }
}
