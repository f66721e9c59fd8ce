//! Tests, mutants and outcomes: what a kill matrix is made of.

use roaring::RoaringBitmap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::Verdict;
use crate::operator::sentence_of_notation;

use super::Fate;

/// A test, and its result on the unchanged program.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TestRow {
    pub name: String,
    /// What it said of the unchanged program.
    #[serde(rename = "baseline", default = "passing")]
    pub verdict: Verdict,
    /// How long that took.
    #[serde(default)]
    pub millis: f64,
    /// It was seen to change its mind about the same program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flaky: bool,
}

/// A mutant: where it is, what it replaces, where its operator was mined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MutantRow {
    /// Its name, the same in every run.
    pub id: String,
    pub file: String,
    /// Where it starts; lines and columns count from 1, columns in bytes.
    pub line: u32,
    pub column: u32,
    /// Where it ends: the place after the last byte replaced.
    pub end_line: u32,
    pub end_column: u32,
    /// The bytes it replaces.
    pub start: u64,
    pub end: u64,
    /// What it puts there; code need not be UTF-8.
    pub text: Vec<u8>,
    /// The ids of the operators that make it, the most widely seen first.
    pub operators: Vec<String>,
    /// What the first of them does, in a line.
    pub operator: String,
    /// The code around it, before and after, in a line each.
    pub before: String,
    pub after: String,
    /// Repositories in which the operator was seen.
    pub repos: u32,
    /// How much of what was seen of the operator came from bug fixes, 0 to 1.
    pub fix_share: f64,
    /// How it is run: `switch`, `classic`, or empty before that is decided.
    pub engine: String,
    /// Where it is in the meta-program.
    pub unit: Option<Switch>,
}

impl MutantRow {
    /// What its operator does, in words; as it was written where it is no notation of ours.
    pub fn words(&self) -> String {
        match sentence_of_notation(&self.operator) {
            Some(sentence) => sentence,
            None if self.operator.is_empty() => self.operators.join(", "),
            None => self.operator.clone(),
        }
    }
}

/// Where a mutant is in the meta-program; in files, a pair of numbers.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
#[schemars(with = "(u32, u32)")]
pub struct Switch {
    /// The unit that has several versions.
    pub unit: u32,
    /// Which of its versions is the mutant's, from 1.
    pub version: u32,
}

impl From<(u32, u32)> for Switch {
    fn from((unit, version): (u32, u32)) -> Self {
        Self { unit, version }
    }
}

impl From<Switch> for (u32, u32) {
    fn from(Switch { unit, version }: Switch) -> Self {
        (unit, version)
    }
}

/// The result of running a mutant; tests by their place in the list of tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub fate: Fate,
    /// Tests that reach the mutant.
    pub covered: RoaringBitmap,
    /// Tests that were run on it.
    pub ran: RoaringBitmap,
    /// Tests that said no.
    pub failed: RoaringBitmap,
    /// Tests that crashed.
    pub crashed: RoaringBitmap,
    /// Tests that timed out.
    pub timed_out: RoaringBitmap,
    /// How long all of it took.
    pub millis: f64,
    /// What is worth keeping of what was printed: a compiler's error, a failure's message.
    pub log: String,
}

impl Outcome {
    /// An outcome in which no test did anything.
    pub fn new(fate: Fate) -> Self {
        Self {
            fate,
            covered: RoaringBitmap::new(),
            ran: RoaringBitmap::new(),
            failed: RoaringBitmap::new(),
            crashed: RoaringBitmap::new(),
            timed_out: RoaringBitmap::new(),
            millis: 0.0,
            log: String::new(),
        }
    }

    /// Tests that noticed the mutant, in whatever way.
    pub fn kills(&self) -> RoaringBitmap {
        &(&self.failed | &self.crashed) | &self.timed_out
    }

    /// Notes what a test said.
    pub fn note(&mut self, test: u32, verdict: Verdict) {
        self.ran.insert(test);
        match verdict {
            Verdict::Pass => false,
            Verdict::Fail => self.failed.insert(test),
            Verdict::Crash => self.crashed.insert(test),
            Verdict::TimeOut => self.timed_out.insert(test),
        };
    }

    /// Takes back what a test said, as if it had not been run.
    pub fn forget(&mut self, test: u32) {
        for set in [&mut self.ran, &mut self.failed, &mut self.crashed, &mut self.timed_out] {
            set.remove(test);
        }
    }

    /// What a test said, if it was run. The worst counts, should there be several.
    pub fn verdict(&self, test: u32) -> Option<Verdict> {
        if self.timed_out.contains(test) {
            Some(Verdict::TimeOut)
        } else if self.crashed.contains(test) {
            Some(Verdict::Crash)
        } else if self.failed.contains(test) {
            Some(Verdict::Fail)
        } else {
            self.ran.contains(test).then_some(Verdict::Pass)
        }
    }

    /// One more than the highest test number in it.
    pub(super) fn width(&self) -> u32 {
        let sets = [&self.covered, &self.ran, &self.failed, &self.crashed, &self.timed_out];
        sets.into_iter().filter_map(RoaringBitmap::max).max().map_or(0, |last| last.saturating_add(1))
    }
}

/// A number that SQLite and JSON can hold; a time that is none becomes 0.
pub(super) fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// A verdict's name in files.
pub(super) fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::Crash => "crash",
        Verdict::TimeOut => "time-out",
    }
}

/// The verdict of that name.
pub(super) fn verdict_called(name: &str) -> Option<Verdict> {
    let all = [Verdict::Pass, Verdict::Fail, Verdict::Crash, Verdict::TimeOut];
    all.into_iter().find(|verdict| verdict_name(*verdict) == name)
}

fn passing() -> Verdict {
    Verdict::Pass
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_are_every_way_to_notice() {
        let mut outcome = Outcome::new(Fate::Killed);
        outcome.note(0, Verdict::Pass);
        outcome.note(2, Verdict::Crash);
        outcome.note(5, Verdict::TimeOut);
        outcome.note(7, Verdict::Fail);
        assert_eq!(outcome.kills(), RoaringBitmap::from([2, 5, 7]));
        assert_eq!(outcome.verdict(0), Some(Verdict::Pass));
        assert_eq!(outcome.verdict(5), Some(Verdict::TimeOut));
        assert_eq!(outcome.verdict(1), None);
        assert_eq!(outcome.width(), 8);
    }

    #[test]
    fn verdicts_are_called_as_serde_calls_them() {
        for verdict in [Verdict::Pass, Verdict::Fail, Verdict::Crash, Verdict::TimeOut] {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict_name(verdict));
            assert_eq!(verdict_called(verdict_name(verdict)), Some(verdict));
        }
    }
}
