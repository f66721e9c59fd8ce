//! Runs a command and watches its limits.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;
use std::time::Instant;

use crate::control::Progress;

use super::observation::Ended;
use super::observation::Observation;
use super::output::Output;
use super::process::Process;
use super::spec::Spec;
use super::start::Life;
use super::start::nothing;

/// How often the limits are looked at.
const NOTICE: Duration = Duration::from_millis(50);

impl Spec<'_> {
    /// Runs the command to its end, or ends it.
    pub fn run(&self) -> io::Result<Observation> {
        let output = Output::new(self.streams, self.sandbox.temporary())?;
        let (out, err) = output.ends()?;
        let begun = Instant::now();
        let mut process = self.start([nothing()?, out, err], Life::OfThread)?;
        let watched = self.watch(&mut process, begun, &output);
        process.end()?;
        let took = begun.elapsed();
        self.sandbox.tidy(&process);
        let (ended, busy) = match watched? {
            Watched::Ended(status) => (status.into(), false),
            Watched::EndIt { why, busy } => (why, busy),
        };
        let (stdout, stderr, cut) = output.read(self.keep)?;
        Ok(Observation { ended, stdout, stderr, cut, took, busy })
    }

    /// Waits until it ends or must be ended.
    fn watch(&self, process: &mut Process, begun: Instant, output: &Output) -> io::Result<Watched> {
        let mut last = Print { length: 0, at: begun, worked: Duration::ZERO };
        loop {
            let left = self.time.saturating_sub(begun.elapsed());
            if let Some(status) = process.wait_timeout(left.min(NOTICE))? {
                return Ok(Watched::Ended(status));
            }
            if self.progress.is_some_and(Progress::stopped) {
                return Ok(Watched::EndIt { why: Ended::Stopped, busy: false });
            }
            let length = output.length()?;
            if length > self.most() {
                return Ok(Watched::EndIt { why: Ended::Flooded, busy: true });
            }
            if let Some(exceeded) = self.sandbox.exceeded(process) {
                return Ok(Watched::EndIt { why: Ended::OverLimit(exceeded), busy: true });
            }
            let worked = if self.work.is_some() { work_of(process) } else { Duration::ZERO };
            if self.silence.is_some() && length != last.length {
                last = Print { length, at: Instant::now(), worked };
            }
            let silent = self.silence.is_some_and(|most| last.at.elapsed() >= most);
            let busy = self.work.is_some_and(|most| worked.saturating_sub(last.worked) >= most);
            if begun.elapsed() >= self.time || silent || busy {
                return Ok(Watched::EndIt { why: Ended::TimedOut, busy });
            }
        }
    }
}

/// When a process last printed, how much it had printed then, and how much it had worked.
struct Print {
    length: u64,
    at: Instant,
    worked: Duration,
}

/// The result of watching a process.
enum Watched {
    /// It ended by itself.
    Ended(ExitStatus),
    /// It must be ended; `busy` if its own work is the reason.
    EndIt { why: Ended, busy: bool },
}

/// The processor time of a process's busiest thread; zero where the system does not say. All threads
/// together may use more than the wall time, from which limits are derived; one cannot.
fn work_of(process: &Process) -> Duration {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{}/task", process.id())) else {
        return Duration::ZERO;
    };
    let nanos = |thread: std::fs::DirEntry| -> Option<u64> {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(threads.flatten().filter_map(nanos).max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::spec::Streams;
    use super::*;

    fn sh(line: &str) -> Spec<'_> {
        Spec::shell(line, "/").time(Duration::from_secs(60))
    }

    #[test]
    fn a_command_says_how_it_ended() {
        let seen = sh("echo \"$1\"; echo oops >&2; exit 3").arg("a b").run().unwrap();
        assert_eq!((seen.ended, &seen.stdout[..]), (Ended::Code(3), &b"a b\noops\n"[..]));
        assert_eq!(sh("kill -9 $$").run().unwrap().ended, Ended::Signal(9));
    }

    #[test]
    fn streams_are_kept_apart_if_asked() {
        let seen = sh("echo out; echo oops >&2").streams(Streams::Apart).run().unwrap();
        assert_eq!((&seen.stdout[..], &seen.stderr[..]), (&b"out\n"[..], &b"oops\n"[..]));
    }

    #[test]
    fn the_environment_is_set_on_top_of_the_outer_one() {
        let seen = sh("echo $A $B; test -n \"$PATH\"").env("A", "1").envs(&[("B".into(), "2".into())]);
        let seen = seen.run().unwrap();
        assert_eq!((seen.is_success(), &seen.stdout[..]), (true, &b"1 2\n"[..]));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_command_that_works_too_much_is_ended_and_one_that_sleeps_is_not() {
        let work = Duration::from_millis(200);
        let seen = sh("while :; do :; done").work(work).run().unwrap();
        assert_eq!((seen.ended, seen.busy), (Ended::TimedOut, true));
        assert_eq!(sh("sleep 0.5").work(work).run().unwrap().ended, Ended::Code(0));
    }

    #[test]
    fn a_command_in_the_foreground_is_ended_too() {
        let short = Duration::from_millis(100);
        let seen = sh("exec sleep 1000").in_foreground(true).time(short).run().unwrap();
        assert_eq!(seen.ended, Ended::TimedOut);
    }

    #[test]
    fn a_silent_command_is_ended() {
        let seen = sh("echo a; sleep 1000").silence(Some(Duration::from_millis(200))).run().unwrap();
        assert_eq!((seen.ended, seen.busy), (Ended::TimedOut, false));
    }

    #[test]
    fn a_command_that_prints_too_much_is_ended() {
        let seen = sh("yes").keep(10).most_output(1 << 20).run().unwrap();
        assert_eq!((seen.ended, seen.cut, seen.stdout.len()), (Ended::Flooded, true, 10));
        let seen = sh("yes | head -c 5000").keep(10).run().unwrap();
        assert_eq!((seen.ended, seen.cut, seen.stdout.len()), (Ended::Code(0), true, 10));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_limits_files_and_memory() {
        let directory = tempfile::tempdir().unwrap();
        let line = "sleep 0.2; head -c 100000 /dev/zero > big";
        let seen = Spec::shell(line, directory.path()).file_size(1000).run().unwrap();
        assert!(!seen.is_success());
        assert_eq!(std::fs::metadata(directory.path().join("big")).unwrap().len(), 1000);
        let line = "sleep 0.2; dd if=/dev/zero of=/dev/null bs=200M count=1 2>&1";
        assert!(sh(line).run().unwrap().is_success());
        assert!(!sh(line).memory(100 << 20).run().unwrap().is_success());
    }

    #[test]
    fn the_children_of_a_command_end_with_it() {
        let seen = sh("sleep 1000 & echo $!; sleep 1000").time(Duration::from_millis(100)).run().unwrap();
        assert_eq!(seen.ended, Ended::TimedOut);
        let child = String::from_utf8(seen.stdout).unwrap();
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
