//! One process and its children.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::ExitStatus;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use wait_timeout::ChildExt;

use crate::control::Progress;

/// How much of what a program says is kept, unless told otherwise.
const KEPT: u64 = 64 * 1024;
/// How long a wish to stop, or too much work, may go unnoticed.
const NOTICE: Duration = Duration::from_millis(50);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long and was ended.
    TimedOut,
    /// The user wants to stop; it was ended.
    Stopped,
}

/// How a command ended and what it said, both streams in one.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub ended: Ended,
    pub output: Vec<u8>,
    pub took: Duration,
    /// Whether it took too long by its own work: other load is no excuse.
    pub busy: bool,
}

/// A command that is to be run.
pub struct Job<'a> {
    pub directory: &'a Path,
    pub limit: Duration,
    /// Set besides what there is.
    pub env: &'a [(String, String)],
    /// How many bytes of what it says are kept.
    pub keep: u64,
    /// Where it is asked whether the user wants to stop.
    pub progress: Option<&'a Progress>,
    /// How long it may say nothing.
    pub silence: Option<Duration>,
    /// How much processor time a thread of it may use without anything being said.
    pub work: Option<Duration>,
}

impl<'a> Job<'a> {
    /// A command that runs in a directory, no longer than it may.
    pub fn new(directory: &'a Path, limit: Duration) -> Self {
        Self { directory, limit, env: &[], keep: KEPT, progress: None, silence: None, work: None }
    }

    /// Runs a command line with `sh -c`, with nothing to read. Arguments are `$1`, `$2`, ….
    pub fn shell(&self, line: &str, arguments: &[&Path]) -> io::Result<Outcome> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).arg("sh").args(arguments);
        self.run(&mut command)
    }

    /// Runs a command line as [`Job::shell`] does, but in this program's process group, so that it can ask for a
    /// password at the terminal. Only the process itself is ended, not what it started.
    pub fn shell_in_foreground(&self, line: &str, arguments: &[&Path]) -> io::Result<Outcome> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).arg("sh").args(arguments);
        self.run_in_group(&mut command)
    }

    /// Runs a program.
    pub fn run(&self, command: &mut Command) -> io::Result<Outcome> {
        in_own_group(command);
        self.run_in_group(command)
    }

    fn run_in_group(&self, command: &mut Command) -> io::Result<Outcome> {
        let mut said = tempfile::tempfile()?;
        command
            .current_dir(self.directory)
            .envs(self.env.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::from(said.try_clone()?))
            .stderr(Stdio::from(said.try_clone()?));
        let begun = Instant::now();
        let mut child = command.spawn()?;
        let waited = self.wait(&mut child, begun, &said)?;
        end_group(&child);
        let (ended, busy) = match waited {
            Ok(status) => (ended(status), false),
            Err((ended, busy)) => {
                // In the foreground it has no group of its own that could be ended.
                let _ = child.kill();
                child.wait()?;
                (ended, busy)
            }
        };
        Ok(Outcome { ended, took: begun.elapsed(), output: read_back(&mut said, self.keep)?, busy })
    }

    /// How it ended by itself; or how it has to be ended, and whether its own work is the reason.
    fn wait(&self, child: &mut Child, begun: Instant, said: &File) -> io::Result<Waited> {
        let mut heard = (0, begun, Duration::ZERO);
        loop {
            let left = self.limit.saturating_sub(begun.elapsed());
            let watched = self.progress.is_some() || self.silence.is_some() || self.work.is_some();
            if let Some(status) = child.wait_timeout(if watched { left.min(NOTICE) } else { left })? {
                return Ok(Ok(status));
            }
            if self.progress.is_some_and(Progress::stopped) {
                return Ok(Err((Ended::Stopped, false)));
            }
            let worked = if self.work.is_some() { work_of(child) } else { Duration::ZERO };
            let length = if self.silence.is_some() { said.metadata()?.len() } else { 0 };
            if length != heard.0 {
                heard = (length, Instant::now(), worked);
            }
            let silent = self.silence.is_some_and(|most| heard.1.elapsed() >= most);
            let busy = self.work.is_some_and(|most| worked.saturating_sub(heard.2) >= most);
            if begun.elapsed() >= self.limit || silent || busy {
                return Ok(Err((Ended::TimedOut, busy)));
            }
        }
    }
}

type Waited = Result<ExitStatus, (Ended, bool)>;

/// The processor time that the busiest thread of a process has used, where the system tells. All threads
/// together may use more than the time that passes, which is what limits are made of; one cannot.
fn work_of(child: &Child) -> Duration {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", child.id())) else { return Duration::ZERO };
    let nanos = |thread: std::fs::DirEntry| -> Option<u64> {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(threads.flatten().filter_map(nanos).max().unwrap_or(0))
}

/// Puts a process into a group of its own, so that whatever it starts can be ended with it.
pub fn in_own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(unix)]
fn ended(status: ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match status.code() {
        Some(code) => Ended::Code(code),
        None => Ended::Signal(status.signal().unwrap_or(0)),
    }
}

#[cfg(not(unix))]
fn ended(status: ExitStatus) -> Ended {
    Ended::Code(status.code().unwrap_or(-1))
}

/// Ends whatever is left of a process's group.
#[cfg(unix)]
pub fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Mostly there is nobody left; that is fine.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
pub fn end_group(_child: &Child) {}

fn read_back(said: &mut File, keep: u64) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    said.rewind()?;
    said.take(keep).read_to_end(&mut output)?;
    Ok(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(line: &str, limit: u64) -> Outcome {
        Job::new(Path::new("/"), Duration::from_millis(limit)).shell(line, &[Path::new("a b")]).unwrap()
    }

    #[test]
    fn a_command_says_how_it_ended() {
        let outcome = sh("echo \"$1\"; echo oops >&2; exit 3", 60_000);
        assert_eq!(outcome.ended, Ended::Code(3));
        assert_eq!(outcome.output, b"a b\noops\n");
        assert_eq!(sh("kill -9 $$", 60_000).ended, Ended::Signal(9));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_works_too_much_is_ended_before_what_sleeps() {
        let work = Some(Duration::from_millis(200));
        let job = Job { work, ..Job::new(Path::new("/"), Duration::from_secs(60)) };
        let outcome = job.shell("while :; do :; done", &[]).unwrap();
        assert_eq!((outcome.ended, outcome.busy), (Ended::TimedOut, true));
        assert_eq!(job.shell("sleep 0.5", &[]).unwrap().ended, Ended::Code(0));
    }

    #[test]
    fn a_command_in_the_foreground_is_ended_too() {
        let job = Job::new(Path::new("/"), Duration::from_millis(100));
        let outcome = job.shell_in_foreground("exec sleep 1000", &[]).unwrap();
        assert_eq!(outcome.ended, Ended::TimedOut);
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
