//! Repair localization: mutants that repair a failure, those first that repair little else.

use roaring::RoaringBitmap;

use super::super::Changes;
use super::Scores;
use super::Subject;

/// For each failing test the mutants that repair it: it passes under them, and no passing test breaks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RepairSets {
    /// The failing tests, in order.
    pub tests: Vec<u32>,
    /// Per failing test, its mutants.
    pub mutants: Vec<RoaringBitmap>,
}

impl RepairSets {
    /// The sets of these tests.
    pub fn of(failing: &RoaringBitmap, changes: &[Changes]) -> Self {
        let tests: Vec<u32> = failing.iter().collect();
        let mut mutants = vec![RoaringBitmap::new(); tests.len()];
        for (mutant, changes) in (0..).zip(changes).filter(|(_, changes)| changes.repairs()) {
            for test in &changes.repaired {
                if let Ok(place) = tests.binary_search(&test) {
                    mutants[place].insert(mutant);
                }
            }
        }
        Self { tests, mutants }
    }

    /// The failing test to localize by default: that with the fewest repairs, but at least one, so
    /// that few mutants get all the attention; the first one if nothing is ever repaired.
    pub fn choose(&self) -> u32 {
        let repaired = self.tests.iter().zip(&self.mutants).filter(|(_, mutants)| !mutants.is_empty());
        let fewest = repaired.min_by_key(|(_, mutants)| mutants.len()).map(|(test, _)| *test);
        fewest.or(self.tests.first().copied()).unwrap_or(0)
    }

    /// The mutants that repair a test; none of one that does not fail.
    pub fn repairs(&self, test: u32) -> RoaringBitmap {
        self.tests.binary_search(&test).map_or_else(|_| RoaringBitmap::new(), |at| self.mutants[at].clone())
    }
}

/// The Jaccard distance of two sets of repairs, 0 to 1: the share of mutants that repair only one of the two
/// tests, of those that repair at least one. 0 if nothing repairs either.
pub fn repair_distance(one: &RoaringBitmap, other: &RoaringBitmap) -> f64 {
    let either = one.union_len(other);
    if either == 0 { 0.0 } else { one.symmetric_difference_len(other) as f64 / either as f64 }
}

/// Repair localization of a failing test f: a mutant that repairs it scores `1 / (1 + d)`, d being the largest
/// distance from f to a test that it repairs, too. A statement scores what its best mutant does; 0 without.
/// `subject` must have all failing tests: the others are what tells a specific repair from a general one.
pub fn repair(subject: &Subject, test: Option<u32>) -> Scores {
    let sets = RepairSets::of(&subject.failing, &subject.changes);
    let test = test.unwrap_or_else(|| sets.choose());
    let own = sets.repairs(test);
    let distances: Vec<f64> = sets.mutants.iter().map(|other| repair_distance(&own, other)).collect();
    let score = |mutant: &usize| {
        if !own.contains(*mutant as u32) {
            return 0.0;
        }
        let repaired = sets.mutants.iter().zip(&distances);
        let repaired = repaired.filter(|(mutants, _)| mutants.contains(*mutant as u32));
        1.0 / (1.0 + repaired.map(|(_, distance)| *distance).fold(0.0, f64::max))
    };
    let best = |mutants: &[usize]| mutants.iter().map(score).fold(0.0, f64::max);
    let values = subject.spectrum.statements.iter().map(|statement| best(&statement.mutants)).collect();
    Scores { values, facts: vec![("repairs", own.len() as f64)], test: Some(test), executed: Vec::new() }
}
