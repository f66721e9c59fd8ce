//! A process that was started: an ordinary one, or one in a sandbox.

use std::io;
use std::process::Child;
use std::process::ExitStatus;
use std::time::Duration;

use wait_timeout::ChildExt;

use super::group::end_group;
#[cfg(target_os = "linux")]
use super::linux::Started;
use super::sandbox::Usage;

/// A process.
#[derive(Debug)]
pub enum Process {
    /// In a group of its own, or in ours: `foreground`.
    Plain { child: Child, foreground: bool },
    /// In a sandbox.
    #[cfg(target_os = "linux")]
    Boxed(Started),
}

impl Process {
    /// Its number.
    pub fn id(&self) -> u32 {
        match self {
            Self::Plain { child, .. } => child.id(),
            #[cfg(target_os = "linux")]
            Self::Boxed(started) => started.id(),
        }
    }

    /// Waits at most this long; how it ended, if it has.
    pub fn wait_timeout(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        match self {
            Self::Plain { child, .. } => child.wait_timeout(limit),
            #[cfg(target_os = "linux")]
            Self::Boxed(started) => started.wait_timeout(limit),
        }
    }

    /// Ends it if it still runs, and what it started: what is in its group, or, from a sandbox, everything.
    pub fn end(&mut self) -> io::Result<()> {
        match self {
            Self::Plain { child, foreground: true } => {
                // It may have ended by itself; that is not an error.
                let _ = child.kill();
                child.wait().map(drop)
            }
            Self::Plain { child, foreground: false } => {
                end_group(child);
                child.wait().map(drop)
            }
            #[cfg(target_os = "linux")]
            Self::Boxed(started) => started.end().map(drop),
        }
    }

    /// What it and all that it started use now, where that is known.
    pub fn usage(&self) -> Option<Usage> {
        match self {
            Self::Plain { .. } => None,
            #[cfg(target_os = "linux")]
            Self::Boxed(started) => Some(started.usage()),
        }
    }

    /// The most memory that it had, in bytes, if it has ended and that is known.
    pub fn peak(&self) -> u64 {
        match self {
            Self::Plain { .. } => 0,
            #[cfg(target_os = "linux")]
            Self::Boxed(started) => started.peak,
        }
    }
}
