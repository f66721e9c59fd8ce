//! How unlikely a combination is to be strongly subsuming.

use super::first::FirstOrder;

/// What counts how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    pub order: i64,
    pub test_difference: i64,
    pub n_plus_one: i64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { order: 5, test_difference: 1, n_plus_one: 15 }
    }
}

/// How many tests kill some of these mutants, but not all.
pub fn test_difference(first: &FirstOrder, combination: &[u32]) -> u64 {
    first.united(combination).len() - first.shared(combination).len()
}

/// The less, the earlier it is tried: many mutants are unlikely, mutants that different tests kill are
/// unlikely; one more than a combination that is known to be strongly subsuming is likely.
pub fn penalty(weights: &Weights, first: &FirstOrder, combination: &[u32], n_plus_one: bool) -> i64 {
    weights.order * combination.len() as i64
        + weights.test_difference * test_difference(first, combination) as i64
        - if n_plus_one { weights.n_plus_one } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::super::points::Points;
    use super::*;

    #[test]
    fn order_and_different_tests_count_against_it_and_a_smaller_one_for_it() {
        let kills = [vec![1, 2, 3], vec![2, 3, 4], vec![2]].map(|tests| tests.into_iter().collect());
        let names = [vec!["a".into()], vec!["b".into()], vec!["c".into()]];
        let first = FirstOrder { points: Points::new(names), kills: kills.to_vec(), places: None };
        let weights = Weights::default();
        assert_eq!(test_difference(&first, &[0, 1]), 2);
        assert_eq!(penalty(&weights, &first, &[0, 1], false), 12);
        assert_eq!(penalty(&weights, &first, &[0, 1, 2], false), 18);
        assert_eq!(penalty(&weights, &first, &[0, 1, 2], true), 3);
    }
}
