//! One process and its children.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use wait_timeout::ChildExt;

/// How much of what a program says is kept.
const KEPT: u64 = 64 * 1024;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long and was ended.
    TimedOut,
}

/// How a command ended and what it said, both streams in one.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ended: Ended,
    pub output: Vec<u8>,
}

/// Runs a command line with `sh -c` in a directory, with nothing to read. Arguments are `$1`, `$2`, ….
pub fn run(line: &str, arguments: &[&Path], directory: &Path, limit: Duration) -> io::Result<Outcome> {
    let mut said = tempfile::tempfile()?;
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(line)
        .arg("sh")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::from(said.try_clone()?))
        .stderr(Stdio::from(said.try_clone()?));
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let status = child.wait_timeout(limit)?;
    end_group(&child);
    let ended = match status {
        Some(status) => ended(status),
        None => {
            child.wait()?;
            Ended::TimedOut
        }
    };
    Ok(Outcome { ended, output: read_back(&mut said)? })
}

#[cfg(unix)]
fn ended(status: std::process::ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(code) => Ended::Code(code),
        None => Ended::Signal(status.signal().unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn ended(status: std::process::ExitStatus) -> Ended {
    Ended::Code(status.code().unwrap_or(-1))
}

/// Ends whatever is left of the group.
#[cfg(unix)]
fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Mostly there is nobody left; that is fine.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(_child: &Child) {}

fn read_back(said: &mut File) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    said.rewind()?;
    said.take(KEPT).read_to_end(&mut output)?;
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(line: &str, limit: u64) -> Outcome {
        run(line, &[Path::new("a b")], Path::new("/"), Duration::from_millis(limit)).unwrap()
    }

    #[test]
    fn a_command_says_how_it_ended() {
        let outcome = sh("echo \"$1\"; echo oops >&2; exit 3", 60_000);
        assert_eq!(outcome.ended, Ended::Code(3));
        assert_eq!(outcome.output, b"a b\noops\n");
        assert_eq!(sh("kill -9 $$", 60_000).ended, Ended::Signal(9));
    }

    #[test]
    fn what_does_not_end_is_ended_with_its_children() {
        let outcome = sh("sleep 1000 & echo $!; sleep 1000", 100);
        assert_eq!(outcome.ended, Ended::TimedOut);
        let child = String::from_utf8(outcome.output).unwrap();
        // A signal takes a moment to arrive, and a killed child may be a zombie until somebody collects it.
        let state = || std::fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        let gone = |state: &str| state.is_empty() || state.contains(") Z ");
        let ended = (0..1000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            gone(&state())
        });
        assert!(ended, "{}", state());
    }
}
