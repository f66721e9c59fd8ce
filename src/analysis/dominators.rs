//! Mutants that stand for others: a test that kills one also kills the rest.
//!
//! In: a kill matrix. Out: the mutants with minimal sets of killing tests, one of each set, and survivors in groups.
//! Mutant A stands for B if every test that kills A also kills B (dynamic subsumption). Survivors have no killing tests
//! yet: those of one function that the same tests reach are taken together, since a test that looks at what this code
//! does is likely to notice all of them.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::Outcome;

/// Which mutants of a matrix are sufficient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dominators {
    /// Killed mutants with minimal sets of killing tests, in order; none where tests were left out.
    pub killed: Option<Vec<u32>>,
    /// Survivors, the group with most others first.
    pub groups: Vec<SurvivorGroup>,
}

/// A survivor, and others that a test for it probably kills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurvivorGroup {
    pub of: u32,
    pub others: Vec<u32>,
}

impl Dominators {
    /// Of a matrix; `ranked` are its survivors, the most worthwhile first, `function` tells functions apart.
    pub fn new(matrix: &KillMatrix, ranked: &[u32], function: impl Fn(u32) -> u64) -> Self {
        let killed = is_full(matrix).then(|| minimal(matrix));
        Self { killed, groups: groups(matrix, ranked, function) }
    }

    /// Killed mutants that stand for others, of these and the groups of survivors; none where that is not known.
    pub fn score(&self) -> Option<f64> {
        let killed = self.killed.as_ref()?.len();
        let all = killed + self.groups.len();
        (all > 0).then(|| killed as f64 / all as f64)
    }
}

/// Whether every killed mutant was run with all tests that reach it.
fn is_full(matrix: &KillMatrix) -> bool {
    let whole = |known: &Outcome| known.fate != Fate::Killed || known.covered.is_subset(&known.ran);
    matrix.outcomes.iter().flatten().all(whole)
}

/// The first mutant of every minimal set of killing tests.
fn minimal(matrix: &KillMatrix) -> Vec<u32> {
    let mut first: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
    for mutant in 0..matrix.mutants.len() as u32 {
        let kills = matrix.kills(mutant as usize);
        if !kills.is_empty() {
            first.entry(kills.iter().collect()).or_insert(mutant);
        }
    }
    let mut sets: Vec<(RoaringBitmap, u32)> =
        first.into_iter().map(|(tests, mutant)| (tests.into_iter().collect(), mutant)).collect();
    sets.sort_by_key(|(tests, mutant)| (tests.len(), *mutant));
    // A set that another holds has its first test there: only those have to be compared.
    let mut kept: BTreeMap<u32, Vec<RoaringBitmap>> = BTreeMap::new();
    let mut found = Vec::new();
    for (tests, mutant) in sets {
        let held = tests.iter().any(|test| {
            kept.get(&test).is_some_and(|sets| sets.iter().any(|smaller| smaller.is_subset(&tests)))
        });
        if !held {
            kept.entry(tests.min().unwrap_or_default()).or_default().push(tests);
            found.push(mutant);
        }
    }
    found.sort_unstable();
    found
}

fn groups(matrix: &KillMatrix, ranked: &[u32], function: impl Fn(u32) -> u64) -> Vec<SurvivorGroup> {
    let mut places: BTreeMap<(u64, Vec<u32>), usize> = BTreeMap::new();
    let mut groups: Vec<SurvivorGroup> = Vec::new();
    for &mutant in ranked {
        let reached = matrix.outcome(mutant as usize).map(|known| known.covered.iter().collect());
        let key = (function(mutant), reached.unwrap_or_default());
        let at = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.others.push(mutant),
            None => groups.push(SurvivorGroup { of: mutant, others: Vec::new() }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.others.len()));
    groups
}

/// A ranking in which every function has its turn before one has a second.
pub fn one_per_function(ranked: &[u32], function: impl Fn(u32) -> u64) -> Vec<u32> {
    let mut turns: BTreeMap<u64, u32> = BTreeMap::new();
    let mut order: Vec<(u32, usize, u32)> = Vec::with_capacity(ranked.len());
    for (at, &mutant) in ranked.iter().enumerate() {
        let turn = turns.entry(function(mutant)).or_default();
        order.push((*turn, at, mutant));
        *turn += 1;
    }
    order.sort_unstable();
    order.into_iter().map(|(_, _, mutant)| mutant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::from_csv;

    fn matrix(rows: &str) -> KillMatrix {
        from_csv(&format!("mutant,file,line,fate,a,b,c\n{rows}"), "t").unwrap()
    }

    #[test]
    fn a_mutant_that_fewer_tests_kill_stands_for_those_that_more_kill() {
        let matrix = matrix(
            "1,f,1,killed,F,P,P\n2,f,1,killed,F,F,P\n3,f,1,killed,F,P,P\n4,f,1,killed,P,F,F\n5,f,2,survived,P,P,P\n",
        );
        let dominators = Dominators::new(&matrix, &[4], |_| 0);
        assert_eq!(dominators.killed, Some(vec![0, 3]), "2 is killed whenever 1 is, 3 is like 1");
        assert_eq!(dominators.score(), Some(2.0 / 3.0));
    }

    #[test]
    fn where_tests_were_left_out_nothing_is_claimed() {
        let mut matrix = matrix("1,f,1,killed,F,P,P\n");
        matrix.outcomes[0].as_mut().unwrap().covered.insert(1);
        matrix.outcomes[0].as_mut().unwrap().ran.remove(1);
        assert_eq!(Dominators::new(&matrix, &[], |_| 0).score(), None);
    }

    #[test]
    fn survivors_of_one_function_that_the_same_tests_reach_are_one_group() {
        let matrix = matrix("1,f,1,survived,P,P,P\n2,f,1,survived,P,P,P\n3,g,1,survived,P,P,P\n");
        let groups = Dominators::new(&matrix, &[1, 0, 2], |mutant| u64::from(mutant == 2)).groups;
        assert_eq!(groups[0], SurvivorGroup { of: 1, others: vec![0] });
        assert_eq!(groups[1].of, 2);
    }

    #[test]
    fn every_function_comes_before_a_second_of_one() {
        assert_eq!(one_per_function(&[5, 6, 7, 8], |mutant| u64::from(mutant < 7)), [5, 7, 6, 8]);
    }
}
