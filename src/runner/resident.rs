//! Tests in a resident process that speaks our protocol: a Java machine that loads the project's classes anew for every
//! request, a Python that forks, a Node that loads modules anew.

use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;

use super::nonce::nonce;
use super::remedy::explained;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::request::Thrift;
use super::wire::Heard;
use super::wire::Wire;
use super::wire::ranges;

/// How long it may take to import and list all tests.
const LISTING: Duration = Duration::from_secs(300);
/// Reasons that are shown when tests cannot be listed.
const MOST_REASONS: usize = 3;

/// What a server is, for messages.
#[derive(Clone, Copy, Debug)]
pub struct ServerKind {
    /// `the Java test runner`.
    pub title: &'static str,
    /// What to look at if it does not answer.
    pub remedy: &'static str,
    /// How long it may take to begin, and to notice that a test must end.
    pub patience: Duration,
    /// Whether tests of a request run in one process.
    pub shares: bool,
}

/// Runs tests.
pub struct TestServer {
    kind: ServerKind,
    names: Vec<String>,
    /// Why some tests could not be listed.
    problems: Vec<String>,
    notes: Vec<String>,
    command: Vec<String>,
    directory: PathBuf,
    env: Vec<(String, String)>,
    wire: Option<Wire>,
    /// What every answer to the request begins with: tests may print to where answers go, but do not know it.
    nonce: String,
    sandbox: Sandbox,
}

impl TestServer {
    /// A process that is started when it is needed, for tests that are known.
    pub fn new(
        kind: ServerKind,
        command: Vec<String>,
        directory: PathBuf,
        env: Vec<(String, String)>,
        names: Vec<String>,
    ) -> Self {
        Self {
            kind,
            names,
            problems: vec![],
            notes: vec![],
            command,
            directory,
            env,
            wire: None,
            nonce: String::new(),
            sandbox: Sandbox::none(),
        }
    }

    /// Restricts what tests may do.
    pub fn sandboxed(mut self, sandbox: &Sandbox) -> Self {
        self.sandbox = sandbox.clone();
        self
    }

    /// Asks for the tests.
    pub fn list(&mut self, progress: &Progress) -> Result<(), RunError> {
        self.nonce = nonce();
        let nonce = self.nonce.clone();
        self.wire()?.say([nonce.as_str(), "list"]);
        loop {
            match self.wire()?.hear(LISTING, progress)? {
                Heard::Line(fields) => match self.answer(&fields)[..] {
                    ["test", name, ..] => self.names.push(name.to_owned()),
                    ["problem", problem, ..] => self.problems.push(problem.to_owned()),
                    ["end", ..] => return self.listed(),
                    _ => {}
                },
                _ => {
                    let ServerKind { title, remedy, .. } = self.kind;
                    return Err(RunError::Broken(format!("{title} does not respond; {remedy}")));
                }
            }
        }
    }

    /// What could not be listed is an error if it is all, else a note.
    fn listed(&mut self) -> Result<(), RunError> {
        if self.problems.is_empty() {
            return Ok(());
        }
        let reasons = &self.problems[..self.problems.len().min(MOST_REASONS)];
        let mut reasons: Vec<String> = reasons.iter().map(|problem| explained(problem)).collect();
        reasons.dedup();
        if self.names.is_empty() {
            return Err(RunError::Broken(format!("no test can be loaded: {}", reasons.join("\n"))));
        }
        let count = self.problems.len();
        self.notes.push(format!(
            "{count} test files cannot be loaded, so their tests do not run and kill no mutants: {}",
            reasons.join("\n")
        ));
        Ok(())
    }

    /// Adds what the user should know of these tests.
    pub fn note(&mut self, note: Option<String>) {
        self.notes.extend(note);
    }

    /// Keeps only tests that are wanted.
    pub fn keep(&mut self, wanted: impl Fn(&str) -> bool) {
        self.names.retain(|name| wanted(name));
    }

    fn wire(&mut self) -> Result<&mut Wire, RunError> {
        if self.wire.is_none() {
            let program = self.command.first().map_or("", String::as_str);
            let spec = Spec::program(program, &self.directory).args(self.command.iter().skip(1));
            self.wire = Some(Wire::start(&spec.envs(&self.env).sandboxed(&self.sandbox))?);
        }
        Ok(self.wire.as_mut().expect("it was just put there"))
    }

