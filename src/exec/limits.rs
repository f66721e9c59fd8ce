//! Limits that the system enforces.

use std::io;
use std::process::Child;

/// What the system does not let a process or its children exceed.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLimits {
    /// Bytes of address space, for each process.
    pub memory: Option<u64>,
    /// Bytes of each file.
    pub file_size: Option<u64>,
}

impl SystemLimits {
    /// Applies the limits to a process that was just started.
    ///
    /// From outside, so that processes can be started without a fork of ours, which is slow. A child that the
    /// process starts at once may escape them.
    #[cfg(target_os = "linux")]
    pub fn apply(&self, child: &Child) -> io::Result<()> {
        use rustix::process::Resource;
        use rustix::process::Rlimit;
        let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
        for (most, resource) in [(self.memory, Resource::As), (self.file_size, Resource::Fsize)] {
            if most.is_none() {
                continue;
            }
            match rustix::process::prlimit(pid, resource, Rlimit { current: most, maximum: most }) {
                // A process that has ended already needs no limits.
                Ok(_) | Err(rustix::io::Errno::SRCH) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Refuses limits where the system has no way to apply them.
    #[cfg(not(target_os = "linux"))]
    pub fn apply(&self, _child: &Child) -> io::Result<()> {
        if self.memory.is_some() || self.file_size.is_some() {
            return Err(io::Error::other("limits of memory and file size need Linux"));
        }
        Ok(())
    }
}
