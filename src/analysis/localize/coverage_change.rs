//! Coverage localization: statements whose coverage changes when a failure is repaired.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;

use super::RepairSets;
use super::Scores;
use super::Spectrum;
use super::Subject;

/// For mutants and failing tests, the statements that are executed with the mutant and not without, or the
/// other way round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverageChanges {
    changed: BTreeMap<(usize, u32), BTreeSet<usize>>,
}

impl CoverageChanges {
    /// Notes that a mutant changes for a test whether a statement is executed.
    pub fn note(&mut self, mutant: usize, test: u32, statement: usize) {
        self.changed.entry((mutant, test)).or_default().insert(statement);
    }

    /// Compares the coverage of tests under a mutant with that of the unchanged program. Lines are taken to
    /// be where they were: the mutant must not shift them. Only tests that the coverage names are compared.
    pub fn compare(&mut self, matrix: &KillMatrix, spectrum: &Spectrum, mutant: usize, under: &LineCoverage) {
        let other = Spectrum::with_coverage(matrix, under, &BTreeMap::new());
        let places =
            other.statements.iter().map(|known| ((known.place.file.as_str(), known.place.line), known));
        let places: BTreeMap<_, _> = places.collect();
        let tests: Vec<u32> =
            (0..matrix.tests.len() as u32).filter(|test| !other.unseen.contains(*test)).collect();
        for (number, statement) in spectrum.statements.iter().enumerate() {
            let now = places.get(&(statement.place.file.as_str(), statement.place.line));
            for test in &tests {
                let executed = now.is_some_and(|now| now.covered.contains(*test));
                if executed != statement.covered.contains(*test) {
                    self.note(mutant, *test, number);
                }
            }
        }
    }

    fn of(&self, mutant: u32, test: u32) -> impl Iterator<Item = usize> {
        self.changed.get(&(mutant as usize, test)).into_iter().flatten().copied()
    }
}

/// Coverage localization of a failing test f: `Σ over m in R(f) of c(m,f,s) / C(s)`, with c = 1 where m changes
/// whether f executes s, and C(s) the sum of c over all failing tests and the mutants that repair them. What
/// changes with every repair of everything says little about one fault.
pub fn coverage_change(subject: &Subject, test: Option<u32>, known: &CoverageChanges) -> Scores {
    let sets = RepairSets::of(&subject.failing, &subject.changes);
    let test = test.unwrap_or_else(|| sets.choose());
    let count = subject.spectrum.statements.len();
    let (mut all, mut own) = (vec![0.0; count], vec![0.0; count]);
    for (failing, mutants) in sets.tests.iter().zip(&sets.mutants) {
        for statement in mutants.iter().flat_map(|mutant| known.of(mutant, *failing)) {
            all[statement] += 1.0;
            own[statement] += if *failing == test { 1.0 } else { 0.0 };
        }
    }
    let values = own.iter().zip(&all).map(|(own, all)| if *all == 0.0 { 0.0 } else { own / all }).collect();
    Scores {
        values,
        facts: vec![("repairs", sets.repairs(test).len() as f64)],
        test: Some(test),
        executed: Vec::new(),
    }
}
