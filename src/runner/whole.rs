//! A command that runs all tests, and a report with a verdict on each.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::harness::Reading;

use super::each::reach_file;
use super::each::read_reach;
use super::each::tail_of;
use super::remedy::explained;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;

/// How many bytes of what a run prints are read.
const MOST_READ: u64 = 64 << 20;

/// What is added to an exit code if the report was broken.
const BROKEN: u64 = 1 << 32;

/// Reads what a run printed, in the directory where it ran.
pub type Reader = Box<dyn Fn(&[u8], &Path) -> Reading + Send>;

/// Runs all tests at once.
pub struct Whole {
    pub names: Vec<String>,
    pub line: String,
    pub directory: PathBuf,
    pub env: Vec<(String, String)>,
    pub reader: Reader,
    /// Removes reports that are there before a run, which must not count for it.
    pub clean: Box<dyn Fn(&Path) + Send>,
    pub scratch: PathBuf,
    pub units: u32,
    /// The exit code of the unchanged program's run, and whether its report was broken, once that was seen.
    pub usual: Option<u64>,
    pub sandbox: Sandbox,
}

impl Whole {
    /// Runs the command once; the tests in its report are all there are. If there are none, what was said is the error.
    pub fn list(&self, request: &Request, limit: Duration) -> Result<Vec<String>, RunError> {
        let (reading, seen) = self.once(request, limit)?;
        if seen.ended == Ended::TimedOut {
            return Err(RunError::Broken(format!(
                "all tests together take more than {} seconds; raise baseline in [limits]: {}",
                limit.as_secs_f64(),
                self.line
            )));
        }
        if reading.seen.is_empty() && reading.skipped == 0 {
            let said = [&seen.stdout[..], &seen.stderr[..]].concat();
            let said = match said.trim_ascii() {
                [] => "it printed nothing".to_owned(),
                said => explained(&String::from_utf8_lossy(said)),
            };
            return Err(RunError::Broken(format!("no test reported a result to `{}`:\n{}", self.line, said)));
        }
        Ok(reading.seen.into_iter().map(|seen| seen.name).collect())
    }

    fn once(&self, request: &Request, limit: Duration) -> Result<(Reading, Observation), RunError> {
        let mut env = self.env.clone();
        env.push(("WILDCAUGHT_ON".into(), request.on.to_owned()));
        let reach = self.scratch.join("reach");
        if request.reach {
            reach_file(&reach, self.units as usize)?;
            env.push(("WILDCAUGHT_REACH".into(), reach.display().to_string()));
        }
        (self.clean)(&self.directory);
        let spec = Spec::shell(&self.line, &self.directory).envs(&env).time(limit);
        let spec = spec.keep(MOST_READ).sandboxed(&self.sandbox).stopped_by(request.progress);
        let seen = spec.run().map_err(RunError::io(&self.line))?;
        if seen.ended == Ended::Stopped {
            return Err(RunError::Stopped);
        }
        Ok(((self.reader)(&seen.stdout, &self.directory), seen))
    }
}

impl Whole {
    /// Fails a run in which every test passed, but whose command failed, or whose report contradicts itself, as those
    /// of the unchanged program do not: a report may have been written by anybody. No test in particular is at fault;
    /// the first is charged.
    fn doubt(&mut self, whole: &Observation, broken: Option<&str>, ran: &mut Ran) {
        let Ended::Code(code) = whole.ended else { return };
        let now = u64::from(code.unsigned_abs()) | if broken.is_some() { BROKEN } else { 0 };
        let usual = *self.usual.get_or_insert(now);
        let why = if code != 0 && usual & !BROKEN == 0 {
            format!("the command ended with exit code {code}")
        } else if let Some(broken) = broken.filter(|_| usual & BROKEN == 0) {
            format!("the report is unreliable: {broken}")
        } else {
            return;
        };
        if let Some(said) = ran.said.first_mut().filter(|said| !said.verdict.is_kill()) {
            said.verdict = Verdict::Fail;
            said.message = format!("every test passed, but {why}");
        }
    }
}

