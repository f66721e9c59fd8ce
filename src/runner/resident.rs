//! JUnit tests in a resident Java machine; the project's classes are loaded anew for every request.

use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;

use super::nonce::nonce;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::wire::Heard;
use super::wire::Wire;
use super::wire::ranges;

/// How long the machine may take to begin, and to notice that it must end.
const GRACE: Duration = Duration::from_secs(20);

/// Runs JUnit tests.
pub struct JavaServer {
    names: Vec<String>,
    command: Vec<String>,
    directory: PathBuf,
    env: Vec<(String, String)>,
    wire: Option<Wire>,
    /// What every answer to the request begins with: tests may print to where answers go, but do not know it.
    nonce: String,
    sandbox: Sandbox,
}

impl JavaServer {
    /// A machine that is started when it is needed, for tests that are known.
    pub fn new(
        command: Vec<String>,
        directory: PathBuf,
        env: Vec<(String, String)>,
        names: Vec<String>,
    ) -> Self {
        Self { names, command, directory, env, wire: None, nonce: String::new(), sandbox: Sandbox::none() }
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
            match self.wire()?.hear(GRACE * 6, progress)? {
                Heard::Line(fields) => match self.answer(&fields)[..] {
                    ["test", name, ..] => self.names.push(name.to_owned()),
                    ["end", ..] => return Ok(()),
                    _ => {}
                },
                _ => {
                    return Err(RunError::Broken(
                        "the Java test runner does not answer; see [tests] classpath".into(),
                    ));
                }
            }
        }
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
        let flags = [(request.first_kill, 'f'), (request.reach, 'r'), (request.thrifty, 'k')];
        let flags: String = flags.into_iter().filter_map(|(set, flag)| set.then_some(flag)).collect();
        let flags = if flags.is_empty() { "-" } else { &flags };
        let names: Vec<String> = tests.iter().map(|test| self.names[*test as usize].clone()).collect();
        self.nonce = nonce();
        let nonce = self.nonce.clone();
        let head = [&nonce, "run", on, &limit, &work, flags];
        let wire = self.wire()?;
        if !wire.say(head.into_iter().chain(names.iter().map(String::as_str))) {
            self.wire = None;
            return Err(RunError::Broken("the Java test runner is gone".into()));
        }
        let mut left = tests.to_vec();
        loop {
            match self.wire()?.hear(most + GRACE, request.progress)? {
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
                        let message = limit.unwrap_or_else(|| "the Java machine ended".into());
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

impl Runner for JavaServer {
    fn tests(&self) -> &[String] {
        &self.names
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
