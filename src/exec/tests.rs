//! What a process in a sandbox cannot do. Where a kernel feature is missing, a test says so and is content.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use super::Containment;
use super::Ended;
use super::Exceeded;
use super::Resident;
use super::ResidentLine;
use super::Sandbox;
use super::SandboxMode;
use super::SandboxPolicy;
use super::SetLimits;
use super::Spec;
use super::Streams;
use crate::control::Progress;

/// A directory that may be written to, and a sandbox in which that is so.
struct Trial {
    home: tempfile::TempDir,
    outside: tempfile::TempDir,
    containment: Containment,
    sandbox: Sandbox,
}

fn trial_with(policy: &SandboxPolicy) -> Trial {
    let [home, outside] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    let containment = Containment::set_up(policy).unwrap();
    let sandbox = containment.tests(&[home.path().to_owned()]).unwrap();
    Trial { home, outside, containment, sandbox }
}

fn trial() -> Trial {
    trial_with(&SandboxPolicy::default())
}

impl Trial {
    fn sh<'s>(&self, line: &str) -> Spec<'s> {
        let spec = Spec::shell(line, self.home.path()).time(Duration::from_secs(60));
        spec.arg(self.outside.path()).sandboxed(&self.sandbox)
    }

    /// Whether tests are kept from something; says so if not.
    fn has(&self, protection: &str) -> bool {
        let there = self.containment.protection().in_force.iter().any(|from| from.contains(protection));
        if !there {
            let missing = &self.containment.protection().missing;
            let _ = writeln!(std::io::stderr(), "not tested: {missing:?}");
        }
        there
    }

    /// The processes whose numbers a run wrote into a file, as far as they still run.
    fn left(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.home.path().join(file)).unwrap();
        assert!(!text.trim().is_empty(), "nothing was started");
        let runs = |pid: &&str| Path::new("/proc").join(pid).exists();
        text.split_whitespace().filter(runs).map(str::to_owned).collect()
    }
}

/// Starts a process that leaves group, session, parent and environment; its number goes to `pids`.
const ESCAPE: &str =
    "(setsid env -i sh -c 'echo $$ >> pids; exec sleep 1000' &) ; while [ ! -s pids ]; do sleep 0.01; done";

#[test]
fn a_process_in_a_session_of_its_own_ends_with_the_run() {
    let trial = trial();
    if trial.has("outlive") {
        let seen = trial.sh(ESCAPE).run().unwrap();
        assert_eq!(seen.ended, Ended::Code(0), "{}", String::from_utf8_lossy(&seen.stdout));
        assert_eq!(trial.left("pids"), Vec::<String>::new());
    }
}

#[test]
fn daemons_that_fork_all_the_time_end_with_the_run() {
    let trial = trial();
    if trial.has("outlive") {
        // Bounded: 300 generations of a process that forks twice and ends.
        let daemon = "n=$1; echo $$ >> pids; [ $n -gt 300 ] || setsid sh daemon $((n + 1)) & exit 0";
        fs::write(trial.home.path().join("daemon"), daemon).unwrap();
        let seen = trial.sh("sh daemon 0; while [ ! -s pids ]; do sleep 0.01; done").run().unwrap();
        assert_eq!(seen.ended, Ended::Code(0));
        assert_eq!(trial.left("pids"), Vec::<String>::new());
    }
}

#[test]
fn runs_side_by_side_do_not_end_each_others_daemons() {
    let trial = trial();
    if trial.has("outlive") {
        let line = format!("{ESCAPE}; sleep 0.5; kill -0 $(cat pids)");
        std::thread::scope(|scope| {
            let long = scope.spawn(|| trial.sh(&line).run().unwrap());
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(400) {
                assert!(trial.sh("true").run().unwrap().is_success());
            }
            let seen = long.join().unwrap();
            // Signals reach it: it is under the same rules.
            assert!(seen.is_success(), "{}", String::from_utf8_lossy(&seen.stdout));
        });
        assert_eq!(trial.left("pids"), Vec::<String>::new());
    }
}

