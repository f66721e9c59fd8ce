//! A program that forks itself for every run: no loading, no linking, no shell.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;

use super::oracle::CaseOracle;
use super::oracle::Expected;
use super::oracle::OUT_OF_WORK;
use super::oracle::Sighting;
use super::oracle::ended_by;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::request::Thrift;
use super::restored::Restored;
use super::split::Ending;
use super::wire::Heard;
use super::wire::Wire;
use super::wire::ranges;

/// How long the server itself may take to answer, besides the limits of a run.
const GRACE: Duration = Duration::from_secs(5);
/// How long a program may take until its `main` is reached, where it becomes a server.
const START: Duration = Duration::from_secs(120);

/// How many processes of a run may wait for each other before the run counts as hanging.
const MOST_WAITING: u32 = 64;
/// Set for a server whose runs fork.
const FORKS_VARIABLE: &str = "WILDCAUGHT_FORKS";

/// A run of the program: its arguments and its input.
#[derive(Clone, Debug)]
pub struct ForkCase {
    pub arguments: Vec<String>,
    /// Variables that it has besides those of the program, as `NAME=value`.
    pub env: Vec<String>,
    pub input: Option<PathBuf>,
    pub expected: Expected,
}

/// Runs cases by a fork server.
pub struct ForkServer {
    names: Vec<String>,
    cases: Vec<ForkCase>,
    program: PathBuf,
    directory: PathBuf,
    env: Vec<(String, String)>,
    /// A server, and one whose runs fork, and therefore cannot do everything.
    wires: [Option<Wire>; 2],
    oracles: Vec<CaseOracle>,
    sandbox: Sandbox,
    restored: Restored,
}

impl ForkServer {
    /// A runner for a program in a directory; a relative path is seen from there.
    pub fn new(
        tests: Vec<(String, ForkCase)>,
        program: &Path,
        directory: &Path,
        mut env: Vec<(String, String)>,
    ) -> Self {
        let (names, cases): (Vec<String>, Vec<ForkCase>) = tests.into_iter().unzip();
        env.push(("WILDCAUGHT_SERVER".into(), "1".into()));
        Self {
            oracles: cases.iter().map(|case| CaseOracle::new(case.expected.clone())).collect(),
            names,
            cases,
            program: program.to_owned(),
            directory: directory.to_owned(),
            env,
            wires: [None, None],
            sandbox: Sandbox::none(),
            restored: Restored::default(),
        }
    }

    /// Puts these files back before and after each case.
    pub fn restoring(mut self, restored: Restored) -> Self {
        self.restored = restored;
        self
    }

    /// Restricts what tests may do.
    pub fn sandboxed(mut self, sandbox: &Sandbox) -> Self {
        self.sandbox = sandbox.clone();
        self
    }

    /// Starts the server; an error if the program does not become one. No case is run for that: a mutant that
    /// hangs in a case serves, too.
    pub fn start(&mut self, progress: &Progress) -> Result<(), RunError> {
        self.wire(false, progress).map(|_| ())
    }

    fn wire(&mut self, forks: bool, progress: &Progress) -> Result<&mut Wire, RunError> {
        let wire = &mut self.wires[usize::from(forks)];
        if wire.is_none() {
            // By the name that the settings have: a program may print its own, and copies differ in theirs.
            let spec = Spec::program(self.directory.join(&self.program), &self.directory);
            let spec = spec.known_as(&self.program).envs(&self.env).sandboxed(&self.sandbox);
            let mut started = Wire::start(&if forks { spec.env(FORKS_VARIABLE, "1") } else { spec })?;
            let fault = match started.hear(START, progress)? {
                Heard::Line(fields) if fields.first().is_some_and(|first| first == "ready") => None,
                Heard::Line(_) => Some("prints before main is reached".to_owned()),
                Heard::Silence => Some(format!("does not reach main in {} seconds", START.as_secs())),
                Heard::Gone => Some("ends before main is reached".to_owned()),
            };
            if let Some(fault) = fault {
                return Err(RunError::Broken(format!("{} {fault}", self.program.display())));
            }
            *wire = Some(started);
        }
        Ok(wire.as_mut().expect("it was just put there"))
    }

