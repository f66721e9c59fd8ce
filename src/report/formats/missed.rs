//! A missed mutant with all that a reader needs to write the test.

use std::collections::BTreeSet;
use std::path::Path;

use crate::analysis::one_per_function;
use crate::insert::TextEdit;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::MutantRow;

use super::super::app::FunctionMap;
use super::super::table::counted;
use super::super::unified::unified;

/// What documents are written from.
pub struct Documented<'a> {
    pub title: &'a str,
    pub matrix: &'a KillMatrix,
    pub functions: &'a FunctionMap,
    /// The ids of mutants that the team accepts.
    pub accepted: BTreeSet<String>,
}

/// A mutant that tests should have killed.
pub struct Missed<'a> {
    pub row: &'a MutantRow,
    pub fate: Fate,
    pub words: String,
    /// The function it stands in.
    pub function: Option<&'a str>,
    /// The names of the tests that execute it.
    pub tests: Vec<&'a str>,
    /// The change as a unified diff; empty where the source is not there.
    pub diff: String,
    pub accepted: bool,
}

impl<'a> Documented<'a> {
    /// All missed mutants that are not accepted: the most worthwhile first, one of every function before a second.
    pub fn missed(&'a self) -> Vec<Missed<'a>> {
        self.missed_at_most(usize::MAX)
    }

    /// The first of them.
    pub fn missed_at_most(&'a self, most: usize) -> Vec<Missed<'a>> {
        let open = self.ranked().into_iter().filter(|at| !self.is_accepted(*at));
        open.take(most).map(|at| self.one(at)).collect()
    }

    /// The numbers of all missed mutants, accepted ones included.
    pub fn ranked(&self) -> Vec<u32> {
        one_per_function(&self.matrix.survivors_ranked(), |at| self.functions.key(self.matrix, at))
    }

    /// How many missed mutants are not accepted, and how many are.
    pub fn counts(&self) -> (usize, usize) {
        let ranked = self.ranked();
        let accepted = ranked.iter().filter(|at| self.is_accepted(**at)).count();
        (ranked.len() - accepted, accepted)
    }

    fn is_accepted(&self, at: u32) -> bool {
        self.accepted.contains(&self.matrix.mutants[at as usize].id)
    }

    /// What is known of a mutant.
    pub fn one(&'a self, at: u32) -> Missed<'a> {
        let row = &self.matrix.mutants[at as usize];
        let reached = self.matrix.outcome(at as usize).map(|known| &known.covered | &known.ran);
        let name = |test: u32| self.matrix.tests.get(test as usize).map(|test| test.name.as_str());
        Missed {
            row,
            fate: self.matrix.fate(at as usize),
            words: row.words(),
            function: self.functions.function(self.matrix, at).map(|function| function.name.as_str()),
            tests: reached.iter().flatten().filter_map(name).collect(),
            diff: self.diff(row),
            accepted: self.is_accepted(at),
        }
    }

    fn diff(&self, row: &MutantRow) -> String {
        let text = self.functions.file(&row.file).and_then(|file| file.text.as_deref());
        let edit = TextEdit { start: row.start as usize, end: row.end as usize, text: row.text.clone() };
        match text {
            Some(text) if edit.start <= edit.end && edit.end <= text.len() => {
                String::from_utf8_lossy(&unified(Path::new(&row.file), text, &[edit])).into_owned()
            }
            _ => String::new(),
        }
    }
}

impl Missed<'_> {
    /// What the mutant is, in a sentence.
    pub fn message(&self) -> String {
        let place = self.function.map_or_else(String::new, |name| format!(" in `{name}`"));
        let tests = match (self.fate, self.tests.len() as u64) {
            (Fate::NotCovered, _) | (_, 0) => "no test executes it".to_owned(),
            (_, 1) => "1 test executes it and passes".to_owned(),
            (_, many) => format!("{} execute it and pass", counted(many, "test")),
        };
        format!("No test fails for a change that {}{place}: {tests}.", self.words)
    }

    /// What a test must do to notice it.
    pub fn observe(&self) -> String {
        let MutantRow { file, line, before, after, .. } = self.row;
        let change = match before == after {
            true => format!("the code at {file}:{line} is changed"),
            false => format!("`{before}` is replaced with `{after}` at {file}:{line}"),
        };
        match self.fate {
            Fate::NotCovered => {
                format!(
                    "Add a test that executes {file}:{line} and checks a result that differs when {change}."
                )
            }
            _ => format!("Check a result, an error or a side effect that differs when {change}."),
        }
    }
}
