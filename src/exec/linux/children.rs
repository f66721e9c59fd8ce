//! Which process is a child of which.

use std::fs;

use rustix::process::Pid;

/// The children of a process, whichever of its threads made them.
pub fn children(parent: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{}/task", parent.as_raw_nonzero())) else { return vec![] };
    threads.flatten().flat_map(|thread| listed(&thread.path().join("children"))).collect()
}

/// Children of our first thread. Orphans that the kernel gives to us are among them.
pub fn adopted() -> Vec<Pid> {
    let id = std::process::id();
    listed(format!("/proc/self/task/{id}/children").as_ref())
}

/// Whether the kernel lists children.
pub fn are_listed() -> bool {
    fs::exists(format!("/proc/self/task/{}/children", std::process::id())).unwrap_or(false)
}

fn listed(path: &std::path::Path) -> Vec<Pid> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)).collect()
}