    fn one(&mut self, test: u32, request: &Request) -> Result<(Said, Option<RoaringBitmap>), RunError> {
        let heard = self.ask(test, request)?;
        let Heard::Line(fields) = heard else {
            // The server itself is gone or stuck: what this run did to it is this run's verdict.
            let wire = self.wires[usize::from(request.thrift == Thrift::Forks)].take();
            let verdict = if matches!(heard, Heard::Gone) { Verdict::Crash } else { Verdict::TimeOut };
            let limit = wire.and_then(|wire| wire.exceeded());
            let message = limit.unwrap_or_else(|| "the fork server did not answer".into());
            let said = Said { test, verdict, millis: 0.0, message, busy: false };
            return Ok((said, request.reach.then(RoaringBitmap::new)));
        };
        let answer = Answer::read(&fields).ok_or_else(|| {
            RunError::Broken(format!(
                "{} gives no valid answer as a fork server: {fields:?}",
                self.program.display()
            ))
        })?;
        let reached = if request.reach { Some(self.reached(request)?) } else { None };
        let verdict = self.oracles[test as usize].verdict(&answer.sighting, no_script)?;
        let (millis, busy) = (answer.millis, answer.busy);
        Ok((Said { test, verdict, millis, message: String::new(), busy }, reached))
    }

    /// Asks the server for one run, and waits for its answer.
    fn ask(&mut self, test: u32, request: &Request) -> Result<Heard, RunError> {
        self.wire(request.thrift == Thrift::Forks, request.progress)?;
        let Some(wire) = &mut self.wires[usize::from(request.thrift == Thrift::Forks)] else {
            return Ok(Heard::Gone);
        };
        let case = &self.cases[test as usize];
        let millis = request.work(test).as_millis().max(1).to_string();
        let input = case.input.as_ref().map_or("-".into(), |path| path.display().to_string());
        let count = case.arguments.len().to_string();
        let on = if request.on.is_empty() { "-" } else { request.on };
        let mode = if request.reach { "reach" } else { "-" };
        let head = ["run", on, &millis, mode, "-", &input, &count];
        if !wire.say(head.into_iter().chain(case.arguments.iter().chain(&case.env).map(String::as_str))) {
            return Ok(Heard::Gone);
        }
        let processes = if request.thrift == Thrift::Forks { MOST_WAITING } else { 1 };
        wire.hear(request.limit(test) * 4 * processes + GRACE, request.progress)
    }

    fn reached(&mut self, request: &Request) -> Result<RoaringBitmap, RunError> {
        match self.wire(request.thrift == Thrift::Forks, request.progress)?.hear(GRACE, request.progress)? {
            Heard::Line(fields) if fields.first().is_some_and(|first| first == "reach") => {
                Ok(ranges(fields.get(1).map_or("", String::as_str)))
            }
            _ => Err(RunError::Broken(format!("{} does not report what it reached", self.program.display()))),
        }
    }
}

/// What a server says of a run.
struct Answer {
    sighting: Sighting,
    millis: f64,
    /// Whether it used up its processor time or its output.
    busy: bool,
}

impl Answer {
    /// Reads the fields of an answer; nothing if they make no sense.
    fn read(fields: &[String]) -> Option<Self> {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let ["done", code, signal, late, millis, out, _, err, ..] = fields[..] else { return None };
        let late = late == "1";
        let ended = match (late, signal) {
            (true, _) => Ended::TimedOut,
            (false, "-") => Ended::Code(code.parse().ok()?),
            (false, signal) => ended_by(signal.parse().ok()?),
        };
        let [out, err] = [out, err].map(|hash| u64::from_str_radix(hash, 16).ok());
        // Sanitizers are told to end a program by a signal: their text is not known here.
        let sighting = Sighting { ended, out: out?, err: err?, finding: false };
        let busy = ended == Ended::Flooded || (late && signal.parse() == Ok(OUT_OF_WORK));
        Some(Self { sighting, millis: millis.parse().unwrap_or(0.0), busy })
    }
}

/// Cases with a script have no fork server: the output is not known here.
fn no_script(_: &str) -> Result<bool, RunError> {
    Err(RunError::Broken("a fork server cannot run tests.script".into()))
}

impl Runner for ForkServer {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn expected(&self) -> Vec<Option<u64>> {
        self.oracles.iter().map(|oracle| oracle.original).collect()
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        for (test, oracle) in self.oracles.iter_mut().enumerate() {
            oracle.original = expected.get(test).copied().flatten();
        }
    }

    fn judge(&mut self, test: u32, ending: &Ending) -> Option<Verdict> {
        self.oracles[test as usize].verdict(&Sighting::from(ending), no_script).ok()
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        request.one_by_one(|test| {
            self.restored.put_back()?;
            let one = self.one(test, request);
            self.restored.put_back()?;
            one
        })
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.wires = [None, None];
        Ok(())
    }
}
