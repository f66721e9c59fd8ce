//! Groups of processes: whatever a process starts ends with it.

use std::process::Child;
use std::process::Command;

/// Puts a process into a group of its own.
pub fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Ends whatever is left of a process's group.
#[cfg(unix)]
pub fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Usually the group is empty by now; that is not an error.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
pub fn end_group(_child: &Child) {}
