//! Results of the tests on the unchanged program.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use roaring::RoaringBitmap;
use serde::Deserialize;
use serde::Serialize;

use crate::control::Events;
use crate::control::Progress;
use crate::exec::Verdict;
use crate::harness::Config;
use crate::matrix::TestRow;
use crate::runner::Aligned;
use crate::runner::RunError;
use crate::runner::Runner;

use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::TestLimits;
use super::switched::ask;
use super::workbench::first_line;

/// Unreliable tests that are warned of by name.
const MOST_WARNINGS: usize = 3;
/// Failing tests that are named.
const MOST_NAMED: usize = 8;

/// The tests and their results.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Baseline {
    pub tests: Vec<TestRow>,
    /// What the unchanged program did, for tests that compare with it.
    pub expected: Vec<Option<u64>>,
    /// What tests that fail said.
    pub messages: Vec<String>,
    /// Per test, whether it said anything; what is skipped does not.
    heard: Vec<bool>,
    pub limits: TestLimits,
    /// Paths of the tree that the tests themselves write to.
    pub written: BTreeSet<PathBuf>,
    /// Whether single tests can be chosen; else all run in any case.
    pub chooses: bool,
}

impl Baseline {
    /// Runs all tests, as often as the configuration says, to find those that sometimes fail.
    pub fn run(runner: &mut dyn Runner, config: &Config, progress: &Progress) -> Result<Self, RunError> {
        let (names, chooses) = (runner.tests().to_vec(), runner.chooses());
        let all: Vec<u32> = (0..names.len() as u32).collect();
        let mut rows: Vec<TestRow> = names
            .into_iter()
            .map(|name| TestRow { name, verdict: Verdict::Pass, millis: 0.0, flaky: false })
            .collect();
        let mut messages = vec![String::new(); rows.len()];
        let mut heard = vec![false; rows.len()];
        let mut overhead = Duration::ZERO;
        let longest = TestLimits::only(config.limits.baseline);
        for round in 0..config.limits.repeat.max(1) {
            let Run::Tested(ran) = ask(runner, &Scenario::unchanged(&all, &longest), "", progress)? else {
                break;
            };
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
            messages.fill("no message".into());
        }
        let overhead = overhead.mul_f64(config.limits.factor);
        let limits = TestLimits {
            tests: limits(&rows, config),
            floor: config.limits.floor + overhead,
            work: config.limits.floor / 4 + overhead,
        };
        Ok(Self { tests: rows, expected: vec![], messages, heard, limits, written: BTreeSet::new(), chooses })
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

    /// Tests that run, pass, and always do.
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

    /// What to do about tests that fail.
    fn remedy(&self, config: &Config) -> String {
        let late = self.failing(config).iter().filter(|row| row.verdict == Verdict::TimeOut).count();
        let remedy = "fix them, or list them under known_failing in [tests]";
        match (late, config.limits.baseline.as_secs_f64()) {
            (0, _) => remedy.to_owned(),
            (late, most) => {
                format!("{late} took more than {most} seconds: raise baseline in [limits]; {remedy}")
            }
        }
    }

    /// Tests that say something else of another program.
    pub fn differing(&self, other: &Self) -> Vec<u32> {
        let differs = |test: &u32| {
            let (mine, theirs) = (&self.tests[*test as usize], other.tests.get(*test as usize));
            !mine.flaky && theirs.is_none_or(|theirs| theirs.verdict.is_kill() != mine.verdict.is_kill())
        };
        (0..self.tests.len() as u32).filter(differs).collect()
    }

    /// Marks tests that say something else of the woven program as unreliable, and warns of the first few.
    pub fn distrust(&mut self, differing: &[u32], woven: &Self, when: &str, events: &Events) {
        if let Some(more @ 1..) = differing.len().checked_sub(MOST_WARNINGS) {
            events.warn(format!(
                "{more} more tests fail in the same way as the following ones; they are \
                unreliable and ignored"
            ));
        }
        for &test in differing {
            self.tests[test as usize].flaky = true;
        }
        for &test in differing.iter().take(MOST_WARNINGS) {
            let name = &self.tests[test as usize].name;
            let said = woven.messages.get(test as usize).map_or("", |said| first_line(said));
            events.warn(format!(
                "{name} fails {when} ({said}); it is unreliable and ignored, so it kills no mutants. Check \
                 whether it depends on uninitialized memory, on addresses, or on the source text of the program"
            ));
        }
    }

    /// Marks tests that failed without any mutant while mutants were tested as unreliable, and warns of them.
    pub fn withdraw(&mut self, tests: &RoaringBitmap, events: &Events) {
        for test in tests {
            let row = &mut self.tests[test as usize];
            row.flaky = true;
            events.warn(format!(
                "{} failed without any mutant when it ran again alone; it is unreliable and ignored, and \
                 mutants it had killed were judged by the other tests. Check whether it depends on time, on \
                 chance, or on tests that run before it",
                row.name
            ));
        }
    }

    /// Warns of tests that are unreliable or skipped.
    pub fn warn(&self, events: &Events) {
        for row in self.tests.iter().filter(|row| row.flaky) {
            events.warn(format!(
                "{} is flaky: it sometimes passes and sometimes fails without any mutant; it is \
                ignored, so it kills no mutants",
                row.name
            ));
        }
        if self.skipped() > 0 {
            let skipped = self.skipped();
            let tests = if skipped == 1 { "test" } else { "tests" };
            events.warn(format!("the project skips {skipped} {tests}; skipped tests kill no mutants"));
        }
    }

    /// Says which tests fail and should not; nothing if all is well.
    pub fn complaint(&self, config: &Config) -> Option<String> {
        let failing = self.failing(config);
        if failing.is_empty() {
            return None;
        }
        let names: Vec<&str> = failing.iter().take(MOST_NAMED).map(|row| row.name.as_str()).collect();
        let more = failing.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let (count, all) = (failing.len(), self.tests.len());
        Some(format!(
            "{count} of {all} tests fail without any mutant: {}{more}; {}",
            names.join(", "),
            self.remedy(config)
        ))
    }

    /// Takes the times of another baseline where they are longer.
    pub fn slow_down(&mut self, other: &Self, config: &Config) {
        for (row, theirs) in self.tests.iter_mut().zip(&other.tests) {
            row.millis = row.millis.max(theirs.millis);
        }
        self.limits.floor = self.limits.floor.max(other.limits.floor);
        self.limits.work = self.limits.work.max(other.limits.work);
        self.limits.tests = limits(&self.tests, config);
    }
}

/// How long tests may take, besides the floor.
fn limits(tests: &[TestRow], config: &Config) -> Vec<Duration> {
    let limit = |row: &TestRow| Duration::from_secs_f64(row.millis / 1e3 * config.limits.factor);
    tests.iter().map(limit).collect()
}
