//! Inputs as the mutants that repair them.
//!
//! In: a kill matrix in which some tests fail on the unchanged program. Out: per failing test the set of
//! mutants that repair it: the test passes under the mutant, and no passing test that ran under it breaks.

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::Outcome;

use super::super::Changes;
use super::distance::Apart;
use super::distance::Distance;
use super::sets::BitSets;

/// Which tests count as failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// Those that fail, crash or run for too long on the unchanged program.
    AsRecorded,
    /// All of them: for matrices that do not say.
    All,
}

/// What has no part in the distances, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOutInput {
    /// Failing tests that were seen to change their minds.
    pub flaky_tests: usize,
    /// Passing tests that were seen to change their minds: a mutant may break them.
    pub flaky_passing: usize,
    /// Mutants that were never run: untested, unviable, duplicates, equivalent.
    pub not_run: usize,
    /// Mutants that repair a test and break a passing one.
    pub breaking: usize,
    /// Mutants that were run and repair nothing.
    pub repair_nothing: usize,
    /// Pairs of a failing test and a mutant it reaches that were not run.
    pub unknown_pairs: u64,
}

/// The failing tests with the mutants that repair them.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairVectors {
    /// The failing tests by their place in the matrix, ascending.
    pub tests: Vec<u32>,
    /// Per failing test the numbers of the mutants.
    pub sets: BitSets,
    pub left_out: LeftOutInput,
}

impl RepairVectors {
    /// The inputs that no mutant repairs: nothing can be said about them.
    pub fn unrepaired(&self) -> Vec<usize> {
        (0..self.tests.len()).filter(|input| self.sets.size(*input) == 0).collect()
    }
}

impl Distance for RepairVectors {
    fn inputs(&self) -> usize {
        self.sets.inputs()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.sets.between(first, second)
    }

    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        self.sets.apart(first, second)
    }
}

/// The repair vectors of a matrix.
pub fn repair_vectors(matrix: &KillMatrix, failing: Failing) -> RepairVectors {
    let tests = Tests::of(matrix, failing);
    let mut left_out = tests.left_out;
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); matrix.tests.len()];
    for mutant in 0..matrix.mutants.len() as u32 {
        let Some(outcome) = run_outcome(matrix, mutant) else {
            left_out.not_run += 1;
            continue;
        };
        let changes = Changes::of(matrix, mutant as usize, &tests.failing, &tests.passing);
        left_out.unknown_pairs += (&(&outcome.covered & &tests.failing) - &outcome.ran).len();
        if changes.repaired.is_empty() {
            left_out.repair_nothing += 1;
        } else if !changes.repairs() {
            left_out.breaking += 1;
        } else {
            changes.repaired.iter().for_each(|test| lists[test as usize].push(mutant));
        }
    }
    let kept: Vec<&[u32]> = tests.failing.iter().map(|test| &lists[test as usize][..]).collect();
    RepairVectors { tests: tests.failing.iter().collect(), sets: BitSets::new(&kept), left_out }
}

/// The failing tests, flaky ones left out, with the mutants that each of them reaches: a coverage of sorts.
pub fn reach_sets(matrix: &KillMatrix, failing: Failing) -> (Vec<u32>, BitSets) {
    let tests = Tests::of(matrix, failing);
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); matrix.tests.len()];
    for (mutant, outcome) in (0..).zip(&matrix.outcomes) {
        for test in outcome.iter().flat_map(|outcome| &outcome.covered & &tests.failing) {
            lists[test as usize].push(mutant);
        }
    }
    let kept: Vec<&[u32]> = tests.failing.iter().map(|test| &lists[test as usize][..]).collect();
    (tests.failing.iter().collect(), BitSets::new(&kept))
}

/// What is known of a mutant that was run.
fn run_outcome(matrix: &KillMatrix, mutant: u32) -> Option<&Outcome> {
    let run = |outcome: &&Outcome| !matches!(outcome.fate, Fate::Untested | Fate::Unviable);
    matrix.outcome(mutant as usize).filter(run).filter(|outcome| !outcome.ran.is_empty())
}

/// The tests by what they said of the unchanged program; those that change their minds are in neither set.
struct Tests {
    failing: RoaringBitmap,
    passing: RoaringBitmap,
    left_out: LeftOutInput,
}

impl Tests {
    fn of(matrix: &KillMatrix, failing: Failing) -> Self {
        let mut tests = Self {
            failing: Default::default(),
            passing: Default::default(),
            left_out: LeftOutInput::default(),
        };
        for (number, test) in (0..).zip(&matrix.tests) {
            let fails = failing == Failing::All || test.verdict != Verdict::Pass;
            match (fails, test.flaky) {
                (true, true) => tests.left_out.flaky_tests += 1,
                (false, true) => tests.left_out.flaky_passing += 1,
                (true, false) => drop(tests.failing.insert(number)),
                (false, false) => drop(tests.passing.insert(number)),
            }
        }
        tests
    }
}
