//! Runs programs, and says whether they show the fault.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::analysis::witness::is_reporter;
use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Streams;
use crate::files::TemporaryDirectory;

use super::coverage::BrokenProgram;
use super::coverage::Executed;
use super::error::WitnessError;
use super::request::Expected;
use super::request::Oracle;
use super::request::WitnessRequest;

/// The exit code of an oracle that cannot judge, as `git bisect` has it.
const UNJUDGED: i32 = 125;
/// Exit codes of a shell that does not find a command, or may not run it.
const NO_COMMAND: std::ops::RangeInclusive<i32> = 126..=127;
/// Exit codes from here on are those of a shell whose command was killed by a signal.
const SIGNALS: i32 = 128;
/// The signal of an alarm.
const ALARM: i32 = 14;
/// Bytes of output that are compared.
const MOST_OUTPUT: u64 = 4 << 20;

/// How a fault shows. Two programs that fail in other ways may show other faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// What the script ended with.
    Code(i32),
    /// It was in this function, if that is known.
    Crash(Option<String>),
    Hang,
    /// It ended by itself, in another way than it should.
    Exit,
    /// It printed this and should not have; what it printed where that must be the same.
    Output(Option<Vec<u8>>),
}

impl Failure {
    /// In words.
    pub fn says(&self) -> String {
        match self {
            Self::Code(code) => format!("the oracle ends with exit code {code}"),
            Self::Crash(None) => "it crashes".into(),
            Self::Crash(Some(function)) => format!("it crashes in {function}"),
            Self::Hang => "it hangs".into(),
            Self::Exit => "it ends with an unexpected exit code".into(),
            Self::Output(_) => "it prints unexpected output".into(),
        }
    }
}

/// What was found out about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    Passes,
    Fails(Failure),
    /// The guard or the reference refuses it.
    Unjudged(String),
}

/// A program that was run.
pub struct Tried {
    pub judged: Judged,
    /// What was executed; none if that was not written, or the guard refuses the program.
    pub executed: Option<Executed>,
    /// Functions that it was in when it crashed or was ended, the innermost first.
    pub stack: Vec<String>,
}

/// Runs programs for one worker, in a directory of its own.
pub struct Judge<'a> {
    request: &'a WitnessRequest<'a>,
    broken: &'a BrokenProgram,
    progress: &'a Progress,
    directory: TemporaryDirectory,
    sandbox: Sandbox,
    /// How the reference ends with the failing program.
    reference: Option<Ended>,
    /// How it is known whether a program shows the fault.
    pub oracle: Oracle,
    /// The longest that a command may take.
    pub timeout: Duration,
}

impl<'a> Judge<'a> {
    pub fn new(
        request: &'a WitnessRequest<'a>,
        broken: &'a BrokenProgram,
        progress: &'a Progress,
    ) -> Result<Self, WitnessError> {
        let directory =
            TemporaryDirectory::new("witness").map_err(WitnessError::io("temporary directory"))?;
        let writable = [directory.path().to_owned()];
        let sandbox = request.containment.tests(&writable).map_err(WitnessError::io("sandbox"))?;
        let (oracle, timeout) = (request.oracle.clone(), request.timeout);
        Ok(Self { request, broken, progress, directory, sandbox, reference: None, oracle, timeout })
    }

    /// Runs a text as the program.
    pub fn run_text(&self, text: &[u8]) -> Result<Tried, WitnessError> {
        let path = self.place("program").join(&self.request.name);
        self.clear()?;
        fs::write(&path, text).map_err(WitnessError::io("cannot write the program"))?;
        self.run(&path, None)
    }

    /// Runs a file of the developers; where outputs are expected, `expected` is its own.
    pub fn run_file(&self, file: &Path, expected: Option<Vec<u8>>) -> Result<Tried, WitnessError> {
        self.clear()?;
        self.run(file, Some(expected))
    }

