//! A program that forks itself for every run: no loading, no linking, no shell.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::exec::Spec;
use crate::exec::Verdict;

use super::each::Oracle;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::split::Ending;
use super::wire::Heard;
use super::wire::Wire;
use super::wire::ranges;

/// How long the server itself may take, besides its limits.
const GRACE: Duration = Duration::from_secs(5);

/// So many processes of a run wait for each other at most before it is said to hang.
const MOST_WAITING: u32 = 64;
/// Set for a server whose runs fork.
const FORKS_VARIABLE: &str = "WILDCAUGHT_FORKS";
/// SIGPROF, which ends what used up its processor time.
const OUT_OF_WORK: u8 = 27;

/// A run of the program: its arguments and its input.
#[derive(Clone, Debug)]
pub struct Case {
    pub arguments: Vec<String>,
    pub input: Option<PathBuf>,
    pub oracle: Oracle,
}

/// Runs cases by a fork server.
pub struct ForkServer {
    names: Vec<String>,
    cases: Vec<Case>,
    program: PathBuf,
    directory: PathBuf,
    env: Vec<(String, String)>,
    /// A server, and one whose runs fork, and therefore cannot do everything.
    wires: [Option<Wire>; 2],
    /// What the unchanged program did, once it was seen.
    originals: Vec<Option<u64>>,
    /// What must be printed, for cases that have a file for it.
    goldens: Vec<Option<String>>,
}

impl ForkServer {
    /// A runner for a program in a directory; a relative path is seen from there.
    pub fn new(
        tests: Vec<(String, Case)>,
        program: &Path,
        directory: &Path,
        mut env: Vec<(String, String)>,
    ) -> Self {
        let (names, cases): (Vec<String>, Vec<Case>) = tests.into_iter().unzip();
        env.push(("WILDCAUGHT_SERVER".into(), "1".into()));
        let goldens = cases.iter().map(|case| match &case.oracle {
            Oracle::Golden(path) => fs::read(path).ok().map(|bytes| format!("{:016x}", fnv(&bytes))),
            _ => None,
        });
        Self {
            goldens: goldens.collect(),
            originals: vec![None; names.len()],
            names,
            cases,
            program: program.to_owned(),
            directory: directory.to_owned(),
            env,
            wires: [None, None],
        }
    }

    /// Whether the program is one that serves. No case is run for that: a mutant that hangs serves, too.
    pub fn answers(&mut self, progress: &Progress) -> bool {
        self.wire(false, progress).is_ok()
    }

    fn wire(&mut self, forks: bool, progress: &Progress) -> Result<&mut Wire, RunError> {
        let wire = &mut self.wires[usize::from(forks)];
        if wire.is_none() {
            // By the name that the settings have: a program may print its own, and copies differ in theirs.
            let spec = Spec::program(self.directory.join(&self.program), &self.directory);
            let spec = spec.known_as(&self.program).envs(&self.env);
            let mut started = Wire::start(&if forks { spec.env(FORKS_VARIABLE, "1") } else { spec })?;
            match started.hear(GRACE, progress)? {
                Heard::Line(fields) if fields.first().is_some_and(|first| first == "ready") => {}
                _ => return Err(RunError::Broken(format!("{} does not serve", self.program.display()))),
            }
            *wire = Some(started);
        }
        Ok(wire.as_mut().expect("it was just put there"))
    }

