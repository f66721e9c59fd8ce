//! What the tests say about the unchanged program.

use std::time::Duration;

use crate::control::Progress;
use crate::exec::Verdict;
use crate::harness::Config;
use crate::matrix::TestRow;
use crate::runner::Aligned;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;

/// How long a test may take that was never seen to end.
const LONGEST: Duration = Duration::from_secs(600);

/// The tests and what they said.
#[derive(Clone, Debug)]
pub struct Baseline {
    pub tests: Vec<TestRow>,
    /// What the unchanged program did, for tests that compare with it.
    pub expected: Vec<Option<u64>>,
    /// What tests that fail said.
    pub messages: Vec<String>,
    /// Per test, whether it said anything; what is skipped does not.
    heard: Vec<bool>,
    limits: Vec<Duration>,
    /// How long a process may take in any case.
    pub floor: Duration,
    /// How much of that may be work of its own.
    pub work: Duration,
}

impl Baseline {
    /// Runs all tests, as often as the configuration says, to find those that change their mind.
    pub fn run(runner: &mut dyn Runner, config: &Config, progress: &Progress) -> Result<Self, RunError> {
        let names = runner.tests().to_vec();
        let all: Vec<u32> = (0..names.len() as u32).collect();
        let mut rows: Vec<TestRow> = names
            .into_iter()
            .map(|name| TestRow { name, verdict: Verdict::Pass, millis: 0.0, flaky: false })
            .collect();
        let mut messages = vec![String::new(); rows.len()];
        let mut heard = vec![false; rows.len()];
        let mut overhead = Duration::ZERO;
        for round in 0..config.limits.repeat.max(1) {
            let limits = &|_| Duration::ZERO;
            let request = Request {
                on: "",
                tests: &all,
                limits,
                floor: LONGEST,
                work: LONGEST,
                first_kill: false,
                reach: false,
                thrifty: false,
                progress,
            };
            let ran = runner.run(&request)?;
            overhead = overhead.max(ran.overhead);
            for said in ran.said {
                heard[said.test as usize] = true;
                let row = &mut rows[said.test as usize];
                row.flaky |= round > 0 && row.verdict.is_kill() != said.verdict.is_kill();
                row.verdict = if round == 0 { said.verdict } else { row.verdict.max(said.verdict) };
                row.millis = row.millis.max(said.millis);
                if said.verdict.is_kill() {
                    messages[said.test as usize] = said.message;
                }
            }
        }
        if !heard.contains(&true) {
            // A test may be skipped; where all are, something is wrong with how they are run.
            rows.iter_mut().for_each(|row| row.verdict = Verdict::Fail);
            messages.fill("it said nothing".into());
        }
        let limits = limits(&rows, config);
        let overhead = overhead.mul_f64(config.limits.factor);
        let (floor, work) = (config.limits.floor + overhead, config.limits.floor / 4 + overhead);
        Ok(Self { tests: rows, expected: vec![], messages, heard, limits, floor, work })
    }

    /// The names of the tests.
    pub fn names(&self) -> Vec<String> {
        self.tests.iter().map(|row| row.name.clone()).collect()
    }

    /// A runner that knows the tests by their numbers here, and what the unchanged program did.
    pub fn align(&self, runner: Box<dyn Runner>) -> Box<dyn Runner> {
        let mut aligned = Aligned::new(runner, &self.names());
        aligned.expect(&self.expected);
        Box::new(aligned)
    }

    /// How long a test may take, besides the floor.
    pub fn limit(&self, test: u32) -> Duration {
        self.limits[test as usize]
    }

    /// Tests whose word counts: they run, they pass, and always do.
    pub fn trusted(&self) -> Vec<u32> {
        let trusted = |row: &TestRow| row.verdict == Verdict::Pass && !row.flaky;
        let rows = self.tests.iter().zip(&self.heard).zip(0..);
        rows.filter(|((row, heard), _)| **heard && trusted(row)).map(|(_, test)| test).collect()
    }

    /// Tests that say something, whatever it is, and always the same.
    pub fn heard(&self) -> Vec<u32> {
        let rows = self.tests.iter().zip(&self.heard).zip(0..);
        rows.filter(|((row, heard), _)| **heard && !row.flaky).map(|(_, test)| test).collect()
    }

    /// Tests that fail, and always do.
    pub fn broken(&self) -> Vec<u32> {
        let fails = |test: &u32| self.tests[*test as usize].verdict.is_kill();
        self.heard().into_iter().filter(fails).collect()
    }

    /// How many tests the project skips.
    pub fn skipped(&self) -> usize {
        self.heard.iter().filter(|heard| !**heard).count()
    }

    /// Tests that fail, and are not declared to.
    pub fn failing(&self, config: &Config) -> Vec<&TestRow> {
        self.tests
            .iter()
            .filter(|row| {
                row.verdict.is_kill() && !row.flaky && !config.tests.known_failing.matches(&row.name)
            })
            .collect()
    }

    /// Tests that say something else of another program.
    pub fn differing(&self, other: &Self) -> Vec<u32> {
        let differs = |test: &u32| {
            let (mine, theirs) = (&self.tests[*test as usize], other.tests.get(*test as usize));
            !mine.flaky && theirs.is_none_or(|theirs| theirs.verdict.is_kill() != mine.verdict.is_kill())
        };
        (0..self.tests.len() as u32).filter(differs).collect()
    }

    /// Takes a test's word no longer.
    pub fn distrust(&mut self, test: u32) {
        self.tests[test as usize].flaky = true;
    }

    /// Takes the times of another baseline where they are longer.
    pub fn slow_down(&mut self, other: &Self, config: &Config) {
        for (row, theirs) in self.tests.iter_mut().zip(&other.tests) {
            row.millis = row.millis.max(theirs.millis);
        }
        self.floor = self.floor.max(other.floor);
        self.work = self.work.max(other.work);
        self.limits = limits(&self.tests, config);
    }
}

/// How long tests may take, besides the floor.
fn limits(tests: &[TestRow], config: &Config) -> Vec<Duration> {
    let limit = |row: &TestRow| Duration::from_secs_f64(row.millis / 1e3 * config.limits.factor);
    tests.iter().map(limit).collect()
}
