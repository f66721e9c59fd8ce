//! How much a run uses: memory and processes.

use std::fs;

use rustix::process::Pid;

use super::children::adopted;
use super::children::children;
use super::tag::Owner;
use super::tag::Tag;

/// What all processes of a run have at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Bytes of memory; what processes may share counts once.
    pub memory: u64,
    pub processes: u64,
}

/// What the processes of a run have now: its first process, the descendants, and orphans with its tag.
pub fn usage(first: Pid, tag: &Tag) -> Usage {
    let page = rustix::param::page_size() as u64;
    let orphans = adopted().into_iter().filter(|pid| tag.owner(*pid) == Some(Owner::This));
    let mut open: Vec<Pid> = orphans.filter(|pid| *pid != first).chain([first]).collect();
    let mut used = Usage::default();
    let mut shared = 0;
    while let Some(pid) = open.pop() {
        let Some((resident, common)) = pages(pid) else { continue };
        used.processes += 1;
        used.memory += resident.saturating_sub(common) * page;
        shared = shared.max(common * page);
        open.extend(children(pid));
    }
    used.memory += shared;
    used
}

/// Pages that a process has in memory, and how many of them others may have, too.
fn pages(pid: Pid) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    let mut numbers = text.split(' ').skip(1).map_while(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}
