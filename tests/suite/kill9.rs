//! `kill -9` at random moments of a run, also while it starts and while it is resumed: the final export is that of a
//! run that nobody disturbed, byte for byte but for durations and numbers of threads, and nothing is left running or lying about once wildcaught was started again.
//!
//! Fifty moments in each of C, Rust and Java take a while:
//! `cargo test --test suite -- --ignored --nocapture --test-threads 1 kill9`

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;
use std::time::Instant;

use regex::Regex;

use super::targets::Project;

/// Kills of one run, at most; then it is resumed to its end.
const KILLS_OF_ONE_RUN: usize = 4;

/// What is done to a target.
struct Torture {
    target: &'static str,
    /// How many mutants are tested.
    most: &'static str,
    kills: usize,
    seed: u64,
}

/// What was seen.
#[derive(Debug, Default)]
struct Seen {
    first_runs: usize,
    resumed_runs: usize,
    /// Kills before the first outcome was stored.
    starts: usize,
    finished: usize,
    /// The most that a kill left, until wildcaught was started again.
    most_directories: usize,
    most_processes: usize,
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    /// Between 0 and 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// When to kill a run that would take this long: one in four while it starts.
    fn moment(&mut self, whole: Duration) -> Duration {
        let span = if self.roll() < 0.25 { Duration::from_millis(300).min(whole) } else { whole };
        span.mul_f64(self.roll())
    }
}

impl Torture {
    fn run(&self) {
        let Some(project) = Project::new(self.target) else { return };
        let begun = Instant::now();
        project.matrix("wildcaught.out.whole", &["--max", self.most, "--jobs", "2"]);
        let whole = begun.elapsed();
        let expected = export(&project, "wildcaught.out.whole");
        let (mut dice, mut seen, mut killed) = (Dice(self.seed), Seen::default(), Vec::new());
        while killed.len() < self.kills {
            self.one_run(&project, whole, &mut dice, &mut seen, &mut killed);
            seen.finished += 1;
            let found = export(&project, "wildcaught.out.killed");
            assert_eq!(first_difference(&found, &expected), None, "{}: {seen:?}", self.target);
            assert_eq!(left_running(&killed), Vec::<u32>::new(), "{}", self.target);
            assert_eq!(left_lying(&project, &killed), Vec::<PathBuf>::new(), "{}", self.target);
        }
        println!("{:<12} {:>3} kills, {whole:.1?} undisturbed, {seen:?}", self.target, killed.len());
    }

    /// Starts a run, kills it, resumes it, kills it again, and so on; in the end, lets it finish.
    fn one_run(
        &self,
        project: &Project,
        whole: Duration,
        dice: &mut Dice,
        seen: &mut Seen,
        killed: &mut Vec<u32>,
    ) {
        let out = "wildcaught.out.killed";
        let store = project.root().join(out);
        let _ = fs::remove_dir_all(&store);
        for time in 0..KILLS_OF_ONE_RUN {
            let resume: &[&str] = if time > 0 { &["--resume"] } else { &[] };
            let Some(process) = self.kill(project, out, resume, dice.moment(whole)) else { break };
            killed.push(process);
            *(if time > 0 { &mut seen.resumed_runs } else { &mut seen.first_runs }) += 1;
            seen.starts += usize::from(!store.join("store.sqlite").exists());
            seen.most_directories = seen.most_directories.max(left_lying(project, killed).len());
            seen.most_processes = seen.most_processes.max(left_running(killed).len());
        }
        project.matrix(out, &["--max", self.most, "--jobs", "2", "--resume"]);
    }

    /// Starts a run and kills it after a time; its process number, or none if it ended before.
    fn kill(&self, project: &Project, out: &str, more: &[&str], after: Duration) -> Option<u32> {
        let fixed = ["test", "--ops", "classic", "--matrix", "full", "--quiet", "--no-tce"];
        let mut command = project.command();
        command.args(fixed).args(["--out", out, "--max", self.most, "--jobs", "2"]).args(more);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(after);
        let ended = child.try_wait().unwrap().is_some();
        let _ = child.kill();
        child.wait().unwrap();
        (!ended).then(|| child.id())
    }
}

/// The matrix of a run as it is exported, without what differs between any two runs: durations, and the numbers of
/// threads that Rust's panics print into the logs of tests.
pub fn export(project: &Project, out: &str) -> String {
    let ran = project.run(&["export", "matrix.json", "--print", "--out", out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = Regex::new(r#""millis":[0-9.e+-]+"#).unwrap().replace_all(&ran.out, r#""millis":0"#);
    Regex::new(r"(thread '[^']*') \([0-9]+\) panicked")
        .unwrap()
        .replace_all(&text, "$1 panicked")
        .into_owned()
}

/// The first line of two exports that differs, with one mutant to a line.
pub fn first_difference(found: &str, expected: &str) -> Option<String> {
    let mut pairs = found.split("},{").zip(expected.split("},{"));
    let differing = pairs.find(|(found, expected)| found != expected);
    match differing {
        Some((found, expected)) => Some(format!("{found}\nshould be\n{expected}")),
        None => (found != expected).then(|| "one is longer".into()),
    }
}

/// Processes that one of these started, by the variable that they carry.
fn left_running(killed: &[u32]) -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_left = |number: &u32| {
        let environment = fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
        let text = String::from_utf8_lossy(&environment).into_owned();
        let tag = text.split('\0').find_map(|line| line.strip_prefix("WILDCAUGHT_RUN="));
        let owner = tag.and_then(|tag| tag.split('-').nth(1)?.parse().ok());
        owner.is_some_and(|owner| killed.contains(&owner))
    };
    numbers.filter(is_left).collect()
}

/// Temporary files of the project's runs, and those in memory of these processes.
fn left_lying(project: &Project, killed: &[u32]) -> Vec<PathBuf> {
    let named = |place: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("wildcaught-"));
        ours.map(|entry| entry.path()).collect()
    };
    let owner = |path: &PathBuf| {
        let text = fs::read_to_string(path.join("owner")).unwrap_or_default();
        text.split_whitespace().last().and_then(|word| word.parse::<u32>().ok())
    };
    let of_killed = |path: &PathBuf| owner(path).is_some_and(|owner| killed.contains(&owner));
    let in_memory = named(Path::new("/dev/shm")).into_iter().filter(of_killed);
    named(&project.scratch()).into_iter().chain(in_memory).collect()
}

#[test]
fn a_run_in_c_that_is_killed_and_resumed_ends_as_if_nothing_had_happened() {
    Torture { target: "c-command", most: "20", kills: 4, seed: 15 }.run();
}

#[test]
#[ignore = "takes minutes"]
fn fifty_kills_of_runs_in_c() {
    Torture { target: "c-cases", most: "60", kills: 50, seed: 1 }.run();
}

#[test]
#[ignore = "takes minutes"]
fn fifty_kills_of_runs_in_rust() {
    Torture { target: "rust-lib", most: "20", kills: 50, seed: 2 }.run();
}

#[test]
#[ignore = "takes minutes"]
fn fifty_kills_of_runs_in_java() {
    Torture { target: "java-junit", most: "6", kills: 50, seed: 3 }.run();
}
