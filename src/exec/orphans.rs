//! Processes that outlived the run that started them: it was killed.

use std::fs;
use std::path::Path;

use super::tag::ProcessIdentity;
use super::tag::TAG;

/// How often it is looked for more: a process may start another before it is ended.
const ROUNDS: usize = 10;

/// Ends the processes of runs that are dead, and those that run in these directories. Gives how many there were.
///
/// A process is known by the variable that everything started here has. What took it out of its environment is
/// found only if it runs in, or was started from, one of the directories.
#[cfg(target_os = "linux")]
pub fn end_orphans(abandoned: &[&Path]) -> usize {
    let ancestors = ancestors();
    let mut ended = 0;
    for _ in 0..ROUNDS {
        let orphans: Vec<u32> = processes()
            .filter(|number| !ancestors.contains(number))
            .filter(|number| is_orphan(*number, abandoned))
            .collect();
        let now = orphans.into_iter().filter(|number| end(*number, abandoned)).count();
        if now == 0 {
            break;
        }
        ended += now;
    }
    ended
}

/// Elsewhere, nothing is known about other processes.
#[cfg(not(target_os = "linux"))]
pub fn end_orphans(_abandoned: &[&Path]) -> usize {
    0
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// This process and those above it: they are never ended.
fn ancestors() -> Vec<u32> {
    let mut all = vec![std::process::id()];
    while let Some(parent) = all.last().and_then(|number| parent(*number)).filter(|parent| *parent > 0) {
        all.push(parent);
    }
    all
}

fn parent(number: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    text.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Whether a process belongs to a run that is dead. The environment of other users' processes cannot be read.
fn is_orphan(number: u32, abandoned: &[&Path]) -> bool {
    let Ok(environment) = fs::read(format!("/proc/{number}/environ")) else { return false };
    let value = environment
        .split(|byte| *byte == 0)
        .find_map(|variable| variable.strip_prefix(TAG.as_bytes())?.strip_prefix(b"="));
    let owner = value.and_then(|tag| ProcessIdentity::parse(std::str::from_utf8(tag).ok()?));
    owner.is_some_and(|owner| owner.is_dead()) || runs_in(number, abandoned)
}

fn runs_in(number: u32, directories: &[&Path]) -> bool {
    ["cwd", "exe"]
        .iter()
        .filter_map(|link| fs::read_link(format!("/proc/{number}/{link}")).ok())
        .any(|path| directories.iter().any(|directory| path.starts_with(directory)))
}

/// Ends a process; whether it was still there. By a handle, so that another that gets its number is safe.
#[cfg(target_os = "linux")]
fn end(number: u32, abandoned: &[&Path]) -> bool {
    use rustix::process::PidfdFlags;
    use rustix::process::Signal;
    let Some(pid) = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    let Ok(handle) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) else { return false };
    // Asked again: the number may have gone to another process before there was a handle.
    is_orphan(number, abandoned) && rustix::process::pidfd_send_signal(handle, Signal::KILL).is_ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use super::super::Spec;
    use super::*;

    #[test]
    fn processes_of_dead_runs_are_ended_and_those_of_living_ones_are_not() {
        let own = ProcessIdentity::own().unwrap();
        // The start time of the first process is not ours.
        let dead = own.tag().rsplit_once('-').map(|(rest, _)| format!("{rest}-0")).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let start =
            |spec: Spec<'static>| std::thread::spawn(move || spec.time(Duration::from_secs(60)).run());
        let tagged = start(Spec::shell("sleep 1000", "/").env(TAG, dead));
        let inside = start(Spec::shell("env -i sleep 1000", directory.path()));
        let living = start(Spec::shell("sleep 2; echo fine", "/"));
        let swept = || end_orphans(&[&directory.path().canonicalize().unwrap()]);
        while !(tagged.is_finished() && inside.is_finished()) {
            swept();
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(living.join().unwrap().unwrap().stdout, b"fine\n");
    }
}
