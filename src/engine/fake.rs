//! An engine without programs: the result of every test under every variant is given in advance.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::time::Duration;

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::runner::Ran;
use crate::runner::RunError;
use crate::runner::Said;

use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::Until;
use super::scenario::Variant;

/// What a test says: a verdict, and whether a time-out is its own work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub verdict: Verdict,
    pub busy: bool,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, busy: false }
    }
}

/// Answers by mutant and test; who has several gives one after another, then repeats the last.
#[derive(Default)]
pub struct Fake {
    answers: BTreeMap<(u32, u32), VecDeque<Answer>>,
    unviable: RoaringBitmap,
    unrunnable: RoaringBitmap,
    silent: RoaringBitmap,
    /// Runs that take the runner down from now on, by mutant; none: those of the unchanged program.
    broken: BTreeMap<Option<u32>, u32>,
    pub chooses: bool,
    shares: bool,
    /// Tests that fail in a run behind another one.
    polluted: BTreeMap<u32, u32>,
    /// What tests say without a mutant, one after another.
    off: BTreeMap<u32, VecDeque<Verdict>>,
    /// Every run: the mutants that were on, and the tests that were run.
    pub runs: Vec<(Vec<u32>, Vec<u32>)>,
    /// How long a process might take, per run.
    pub floors: Vec<Duration>,
}

impl Fake {
    /// An engine in which every test passes under every mutant.
    pub fn content() -> Self {
        Self { chooses: true, ..Self::default() }
    }

    /// A test says this under a mutant, one after another.
    pub fn says<A: Into<Answer>>(
        mut self,
        mutant: u32,
        test: u32,
        answers: impl IntoIterator<Item = A>,
    ) -> Self {
        self.answers.insert((mutant, test), answers.into_iter().map(Into::into).collect());
        self
    }

    /// A mutant does not build.
    pub fn unviable(mut self, mutant: u32) -> Self {
        self.unviable.insert(mutant);
        self
    }

    /// A mutant builds, but tests cannot be started.
    pub fn unrunnable(mut self, mutant: u32) -> Self {
        self.unrunnable.insert(mutant);
        self
    }

    /// A test never says anything.
    pub fn silent(mut self, test: u32) -> Self {
        self.silent.insert(test);
        self
    }

    /// The next runs of a mutant, or of the unchanged program, take the runner down.
    pub fn breaks(mut self, mutant: Option<u32>, times: u32) -> Self {
        self.broken.insert(mutant, times);
        self
    }

    /// Tests share processes.
    pub fn sharing(mut self) -> Self {
        self.shares = true;
        self
    }

    /// A test fails in runs in which another one comes first.
    pub fn polluted(mut self, test: u32, by: u32) -> Self {
        self.polluted.insert(test, by);
        self
    }

    /// A test says this without a mutant, one after another.
    pub fn says_off(mut self, test: u32, answers: impl IntoIterator<Item = Verdict>) -> Self {
        self.off.insert(test, answers.into_iter().collect());
        self
    }

    fn answer(&mut self, mutants: &[u32], test: u32) -> Answer {
        let mut worst = Answer::from(Verdict::Pass);
        if let Some(answers) = self.off.get_mut(&test).filter(|_| mutants.is_empty()) {
            let now = if answers.len() > 1 { answers.pop_front() } else { answers.front().copied() };
            return now.unwrap_or(Verdict::Pass).into();
        }
        for mutant in mutants {
            let Some(answers) = self.answers.get_mut(&(*mutant, test)) else { continue };
            let now = if answers.len() > 1 { answers.pop_front() } else { answers.front().copied() };
            if let Some(now) = now.filter(|now| now.verdict > worst.verdict) {
                worst = now;
            }
        }
        worst
    }

    /// How often a test was run.
    pub fn asked(&self, test: u32) -> usize {
        self.runs.iter().filter(|(_, tests)| tests.contains(&test)).count()
    }
}

impl Engine for Fake {
    fn run(&mut self, scenario: &Scenario) -> Result<Run, RunError> {
        let mutants = match scenario.variant {
            Variant::Mutants(mutants) => mutants.to_vec(),
            _ => vec![],
        };
        if mutants.iter().any(|mutant| self.unviable.contains(*mutant)) {
            return Ok(Run::Unviable("it does not build".into()));
        }
        if mutants.iter().any(|mutant| self.unrunnable.contains(*mutant)) {
            return Ok(Run::Unrunnable("tests cannot be listed".into()));
        }
        if let Some(times @ 1..) = self.broken.get_mut(&mutants.first().copied()) {
            *times -= 1;
            return Err(RunError::Broken("the test runner has ended".into()));
        }
        let mut ran = Ran::default();
        let speaking = |test: &&u32| !self.silent.contains(**test);
        let tests: Vec<u32> = scenario.tests.iter().filter(speaking).copied().collect();
        for test in tests {
            let Answer { mut verdict, busy } = self.answer(&mutants, test);
            if let Some(by) = self.polluted.get(&test)
                && ran.said.iter().any(|said| said.test == *by)
            {
                verdict = Verdict::Fail;
            }
            let message = format!("test {test}");
            ran.said.push(Said { test, verdict, millis: 1.0, message, busy });
            if verdict.is_kill() && scenario.until == Until::FirstKill {
                break;
            }
        }
        self.floors.push(scenario.limits.floor);
        self.runs.push((mutants, ran.said.iter().map(|said| said.test).collect()));
        Ok(Run::Tested(ran))
    }

    fn chooses(&self) -> bool {
        self.chooses
    }

    fn shares_processes(&self) -> bool {
        self.shares
    }
}
