//! A runner whose tests are numbered as another's.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::exec::Verdict;

use super::request::OriginalLines;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::request::Said;
use super::split::Ending;

/// A runner that answers to the numbers of other names. A test that no longer exists fails.
pub struct Aligned {
    inner: Box<dyn Runner>,
    names: Vec<String>,
    /// Per name, the runner's own number.
    theirs: Vec<Option<u32>>,
    /// Per number of the runner's, the place of the name.
    ours: Vec<Option<u32>>,
}

impl Aligned {
    /// Numbers a runner's tests by these names.
    pub fn new(inner: Box<dyn Runner>, names: &[String]) -> Self {
        let theirs = places(names, inner.tests());
        let ours = places(inner.tests(), names);
        Self { inner, names: names.to_vec(), theirs, ours }
    }
}

/// For each name, its place among the others.
fn places(names: &[String], others: &[String]) -> Vec<Option<u32>> {
    if names == others {
        return (0..names.len() as u32).map(Some).collect();
    }
    // The first of several wins.
    let known: HashMap<&String, usize> =
        others.iter().enumerate().rev().map(|(place, name)| (name, place)).collect();
    names.iter().map(|name| known.get(name).map(|place| *place as u32)).collect()
}

impl Runner for Aligned {
    fn tests(&self) -> &[String] {
        &self.names
    }

    fn notes(&self) -> &[String] {
        self.inner.notes()
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let gone = request.tests.iter().filter(|test| self.theirs[**test as usize].is_none());
        let message = "it no longer exists";
        let mut ran = Ran {
            said: gone
                .map(|test| Said {
                    test: *test,
                    verdict: Verdict::Fail,
                    millis: 0.0,
                    message: message.into(),
                    busy: false,
                })
                .collect(),
            ..Ran::default()
        };
        if request.first_kill && !ran.said.is_empty() {
            return Ok(ran);
        }
        let tests: Vec<u32> = request.tests.iter().filter_map(|test| self.theirs[*test as usize]).collect();
        let ours = &self.ours;
        let limits = |test: u32| ours[test as usize].map_or(std::time::Duration::ZERO, request.limits);
        let inner = self.inner.run(&Request { tests: &tests, limits: &limits, ..*request })?;
        ran.said.extend(
            inner.said.into_iter().filter_map(|said| Some(Said { test: ours[said.test as usize]?, ..said })),
        );
        (ran.overhead, ran.note) = (inner.overhead, inner.note);
        let reached = inner.reached.into_iter();
        ran.reached.extend(reached.filter_map(|(test, units)| Some((ours[test as usize]?, units))));
        Ok(ran)
    }

    fn expected(&self) -> Vec<Option<u64>> {
        let inner = self.inner.expected();
        self.theirs.iter().map(|test| inner.get((*test)? as usize).copied().flatten()).collect()
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        let mut inner = vec![None; self.ours.len()];
        for (test, place) in inner.iter_mut().zip(&self.ours) {
            *test = place.and_then(|place| expected.get(place as usize).copied().flatten());
        }
        self.inner.expect(&inner);
    }

    fn restore_lines(&mut self, lines: &OriginalLines) {
        self.inner.restore_lines(lines);
    }

    fn judge(&mut self, test: u32, ending: &Ending) -> Option<Verdict> {
        self.inner.judge(self.theirs[test as usize]?, ending)
    }

    fn chooses(&self) -> bool {
        self.inner.chooses()
    }

    fn programs(&self) -> Vec<PathBuf> {
        self.inner.programs()
    }

    fn settle(&mut self) {
        self.inner.settle();
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.inner.renew()
    }

    fn shares_processes(&self) -> bool {
        self.inner.shares_processes()
    }
}
