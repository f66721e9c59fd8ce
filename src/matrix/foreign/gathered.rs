//! A matrix that grows mutant by mutant, tests in the order in which they are first named.

use rustc_hash::FxHashMap;

use crate::exec::Verdict;

use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::super::TestRow;

/// A matrix under construction.
#[derive(Default)]
pub(super) struct ForeignRows {
    pub matrix: KillMatrix,
    numbers: FxHashMap<String, u32>,
}

impl ForeignRows {
    /// The number of a test; a new one passes on the unchanged program, as far as anybody says.
    pub fn test(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.matrix.tests.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        let row = TestRow { name: name.to_owned(), verdict: Verdict::Pass, millis: 0.0, flaky: false };
        self.matrix.tests.push(row);
        number
    }

    pub fn mutant(&mut self, row: MutantRow, outcome: Option<Outcome>) {
        self.matrix.mutants.push(row);
        self.matrix.outcomes.push(outcome);
    }
}
