//! A process in a sandbox that was started and is to be waited for.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::Timespec;
use rustix::process::Pid;
use rustix::process::PidfdFlags;
use rustix::process::Signal;

use super::calls::wait_for;
use super::leftovers::end_all;
use super::tag::Tag;
use super::usage::Usage;
use super::usage::usage;

/// A process. When this is dropped, it ends, and so does everything that it started.
#[derive(Debug)]
pub struct Started {
    pid: Pid,
    /// Becomes readable when the process ends.
    end: OwnedFd,
    tag: Tag,
    status: Option<ExitStatus>,
    /// The most memory of the process that ended, in bytes.
    pub peak: u64,
}

impl Started {
    /// A child of ours with this tag.
    pub(super) fn new(pid: libc::pid_t, tag: Tag) -> io::Result<Self> {
        let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("no process has the number 0"))?;
        let end = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        Ok(Self { pid, end, tag, status: None, peak: 0 })
    }

    /// Waits at most this long; how it ended, if it has.
    pub fn wait_timeout(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            let limit = Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
            match rustix::event::poll(&mut [PollFd::new(&self.end, PollFlags::IN)], Some(&limit)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
                Ok(_) => self.reap()?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.status)
    }

    /// What it and all that it started use now.
    pub fn usage(&self) -> Usage {
        usage(self.pid, &self.tag)
    }

    /// Its number, while it is not reaped.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Ends it and all that it started; how it ended, if not by this.
    pub fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
            self.reap()?;
        }
        end_all(&self.tag);
        Ok(self.status)
    }

    /// Ends its group, before the reaping frees the number, and takes its status.
    fn reap(&mut self) -> io::Result<()> {
        // Usually the group is empty by now; that is not an error.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        if let Some((status, peak)) = wait_for(self.pid.as_raw_nonzero().get(), true)? {
            (self.status, self.peak) = (Some(ExitStatus::from_raw(status)), peak);
        }
        Ok(())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Nothing can be done here about a process that cannot be ended.
        let _ = self.end();
    }
}
