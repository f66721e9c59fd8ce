//! CPU time and peak memory of this process and its children.

use std::process::Child;
use std::process::Command;
use std::process::Stdio;

use rustix::process::Pid;
use rustix::process::WaitId;
use rustix::process::WaitIdOptions;
use rustix::process::waitid;
use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// What some work cost.
pub struct Cost {
    /// Seconds on all threads and in all children.
    pub cpu: f64,
    /// Highest memory of this process so far.
    pub peak_megabytes: u64,
}

/// Runs the work and tells what it cost.
pub fn cost_of(work: &mut impl FnMut()) -> Cost {
    let before = own_seconds() + children_seconds();
    work();
    Cost { cpu: own_seconds() + children_seconds() - before, peak_megabytes: peak_kilobytes() / 1024 }
}

/// Runs a program of one thread, its output aside; CPU seconds, to the nanosecond where the system counts so.
pub fn seconds_of(command: &mut Command) -> f64 {
    let before = children_seconds();
    let mut child =
        command.stdout(Stdio::null()).spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let fine = schedule_seconds(&child);
    let status = child.wait().expect("it was started");
    assert!(status.success(), "{command:?}: {status}");
    fine.unwrap_or_else(|| children_seconds() - before)
}

/// From `/proc/PID/schedstat` of a child that has ended and was not waited for: its first number.
fn schedule_seconds(child: &Child) -> Option<f64> {
    let pid = Pid::from_raw(child.id().try_into().ok()?)?;
    waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn own_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// From `/proc/self/stat`: user and system time of children that were waited for, in 1/100 s.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<f64> = after_name.split_whitespace().map(|field| field.parse().unwrap_or(0.0)).collect();
    fields.get(13..15).map_or(0.0, |times| (times[0] + times[1]) / 100.0)
}

/// Highest memory of this process so far.
pub fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse().ok()).unwrap_or(0)
}