#[test]
fn what_a_resident_started_ends_with_it() {
    let trial = trial();
    if trial.has("outlive") {
        let line = format!("{ESCAPE}; echo ready; read x");
        let mut resident = Resident::start(&trial.sh(&line)).unwrap();
        let heard = resident.line(Duration::from_secs(60), &Progress::default());
        assert_eq!(heard, Ok(ResidentLine::Text(b"ready\n".to_vec())));
        drop(resident);
        assert_eq!(trial.left("pids"), Vec::<String>::new());
    }
}

#[test]
fn a_resident_outlives_the_thread_that_started_it() {
    let trial = trial();
    let mut resident = std::thread::scope(|scope| {
        scope.spawn(|| Resident::start(&trial.sh("read x; echo $x; read x")).unwrap()).join().unwrap()
    });
    std::thread::sleep(Duration::from_millis(50));
    assert!(resident.send("one\n"));
    let heard = resident.line(Duration::from_secs(60), &Progress::default());
    assert_eq!(heard, Ok(ResidentLine::Text(b"one\n".to_vec())));
}

#[test]
fn files_outside_are_neither_written_nor_removed() {
    let trial = trial();
    if trial.has("writing outside") {
        let kept = trial.outside.path().join("kept");
        fs::write(&kept, "as it was").unwrap();
        let line = "echo in > inside; echo t > $TMPDIR/t; echo n > /dev/null; \
                    echo o > \"$1\"/new; rm -f \"$1\"/kept; true > \"$1\"/kept; mv inside \"$1\"/moved; ln -s \"$1\" link; \
                    rm -rf link/kept; echo o > link/other; echo err > /dev/stderr; cat \"$1\"/kept";
        let seen = trial.sh(line).streams(Streams::Apart).run().unwrap();
        assert_eq!(String::from_utf8_lossy(&seen.stdout), "as it was");
        assert!(String::from_utf8_lossy(&seen.stderr).contains("err\n"));
        assert_eq!(fs::read_to_string(trial.home.path().join("inside")).unwrap(), "in\n");
        assert_eq!(fs::read_dir(trial.outside.path()).unwrap().count(), 1);
        let left = fs::read_dir(trial.sandbox.temporary().unwrap()).unwrap().count();
        assert_eq!(left, 0, "the temporary directory is not empty after the run");
    }
}

#[test]
fn directories_that_the_settings_allow_are_written() {
    let more = tempfile::tempdir().unwrap();
    let trial =
        trial_with(&SandboxPolicy { write: vec![more.path().to_owned()], ..SandboxPolicy::default() });
    let line = format!("echo x > {}/file", more.path().display());
    assert!(trial.sh(&line).run().unwrap().is_success());
}

#[test]
fn nobody_outside_can_be_killed() {
    let trial = trial();
    if trial.has("signals") {
        let seen = trial.sh("kill -9 $PPID; kill -0 $PPID || echo kept; kill -9 $$").run().unwrap();
        assert_eq!(seen.ended, Ended::Signal(9));
        assert!(String::from_utf8_lossy(&seen.stdout).contains("kept"));
    }
}

#[test]
fn a_memory_hog_is_ended_and_the_limit_named() {
    let memory = Some(100 << 20);
    let limits = SetLimits { memory, ..SetLimits::default() };
    let trial = trial_with(&SandboxPolicy { limits, ..SandboxPolicy::default() });
    if trial.has("memory") {
        let seen = trial.sh("x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 1000").run().unwrap();
        let Ended::OverLimit(why @ Exceeded::Memory(_)) = seen.ended else { panic!("{:?}", seen.ended) };
        assert!(why.message().contains("100 MiB of memory"), "{}", why.message());
        assert!(trial.sh("sleep 0.3").run().unwrap().is_success());
    }
}

#[test]
fn a_fork_bomb_is_ended_and_the_limit_named() {
    let limits = SetLimits { processes: Some(30), ..SetLimits::default() };
    let trial = trial_with(&SandboxPolicy { limits, ..SandboxPolicy::default() });
    if trial.has("processes") {
        // Bounded: 100 processes in sessions of their own.
        let line = "n=0; while [ $n -lt 100 ]; do setsid sleep 1000 & n=$((n + 1)); done; wait";
        let seen = trial.sh(line).run().unwrap();
        assert_eq!(seen.ended, Ended::OverLimit(Exceeded::Processes(30)));
    }
}

