//! A command that runs all tests, and a report that tells of each.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Ended;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::harness::Reading;

use super::each::reach_file;
use super::each::read_reach;
use super::each::tail;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;

/// How many bytes of what a run prints are read.
const MOST_READ: u64 = 64 << 20;

/// Reads what a run printed, in the directory where it ran.
pub type Reader = Box<dyn Fn(&[u8], &Path) -> Reading + Send>;

/// Runs all tests at once.
pub struct Whole {
    pub names: Vec<String>,
    pub line: String,
    pub directory: PathBuf,
    pub env: Vec<(String, String)>,
    pub reader: Reader,
    pub scratch: PathBuf,
    pub units: u32,
}

impl Whole {
    /// Runs the command once and takes the tests that it tells of for all there are.
    pub fn list(&self, request: &Request) -> Result<Vec<String>, RunError> {
        let (reading, ..) = self.once(request, Duration::from_secs(3600))?;
        Ok(reading.seen.into_iter().map(|seen| seen.name).collect())
    }

    fn once(&self, request: &Request, limit: Duration) -> Result<(Reading, Ended, Vec<u8>, f64), RunError> {
        let mut env = self.env.clone();
        env.push(("WILDCAUGHT_ON".into(), request.on.to_owned()));
        let reach = self.scratch.join("reach");
        if request.reach {
            reach_file(&reach, self.units as usize)?;
            env.push(("WILDCAUGHT_REACH".into(), reach.display().to_string()));
        }
        let spec = Spec::shell(&self.line, &self.directory).envs(&env).time(limit);
        let spec = spec.keep(MOST_READ).stopped_by(request.progress);
        let outcome = spec.run().map_err(RunError::io(&self.line))?;
        if outcome.ended == Ended::Stopped {
            return Err(RunError::Stopped);
        }
        let reading = (self.reader)(&outcome.stdout, &self.directory);
        Ok((reading, outcome.ended, outcome.stdout, outcome.took.as_secs_f64() * 1e3))
    }
}

impl Runner for Whole {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let tests: Duration = (0..self.names.len() as u32).map(request.limits).sum();
        let limit = request.floor + tests;
        let (reading, ended, output, millis) = self.once(request, limit)?;
        let missing = match ended {
            Ended::TimedOut | Ended::Flooded => Verdict::TimeOut,
            Ended::Code(_) => Verdict::Fail,
            _ => Verdict::Crash,
        };
        let told: f64 = reading.seen.iter().filter_map(|seen| seen.millis).sum();
        let overhead = Duration::from_secs_f64((millis - told).max(0.0) / 1e3);
        let mut ran = Ran { overhead, ..Ran::default() };
        for (test, name) in (0..).zip(&self.names) {
            let verdict = reading.verdict(name).unwrap_or(missing);
            let seen = reading.seen.iter().find(|seen| seen.name == *name);
            let millis = seen.and_then(|seen| seen.millis).unwrap_or(millis / self.names.len().max(1) as f64);
            let message = seen.map_or_else(|| tail(&output), |seen| seen.message.clone());
            ran.said.push(Said { test, verdict, millis, message, busy: false });
        }
        if request.reach {
            let reached = read_reach(&self.scratch.join("reach"))?;
            ran.reached = (0..self.names.len() as u32).map(|test| (test, reached.clone())).collect();
        }
        Ok(ran)
    }

    fn chooses(&self) -> bool {
        false
    }
}
