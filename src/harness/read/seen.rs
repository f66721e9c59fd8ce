//! Results of reading the output of a framework.

use std::collections::BTreeMap;
use std::collections::HashMap;

use crate::exec::Verdict;

/// How much of a message is kept.
const KEPT: usize = 4096;

/// One test as its framework reported it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The name by which the framework runs it.
    pub name: String,
    pub verdict: Verdict,
    /// How long it took, where that was said.
    pub millis: Option<f64>,
    /// What it said when it failed; empty where nothing was said.
    pub message: String,
}

impl Seen {
    /// A test with its verdict, and nothing else known.
    pub fn new(name: impl Into<String>, verdict: Verdict) -> Self {
        Self { name: name.into(), verdict, millis: None, message: String::new() }
    }
}

/// All that a run reported.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The tests that ran, in the order of their first report; no name twice.
    pub seen: Vec<Seen>,
    /// Tests that were skipped, ignored or disabled.
    pub skipped: usize,
    /// The test that had begun when the output ends: the one that took the process with it.
    pub unfinished: Option<String>,
    /// Why the run as a whole broke off (`Bail out!`, a collection error, a report that breaks off).
    pub broken: Option<String>,
}

impl Reading {
    /// The worst verdict; none where nothing ran.
    pub fn worst(&self) -> Option<Verdict> {
        self.seen.iter().map(|seen| seen.verdict).max()
    }

    /// Adds another report of the same run: the worst verdict on a test stays.
    pub fn absorb(&mut self, other: Self) {
        let mut collected = Collected::default();
        self.seen.drain(..).chain(other.seen).for_each(|seen| collected.add(seen));
        self.seen = collected.into_seen();
        self.skipped += other.skipped;
        self.unfinished = self.unfinished.take().or(other.unfinished);
        self.broken = self.broken.take().or(other.broken);
    }

    /// The tests by their names.
    pub fn by_name(&self) -> HashMap<&str, &Seen> {
        self.seen.iter().map(|seen| (seen.name.as_str(), seen)).collect()
    }

    /// The verdict of one test. A test that had begun and did not end has crashed.
    pub fn verdict(&self, name: &str) -> Option<Verdict> {
        let told = self.seen.iter().find(|seen| seen.name == name).map(|seen| seen.verdict);
        told.or_else(|| (self.unfinished.as_deref() == Some(name)).then_some(Verdict::Crash))
    }
}

/// Collects reports of tests, in order; a name that comes again keeps its worst verdict.
#[derive(Default)]
pub(super) struct Collected {
    seen: Vec<Seen>,
    places: BTreeMap<String, usize>,
}

impl Collected {
    pub(super) fn add(&mut self, mut seen: Seen) {
        clip(&mut seen.message);
        let Some(place) = self.places.get(&seen.name) else {
            self.places.insert(seen.name.clone(), self.seen.len());
            return self.seen.push(seen);
        };
        let known = &mut self.seen[*place];
        known.verdict = known.verdict.max(seen.verdict);
        known.millis = known.millis.or(seen.millis);
        if known.message.is_empty() {
            known.message = seen.message;
        }
    }

    /// Like [`Collected::add`], but the last verdict counts.
    pub(super) fn replace(&mut self, seen: Seen) {
        match self.places.get(&seen.name) {
            Some(place) => self.seen[*place] = seen,
            None => self.add(seen),
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    pub(super) fn message(&mut self, name: &str, mut message: String) {
        clip(&mut message);
        if let Some(place) = self.places.get(name) {
            self.seen[*place].message = message;
        }
    }

    pub(super) fn into_seen(self) -> Vec<Seen> {
        self.seen
    }
}

/// Cuts a message to what is worth keeping.
fn clip(message: &mut String) {
    if message.len() > KEPT {
        let end = (0..=KEPT).rev().find(|end| message.is_char_boundary(*end)).unwrap_or(0);
        message.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_comes_again_keeps_its_worst_verdict() {
        let mut collected = Collected::default();
        collected.add(Seen::new("a", Verdict::Pass));
        collected.add(Seen { message: "teardown".into(), ..Seen::new("a", Verdict::Fail) });
        collected.add(Seen::new("a", Verdict::Pass));
        let seen = collected.into_seen();
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].verdict, seen[0].message.as_str()), (Verdict::Fail, "teardown"));
    }

    #[test]
    fn reports_of_one_run_are_one_reading() {
        let mut reading =
            Reading { seen: vec![Seen::new("a", Verdict::Pass)], skipped: 1, ..Reading::default() };
        let seen = vec![Seen::new("a", Verdict::Fail), Seen::new("b", Verdict::Pass)];
        reading.absorb(Reading { seen, skipped: 2, ..Reading::default() });
        assert_eq!((reading.seen.len(), reading.skipped, reading.worst()), (2, 3, Some(Verdict::Fail)));
    }

    #[test]
    fn an_unfinished_test_has_crashed() {
        let reading = Reading { unfinished: Some("b".into()), ..Reading::default() };
        assert_eq!(reading.verdict("b"), Some(Verdict::Crash));
        assert_eq!(reading.verdict("c"), None);
    }
}