    /// One request; gives the tests that did not get their turn.
    fn ask(&mut self, tests: &[u32], request: &Request, ran: &mut Ran) -> Result<Vec<u32>, RunError> {
        let most = tests.iter().map(|test| request.limit(*test)).max().unwrap_or_default();
        let work = tests.iter().map(|test| request.work(*test)).max().unwrap_or_default();
        let [limit, work] = [most, work].map(|time| time.as_millis().max(1).to_string());
        let on = if request.on.is_empty() { "-" } else { request.on };
        let flags = [(request.first_kill, 'f'), (request.reach, 'r'), (request.thrift != Thrift::None, 'k')];
        let flags: String = flags.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect();
        let flags = if flags.is_empty() { "-" } else { &flags };
        let names: Vec<String> = tests.iter().map(|test| self.names[*test as usize].clone()).collect();
        self.nonce = nonce();
        let nonce = self.nonce.clone();
        let head = [&nonce, "run", on, &limit, &work, flags];
        let wire = self.wire()?;
        if !wire.say(head.into_iter().chain(names.iter().map(String::as_str))) {
            self.wire = None;
            return Err(RunError::Broken(format!("{} no longer exists", self.kind.title)));
        }
        let (mut left, patience) = (tests.to_vec(), self.kind.patience);
        loop {
            match self.wire()?.hear(most + patience, request.progress)? {
                Heard::Line(fields) => {
                    if self.take(&fields, &mut left, ran) {
                        return Ok(left);
                    }
                }
                // The tested code ended the machine, or nothing comes: the test whose turn it was is to blame.
                heard => {
                    let limit = self.wire.take().and_then(|wire| wire.exceeded());
                    let verdict =
                        if matches!(heard, Heard::Gone) { Verdict::Crash } else { Verdict::TimeOut };
                    if !left.is_empty() {
                        let test = left.remove(0);
                        let message = limit.unwrap_or_else(|| "its process ended".into());
                        ran.said.push(Said { test, verdict, millis: 0.0, message, busy: false });
                    }
                    return Ok(left);
                }
            }
        }
    }

    /// The fields of an answer to the request; none if somebody else wrote the line.
    fn answer<'f>(&self, fields: &'f [String]) -> Vec<&'f str> {
        match fields.split_first() {
            Some((first, rest)) if *first == self.nonce => rest.iter().map(String::as_str).collect(),
            _ => vec![],
        }
    }

    /// Takes a line; whether it was the last.
    fn take(&mut self, fields: &[String], left: &mut Vec<u32>, ran: &mut Ran) -> bool {
        let names = &self.names;
        let number = |name: &str, left: &[u32]| left.iter().position(|test| names[*test as usize] == name);
        match self.answer(fields)[..] {
            ["test", name, verdict, millis, ref rest @ ..] => {
                let busy = verdict == "busy";
                let verdict = match verdict {
                    "pass" => Verdict::Pass,
                    "timeout" | "busy" => Verdict::TimeOut,
                    _ => Verdict::Fail,
                };
                let message = rest.first().map_or(String::new(), |text| (*text).to_owned());
                let millis = millis.parse().unwrap_or(0.0);
                match number(name, left) {
                    Some(place) => {
                        let test = left.remove(place);
                        ran.said.push(Said { test, verdict, millis, message, busy });
                    }
                    // A failure behind the last test of a class is told as a second word on it.
                    None => {
                        let again = ran.said.iter_mut().find(|said| names[said.test as usize] == name);
                        again.into_iter().for_each(|said| said.verdict = said.verdict.max(verdict));
                    }
                }
                false
            }
            ["skip", name, ..] => {
                left.retain(|test| names[*test as usize] != name);
                false
            }
            ["reach", name, units, ..] => {
                let test = self.names.iter().position(|other| other == name);
                ran.reached.extend(test.map(|test| (test as u32, ranges(units))));
                false
            }
            ["end", "restart", ..] => {
                // No thread can be ended safely: this machine ends itself.
                self.wire = None;
                true
            }
            ["end"] => true,
            _ => false,
        }
    }
}

impl Runner for TestServer {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn shares_processes(&self) -> bool {
        self.kind.shares
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let mut ran = Ran::default();
        let mut left = request.tests.to_vec();
        while !left.is_empty() {
            let before = left.len();
            left = self.ask(&left, request, &mut ran)?;
            if (request.first_kill && ran.is_killed()) || left.len() == before {
                break;
            }
        }
        Ok(ran)
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.wire = None;
        Ok(())
    }
}
