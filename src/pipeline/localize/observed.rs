//! Who executes which lines, as the survey and the mutants of what could not be watched show it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use roaring::RoaringBitmap;

use crate::engine::KnownBy;
use crate::engine::Survey;
use crate::insert::Mutant;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;

/// The file of a mutant, and the tokens that it changes there.
pub fn place_of(mutant: &Mutant) -> (usize, u32, u32) {
    (mutant.file, mutant.edit.from, mutant.edit.to)
}

/// Per statement that was not watched, the tests that reach its mutants; `switched` are the mutants whose reach is known,
/// `places` where each mutant is.
pub fn reach_of_mutants(
    survey: &Survey,
    matrix: &KillMatrix,
    switched: impl Iterator<Item = usize>,
    places: &[(usize, u32, u32)],
) -> BTreeMap<usize, RoaringBitmap> {
    let mut reach: BTreeMap<usize, RoaringBitmap> = BTreeMap::new();
    if survey.statements.iter().all(|known| known.known_by == KnownBy::Guard) {
        return reach;
    }
    for number in switched {
        let (file, from, to) = places[number];
        let statement = survey.statement_number(file, from, to);
        let statement = statement.filter(|at| survey.statements[*at].known_by != KnownBy::Guard);
        if let (Some(statement), Some(outcome)) = (statement, matrix.outcome(number)) {
            *reach.entry(statement).or_default() |= &outcome.covered;
        }
    }
    reach
}

/// Line coverage: a statement is the line on which it begins. `reach` is that of the mutants of what was not watched.
pub fn coverage(survey: &Survey, paths: &[PathBuf], reach: &BTreeMap<usize, RoaringBitmap>) -> LineCoverage {
    let mut coverage = LineCoverage::default();
    if survey.statements.is_empty() {
        return coverage;
    }
    let name = |test: u32| &survey.baseline.tests[test as usize].name;
    for test in survey.baseline.heard() {
        coverage.tests.insert(name(test).clone(), BTreeMap::new());
    }
    for (number, statement) in survey.statements.iter().enumerate() {
        let seen = reach.get(&number);
        if seen.is_none() && statement.known_by == KnownBy::Nothing {
            // Nobody knows who executes it: its mutants, if there are any, make a statement of their own.
            continue;
        }
        let file = paths[statement.file].display().to_string();
        coverage.lines.entry(file.clone()).or_default().insert(statement.line);
        for test in &executed_by(&statement.covered, seen) {
            let executed = coverage.tests.entry(name(test).clone()).or_default();
            executed.entry(file.clone()).or_default().insert(statement.line);
        }
    }
    coverage
}

/// Who executes a statement by what is known around it and by the reach of its mutants. Its mutants may be switched on
/// around it, so that more tests reach them than execute it; never fewer.
fn executed_by(around: &RoaringBitmap, reach: Option<&RoaringBitmap>) -> RoaringBitmap {
    let Some(reach) = reach else { return around.clone() };
    let both = around & reach;
    if both.is_empty() { reach.clone() } else { both }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_correct_what_is_known_around_a_statement() {
        let set = |tests: &[u32]| tests.iter().copied().collect::<RoaringBitmap>();
        for (around, reach, wanted) in [
            (&[1, 2][..], None, &[1, 2][..]),
            (&[1, 2], Some(&[2, 3, 4][..]), &[2]),
            (&[], Some(&[3]), &[3]),
            (&[1], Some(&[2, 3]), &[2, 3]),
        ] {
            assert_eq!(executed_by(&set(around), reach.map(set).as_ref()), set(wanted));
        }
    }
}