    fn one(&mut self, test: u32, request: &Request) -> Result<(Said, Option<RoaringBitmap>), RunError> {
        let case = self.cases[test as usize].clone();
        let limit = request.limit(test);
        let millis = request.work(test).as_millis().max(1).to_string();
        let input = case.input.as_ref().map_or("-".into(), |path| path.display().to_string());
        let count = case.arguments.len().to_string();
        let on = if request.on.is_empty() { "-" } else { request.on };
        let mode = if request.reach { "reach" } else { "-" };
        let head = ["run", on, &millis, mode, "-", &input, &count];
        let words = head.into_iter().chain(case.arguments.iter().map(String::as_str));
        let wire = self.wire(request.thrifty, request.progress)?;
        let wait = limit * 4 * if request.thrifty { MOST_WAITING } else { 1 } + GRACE;
        let heard = if wire.say(words) { wire.hear(wait, request.progress)? } else { Heard::Gone };
        let Heard::Line(fields) = heard else {
            // The server itself is gone or stuck: what this run did to it is this run's verdict.
            self.wires[usize::from(request.thrifty)] = None;
            let (verdict, busy) =
                (if matches!(heard, Heard::Gone) { Verdict::Crash } else { Verdict::TimeOut }, false);
            let message = "the fork server did not answer".into();
            return Ok((
                Said { test, verdict, millis: 0.0, message, busy },
                request.reach.then(RoaringBitmap::new),
            ));
        };
        let [done, code, signal, late, millis, out, _, err, ..] = &fields[..] else {
            return Err(RunError::Broken(format!("{} said {fields:?}", self.program.display())));
        };
        if done != "done" {
            return Err(RunError::Broken(format!("{} said {fields:?}", self.program.display())));
        }
        let reached = if request.reach { Some(self.reached(request)?) } else { None };
        let now = [code.clone(), signal.clone(), out.clone(), err.clone()];
        let verdict = if late == "1" { Verdict::TimeOut } else { self.verdict(test, now) };
        let busy = late == "1" && *signal == OUT_OF_WORK.to_string();
        let millis = millis.parse().unwrap_or(0.0);
        let said = Said { test, verdict, millis, message: String::new(), busy };
        Ok((said, reached))
    }

    fn reached(&mut self, request: &Request) -> Result<RoaringBitmap, RunError> {
        match self.wire(request.thrifty, request.progress)?.hear(GRACE, request.progress)? {
            Heard::Line(fields) if fields.first().is_some_and(|first| first == "reach") => {
                Ok(ranges(fields.get(1).map_or("", String::as_str)))
            }
            _ => Err(RunError::Broken(format!("{} does not say what it reached", self.program.display()))),
        }
    }

    fn verdict(&mut self, test: u32, now: [String; 4]) -> Verdict {
        let crashed = now[1] != "-";
        let by_exit = if crashed {
            Verdict::Crash
        } else if now[0] == "0" {
            Verdict::Pass
        } else {
            Verdict::Fail
        };
        match &self.cases[test as usize].oracle {
            Oracle::Exit { fails } => match by_exit {
                Verdict::Pass if *fails => Verdict::Fail,
                Verdict::Fail if *fails => Verdict::Pass,
                other => other,
            },
            // Sanitizers are told to end a program by a signal.
            Oracle::Crash if crashed => Verdict::Crash,
            Oracle::Crash => Verdict::Pass,
            Oracle::Golden(_) => {
                let same = self.goldens[test as usize].as_ref() == Some(&now[2]);
                if same && !crashed { Verdict::Pass } else { by_exit.max(Verdict::Fail) }
            }
            Oracle::Original | Oracle::Script(_) => {
                let hash = fnv(now.join(" ").as_bytes());
                match *self.originals[test as usize].get_or_insert(hash) == hash {
                    true => Verdict::Pass,
                    false if crashed => Verdict::Crash,
                    false => Verdict::Fail,
                }
            }
        }
    }
}

/// FNV-1a, as the server has it.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

impl Runner for ForkServer {
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

    fn judge(&mut self, test: u32, ending: &Ending) -> Option<Verdict> {
        let (code, signal) = match ending.by {
            Err(OUT_OF_WORK) => return Some(Verdict::TimeOut),
            Err(signal) => ("-".into(), signal.to_string()),
            Ok(code) => (code.to_string(), "-".into()),
        };
        let [out, err] = [ending.out, ending.err].map(|hash| format!("{hash:016x}"));
        Some(self.verdict(test, [code, signal, out, err]))
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        request.one_by_one(|test| self.one(test, request))
    }
}
