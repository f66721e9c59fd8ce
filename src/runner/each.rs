//! One process per test.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use roaring::RoaringBitmap;
use xxhash_rust::xxh3::xxh3_64;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Spec;
use crate::exec::Verdict;

use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;

/// How much output a golden file may have.
const MOST_OUTPUT: u64 = 64 << 20;

/// How a test is started.
#[derive(Clone, Debug)]
pub enum Call {
    /// A line for the shell.
    Line(String),
    /// A program and its arguments.
    Program(Vec<String>),
}

/// How it is told whether a run is right.
#[derive(Clone, Debug)]
pub enum Oracle {
    /// By the exit code; `fails` turns it round.
    Exit { fails: bool },
    /// By signals and by what sanitizers print.
    Crash,
    /// By the exit code and what the unchanged program prints.
    Original,
    /// By what a file says must be printed.
    Golden(PathBuf),
    /// By a command that is given the output; `{output}` is its file.
    Script(String),
}

/// A test: how it is started, where, and how it is judged.
#[derive(Clone, Debug)]
pub struct Single {
    pub call: Call,
    pub directory: PathBuf,
    pub env: Vec<(String, String)>,
    pub oracle: Oracle,
}

/// Runs tests one by one.
pub struct Each {
    names: Vec<String>,
    singles: Vec<Single>,
    env: Vec<(String, String)>,
    /// What the unchanged program did, once it was seen.
    originals: Vec<Option<u64>>,
    /// A file of one byte per unit.
    reach: PathBuf,
    units: usize,
}

impl Each {
    /// A runner; `scratch` is a directory for its files.
    pub fn new(tests: Vec<(String, Single)>, env: Vec<(String, String)>, scratch: &Path, units: u32) -> Self {
        let (names, singles): (Vec<String>, Vec<Single>) = tests.into_iter().unzip();
        let originals = vec![None; names.len()];
        Self { names, singles, env, originals, reach: scratch.join("reach"), units: units as usize }
    }

    fn one(&mut self, test: u32, request: &Request) -> Result<(Said, Option<RoaringBitmap>), RunError> {
        let single = &self.singles[test as usize];
        let mut env = self.env.clone();
        env.extend(single.env.iter().cloned());
        env.push(("WILDCAUGHT_ON".into(), request.on.to_owned()));
        if request.reach {
            reach_file(&self.reach, self.units)?;
            env.push(("WILDCAUGHT_REACH".into(), self.reach.display().to_string()));
        }
        let what = &self.names[test as usize];
        let outcome =
            start(&single.call, &single.directory, test, &env, request).map_err(RunError::io(what))?;
        if outcome.ended == Ended::Stopped {
            return Err(RunError::Stopped);
        }
        let reached = if request.reach { Some(read_reach(&self.reach)?) } else { None };
        let verdict = self.judge(test, &outcome)?;
        let message = if verdict.is_kill() { tail(&outcome.stdout) } else { String::new() };
        let millis = outcome.took.as_secs_f64() * 1e3;
        Ok((Said { test, verdict, millis, message, busy: outcome.busy }, reached))
    }

    fn judge(&mut self, test: u32, outcome: &Observation) -> Result<Verdict, RunError> {
        let single = &self.singles[test as usize];
        let by_exit = match outcome.ended {
            Ended::Code(0) => Verdict::Pass,
            Ended::Code(_) => Verdict::Fail,
            Ended::Signal(_) | Ended::Stopped => Verdict::Crash,
            Ended::TimedOut | Ended::Flooded => return Ok(Verdict::TimeOut),
        };
        Ok(match &single.oracle {
            Oracle::Exit { fails: false } => by_exit,
            Oracle::Exit { fails: true } => match by_exit {
                Verdict::Pass => Verdict::Fail,
                Verdict::Fail => Verdict::Pass,
                other => other,
            },
            Oracle::Crash if by_exit == Verdict::Crash || is_crash(outcome) => Verdict::Crash,
            Oracle::Crash => Verdict::Pass,
            Oracle::Original => {
                let ended = format!("{:?}\n", outcome.ended);
                let now = xxh3_64(&[ended.as_bytes(), &outcome.stdout].concat());
                match *self.originals[test as usize].get_or_insert(now) == now {
                    true => Verdict::Pass,
                    false if by_exit == Verdict::Crash => Verdict::Crash,
                    false => Verdict::Fail,
                }
            }
            Oracle::Golden(path) => {
                let wanted = fs::read(path).map_err(RunError::io(path.display().to_string()))?;
                if by_exit != Verdict::Crash && wanted == outcome.stdout {
                    Verdict::Pass
                } else {
                    by_exit.max(Verdict::Fail)
                }
            }
            Oracle::Script(line) => {
                let output = self.reach.with_file_name("output");
                fs::write(&output, &outcome.stdout).map_err(RunError::io("the oracle"))?;
                let line = line.replace("{output}", "\"$1\"");
                let spec = Spec::shell(&line, &single.directory).arg(output).envs(&self.env);
                let said = spec.time(Duration::from_secs(60)).run().map_err(RunError::io("the oracle"))?;
                if said.is_success() { Verdict::Pass } else { by_exit.max(Verdict::Fail) }
            }
        })
    }
}

/// Whether a shell says that a signal ended a program, or a sanitizer complains.
fn is_crash(outcome: &Observation) -> bool {
    const MARKS: [&str; 5] = [
        "ERROR: AddressSanitizer",
        "ERROR: LeakSanitizer",
        "WARNING: MemorySanitizer",
        "WARNING: ThreadSanitizer",
        ": runtime error: ",
    ];
    let by_signal = matches!(outcome.ended, Ended::Code(129..=159));
    by_signal || MARKS.iter().any(|mark| memchr::memmem::find(&outcome.stdout, mark.as_bytes()).is_some())
}

/// The end of what a failed test said.
pub fn tail(output: &[u8]) -> String {
    const KEPT: usize = 2000;
    String::from_utf8_lossy(&output[output.len().saturating_sub(KEPT)..]).into_owned()
}

/// Makes the file empty of reach.
pub fn reach_file(path: &Path, units: usize) -> Result<(), RunError> {
    fs::write(path, vec![0u8; units]).map_err(RunError::io(path.display().to_string()))
}

/// The units that were passed.
pub fn read_reach(path: &Path) -> Result<RoaringBitmap, RunError> {
    let bytes = fs::read(path).map_err(RunError::io(path.display().to_string()))?;
    Ok(bytes.iter().zip(0u32..).filter(|(byte, _)| **byte != 0).map(|(_, unit)| unit).collect())
}

fn start(
    call: &Call,
    directory: &Path,
    test: u32,
    env: &[(String, String)],
    request: &Request,
) -> std::io::Result<Observation> {
    let spec = match call {
        Call::Line(line) => Spec::shell(line, directory),
        Call::Program(words) => {
            let program = words.first().map_or("", String::as_str);
            Spec::program(program, directory).args(words.iter().skip(1))
        }
    };
    let spec = spec.envs(env).time(request.limit(test)).work(request.work(test));
    spec.keep(MOST_OUTPUT).stopped_by(request.progress).run()
}

impl Runner for Each {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn expected(&self) -> Vec<Option<u64>> {
        self.originals.clone()
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        self.originals = expected.to_vec();
        self.originals.resize(self.names.len(), None);
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        request.one_by_one(|test| self.one(test, request))
    }
}