#[test]
fn a_large_file_is_not_written() {
    let limits = SetLimits { file_size: Some(1000), ..SetLimits::default() };
    let trial = trial_with(&SandboxPolicy { limits, ..SandboxPolicy::default() });
    if trial.has("files") {
        trial.sh("head -c 100000 /dev/zero > big; true").run().unwrap();
        assert_eq!(fs::metadata(trial.home.path().join("big")).unwrap().len(), 1000);
    }
}

#[test]
fn a_flood_of_either_stream_is_ended() {
    let trial = trial();
    for line in ["yes", "yes >&2"] {
        let seen = trial.sh(line).streams(Streams::Apart).keep(10).most_output(1 << 20).run().unwrap();
        assert_eq!((seen.ended, seen.cut), (Ended::Flooded, true), "{line}");
    }
}

#[test]
fn there_is_no_network_but_loopback() {
    let trial = trial();
    if trial.has("loopback") {
        let seen = trial.sh("cat /proc/net/route | tail -n +2; grep -c : /proc/net/dev").run().unwrap();
        assert_eq!(String::from_utf8_lossy(&seen.stdout), "1\n", "there are other devices or routes");
        let loopback =
            trial.sh("cat /proc/net/fib_trie 2>/dev/null | grep -c 127.0.0.1; id -u").run().unwrap();
        let said = String::from_utf8_lossy(&loopback.stdout).into_owned();
        let own = rustix::process::getuid().as_raw().to_string();
        assert_eq!(said.lines().last(), Some(&*own), "users keep their numbers");
        assert!(said.lines().next().is_some_and(|count| count != "0"), "loopback is down: {said}");
    }
    let open = trial_with(&SandboxPolicy { network: true, ..SandboxPolicy::default() });
    let own = fs::read_link("/proc/self/ns/net").unwrap();
    let seen = open.sh("readlink /proc/self/ns/net").run().unwrap();
    assert_eq!(String::from_utf8_lossy(&seen.stdout).trim(), own.display().to_string());
}

#[test]
fn a_program_is_found_and_started_as_without_a_sandbox() {
    let trial = trial();
    let home = trial.home.path();
    let start = |program: &str| Spec::program(program, home).sandboxed(&trial.sandbox).run();
    fs::write(home.join("script"), "echo \"$0 $X\"").unwrap();
    fs::set_permissions(home.join("script"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let missing = start("no-such-program-at-all").unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    let spec = Spec::program("./script", home).env("X", "a=b").sandboxed(&trial.sandbox);
    assert_eq!(String::from_utf8_lossy(&spec.run().unwrap().stdout), "./script a=b\n");
    let gone = Spec::program("true", PathBuf::from("/no/such/directory")).sandboxed(&trial.sandbox);
    assert_eq!(gone.run().unwrap_err().kind(), std::io::ErrorKind::NotFound);
    let seen = trial.sh("yes | head -n 1; kill -9 $$").run().unwrap();
    assert_eq!((seen.ended, &seen.stdout[..]), (Ended::Signal(9), &b"y\n"[..]));
}

#[test]
fn without_a_sandbox_nothing_is_restricted() {
    let trial = trial_with(&SandboxPolicy { mode: SandboxMode::Off, ..SandboxPolicy::default() });
    assert!(trial.sh("echo x > \"$1\"/file").run().unwrap().is_success());
    assert!(trial.containment.protection().line().starts_with("sandbox off"));
}

#[test]
fn what_is_missing_is_an_error_where_it_is_required() {
    let policy = SandboxPolicy { mode: SandboxMode::Require, ..SandboxPolicy::default() };
    let missing = trial().containment.protection().missing.clone();
    match Containment::set_up(&policy) {
        Ok(_) => assert!(missing.is_empty(), "{missing:?}"),
        Err(error) => assert!(error.to_string().contains(&missing[0]), "{error}"),
    }
}
