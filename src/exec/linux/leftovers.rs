//! Kills all processes that a run left behind.
//!
//! We are the subreaper of all that we start: a process whose parent ends becomes our child, also if it has a session
//! of its own. So whatever is left of a run is our child, or a descendant of one: ending and reaping our children with
//! the run's tag, until there is none, ends all of it, also what is being forked meanwhile.

use std::sync::Mutex;
use std::sync::OnceLock;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::WaitOptions;

use super::children::adopted;
use super::children::are_listed;
use super::tag::Owner;
use super::tag::Tag;

/// How long the kernel may take to end what was killed.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two looks at what is being ended.
const MOMENT: Duration = Duration::from_micros(200);

/// One at a time: nobody kills a process that another just reaped.
static SWEEPING: Mutex<()> = Mutex::new(());

/// Becomes the parent of orphans; whether that works, and the kernel lists them.
pub fn adopt_orphans() -> bool {
    static ADOPTS: OnceLock<bool> = OnceLock::new();
    let own = rustix::process::getpid();
    *ADOPTS.get_or_init(|| {
        rustix::process::set_child_subreaper(Some(own)).is_ok() && are_listed() && Tag::can_be_set()
    })
}

/// Ends and reaps all processes with this tag, and those of runs that have ended.
pub fn end_all(tag: &Tag) {
    let begun = Instant::now();
    while end_some(tag) && begun.elapsed() < PATIENCE {
        std::thread::sleep(MOMENT);
    }
}

/// Kills what is there; whether something was.
fn end_some(tag: &Tag) -> bool {
    let _alone = SWEEPING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let is_left = |pid: &Pid| matches!(tag.owner(*pid), Some(Owner::This | Owner::Ended));
    let left: Vec<Pid> = adopted().into_iter().filter(is_left).collect();
    for pid in &left {
        // It is our child until it is reaped here, so the number is still its own.
        let _ = rustix::process::kill_process(*pid, Signal::KILL);
        let _ = rustix::process::waitpid(Some(*pid), WaitOptions::NOHANG);
    }
    !left.is_empty()
}