impl Runner for Whole {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let tests: Duration = (0..self.names.len() as u32).map(request.limits).sum();
        let limit = request.floor + tests;
        let (reading, whole) = self.once(request, limit)?;
        let missing = match whole.ended {
            Ended::TimedOut | Ended::Flooded => Verdict::TimeOut,
            Ended::Code(_) => Verdict::Fail,
            _ => Verdict::Crash,
        };
        let millis = whole.took.as_secs_f64() * 1e3;
        let told: f64 = reading.seen.iter().filter_map(|seen| seen.millis).sum();
        let overhead = Duration::from_secs_f64((millis - told).max(0.0) / 1e3);
        let mut ran = Ran { overhead, ..Ran::default() };
        let known = reading.by_name();
        let share = millis / self.names.len().max(1) as f64;
        for (test, name) in (0..).zip(&self.names) {
            let seen = known.get(name.as_str());
            let crashed = || (reading.unfinished.as_ref() == Some(name)).then_some(Verdict::Crash);
            let verdict = seen.map(|seen| seen.verdict).or_else(crashed).unwrap_or(missing);
            let millis = seen.and_then(|seen| seen.millis).unwrap_or(share);
            let message = seen.map_or_else(|| tail_of(&whole), |seen| seen.message.clone());
            ran.said.push(Said { test, verdict, millis, message, busy: false });
        }
        if !ran.is_killed() {
            self.doubt(&whole, reading.broken.as_deref(), &mut ran);
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

    fn expected(&self) -> Vec<Option<u64>> {
        vec![self.usual; self.names.len()]
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        self.usual = expected.iter().find_map(|code| *code);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::control::Progress;
    use crate::harness::Seen;
    use crate::harness::read::tap;
    use crate::runner::Thrift;

    const MINUTE: Duration = Duration::from_secs(60);

    fn whole(names: Vec<String>, line: &str, directory: &Path, reader: Reader) -> Whole {
        Whole {
            names,
            line: line.into(),
            directory: directory.to_owned(),
            env: vec![],
            reader,
            clean: Box::new(|_| ()),
            scratch: directory.to_owned(),
            units: 1,
            usual: None,
            sandbox: Sandbox::none(),
        }
    }

    fn ran(whole: &mut Whole, on: &str) -> Ran {
        let request = Request {
            on,
            tests: &[],
            limits: &|_| Duration::ZERO,
            floor: MINUTE,
            work: MINUTE,
            first_kill: false,
            reach: false,
            thrift: Thrift::None,
            progress: &Progress::default(),
        };
        whole.run(&request).unwrap()
    }

    #[test]
    fn a_report_that_contradicts_itself_is_no_proof_of_passing() {
        let scratch = tempfile::tempdir().unwrap();
        let line =
            "if [ -n \"$WILDCAUGHT_ON\" ]; then printf '1..1\\nok 1 - a\\n'; fi; printf '1..1\\nok 1 - a\\n'";
        let mut forging = whole(vec!["a".into()], line, scratch.path(), Box::new(|said, _| tap(said)));
        assert!(!ran(&mut forging, "").is_killed());
        let forged = ran(&mut forging, "1");
        assert!(forged.is_killed() && forged.said[0].message.contains("two plans"), "{forged:?}");
        // A suite that always reports so is taken as it is.
        let twice = "printf '1..1\\nok 1 - a\\n1..1\\nok 1 - b\\n'";
        let names = vec!["a".into(), "b".into()];
        let mut usual = whole(names, twice, scratch.path(), Box::new(|said, _| tap(said)));
        assert!(!ran(&mut usual, "").is_killed() && !ran(&mut usual, "1").is_killed());
    }

    #[test]
    fn many_tests_are_matched_with_their_verdicts_in_no_time() {
        const TESTS: usize = 60_000;
        let name = |test: usize| format!("a_test_with_a_long_name_that_is_much_like_the_others::{test}");
        let scratch = tempfile::tempdir().unwrap();
        let reader: Reader = Box::new(move |_, _| {
            let seen = (0..TESTS).rev().map(|test| Seen::new(name(test), Verdict::Pass)).collect();
            Reading { seen, ..Reading::default() }
        });
        let mut whole = whole((0..TESTS).map(name).collect(), "true", scratch.path(), reader);
        let begun = Instant::now();
        let ran = ran(&mut whole, "");
        assert!(ran.said.len() == TESTS && !ran.is_killed());
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