    fn place(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Nothing of an earlier run stays.
    fn clear(&self) -> Result<(), WitnessError> {
        for name in ["program", "coverage", "scratch"] {
            let path = self.place(name);
            if path.exists() {
                fs::remove_dir_all(&path).map_err(WitnessError::io("cannot empty a directory"))?;
            }
            fs::create_dir_all(&path).map_err(WitnessError::io("cannot create a directory"))?;
        }
        Ok(())
    }

    fn run(&self, file: &Path, own: Option<Option<Vec<u8>>>) -> Result<Tried, WitnessError> {
        if let Some(guard) = &self.request.guard {
            let seen = self.observe(guard, file, false)?;
            if !seen.is_success() {
                let judged = Judged::Unjudged("--guard rejects it".into());
                return Ok(Tried { judged, executed: None, stack: vec![] });
            }
        }
        let mut judged = self.judge(file, own)?;
        let stack = self.broken.stack(&self.place("coverage"));
        if let Judged::Fails(Failure::Crash(place)) = &mut judged {
            *place = stack.iter().find(|name| !is_reporter(name)).cloned();
        }
        let executed = self.broken.collect(&self.place("coverage"))?;
        Ok(Tried { judged, executed, stack })
    }

    fn judge(&self, file: &Path, own: Option<Option<Vec<u8>>>) -> Result<Judged, WitnessError> {
        let (command, expected) = match &self.oracle {
            Oracle::Script(command) => return self.ask(command, file),
            Oracle::Run { command, expected } => (command, expected),
        };
        let seen = self.observe(command, file, true)?;
        if let Some(failure) = broken(&seen) {
            return Ok(Judged::Fails(failure));
        }
        Ok(match (expected, own) {
            (Expected::Reference(reference), _) => self.compare(&seen, reference, file)?,
            // What another program should print is known only where the developers say so.
            (Expected::Output(_), Some(None)) | (Expected::Success, _) if seen.is_success() => Judged::Passes,
            (Expected::Output(_), Some(Some(wanted))) if seen.is_success() && seen.stdout == wanted => {
                Judged::Passes
            }
            (Expected::Output(wanted), None) if seen.is_success() && seen.stdout == *wanted => Judged::Passes,
            (Expected::Output(_), _) if seen.is_success() => {
                Judged::Fails(Failure::Output(Some(seen.stdout)))
            }
            (Expected::Output(_), _) => Judged::Fails(Failure::Exit),
            (Expected::Success, _) => Judged::Unjudged(format!("it ends with {}", ended(seen.ended))),
        })
    }

    fn compare(&self, seen: &Observation, reference: &str, file: &Path) -> Result<Judged, WitnessError> {
        let wanted = self.observe(reference, file, false)?;
        if broken(&wanted).is_some() || self.reference.is_some_and(|usual| usual != wanted.ended) {
            return Ok(Judged::Unjudged(format!("the reference ends with {}", ended(wanted.ended))));
        }
        Ok(match (seen.ended == wanted.ended, seen.stdout == wanted.stdout) {
            (true, true) => Judged::Passes,
            (true, false) => Judged::Fails(Failure::Output(None)),
            (false, _) => Judged::Fails(Failure::Exit),
        })
    }

    /// Finds out how the reference ends with the failing program.
    pub fn learn_reference(&mut self) -> Result<(), WitnessError> {
        let Oracle::Run { expected: Expected::Reference(reference), .. } = &self.oracle else {
            return Ok(());
        };
        self.clear()?;
        let path = self.place("program").join(&self.request.name);
        fs::write(&path, &self.request.text).map_err(WitnessError::io("cannot write the program"))?;
        self.reference = Some(self.observe(reference, &path, false)?.ended);
        Ok(())
    }

    /// How the reference ends with the failing program, in words, if that is no success.
    pub fn reference_fails(&self) -> Option<String> {
        self.reference.filter(|usual| *usual != Ended::Code(0)).map(ended)
    }

    fn ask(&self, command: &str, file: &Path) -> Result<Judged, WitnessError> {
        let seen = self.observe(command, file, true)?;
        Ok(match seen.ended {
            Ended::Code(0) => Judged::Passes,
            Ended::Code(UNJUDGED) => Judged::Unjudged("the oracle ends with exit code 125".into()),
            Ended::Code(code) => Judged::Fails(Failure::Code(code)),
            Ended::Signal(_) => Judged::Fails(Failure::Crash(None)),
            _ => Judged::Fails(Failure::Hang),
        })
    }

    /// Runs a command with the file's path where `{file}` stands, or behind it; `{dir}` is a directory to write to.
    fn observe(&self, command: &str, file: &Path, watched: bool) -> Result<Observation, WitnessError> {
        let line = match command.contains("{file}") {
            true => command.replace("{file}", "\"$1\""),
            false => format!("{command} \"$1\""),
        }
        .replace("{dir}", "\"$2\"");
        let mut spec = Spec::shell(line, &self.broken.directory)
            .arg(file)
            .arg(self.place("scratch"))
            .time(self.timeout)
            .keep(MOST_OUTPUT)
            .streams(Streams::Apart)
            .sandboxed(&self.sandbox)
            .stopped_by(self.progress);
        if watched {
            spec = spec.envs(&self.broken.environment(&self.place("coverage"), self.timeout)?);
        }
        let seen = spec.run().map_err(WitnessError::io(command))?;
        match seen.ended {
            Ended::Stopped => Err(WitnessError::Stopped),
            Ended::Code(code) if NO_COMMAND.contains(&code) => Err(WitnessError::NoCommand {
                command: command.to_owned(),
                code,
                directory: self.broken.directory.clone(),
            }),
            _ => Ok(seen),
        }
    }
}

/// Whether a run crashed or hung. The library that catches signals ends programs by an alarm that take too long.
fn broken(seen: &Observation) -> Option<Failure> {
    match seen.ended {
        Ended::Signal(ALARM) => Some(Failure::Hang),
        Ended::Code(code) if code == SIGNALS + ALARM => Some(Failure::Hang),
        Ended::Signal(_) => Some(Failure::Crash(None)),
        Ended::Code(code) if code >= SIGNALS => Some(Failure::Crash(None)),
        Ended::Code(_) | Ended::Stopped => None,
        Ended::TimedOut | Ended::Flooded | Ended::OverLimit(_) => Some(Failure::Hang),
    }
}

fn ended(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("exit code {code}"),
        Ended::Signal(signal) => format!("signal {signal}"),
        _ => "a limit of time, output or memory".into(),
    }
}
