//! Inputs as what they run.

use crate::matrix::Coverage;

use super::distance::Apart;
use super::distance::Distance;
use super::sets::BitSets;

/// The statements that each test runs, as sets.
pub fn covered_sets(coverage: &Coverage) -> BitSets {
    let lists: Vec<&[u32]> = coverage.tests.iter().map(|test| &test.statements[..]).collect();
    BitSets::new(&lists)
}

/// How often each test runs which statement, compared by Euclidean distance.
pub struct Counts(pub Coverage);

impl Counts {
    /// The statements of two tests with how often they are run, in their order.
    fn pairs(&self, first: usize, second: usize) -> impl Iterator<Item = (u32, u32, u32)> {
        let row = |test: usize| {
            let test = &self.0.tests[test];
            test.statements.iter().copied().zip(test.counts.iter().copied()).peekable()
        };
        let (mut first, mut second) = (row(first), row(second));
        std::iter::from_fn(move || {
            let at = |next: Option<&(u32, u32)>| next.map_or(u32::MAX, |next| next.0);
            let statement = at(first.peek()).min(at(second.peek()));
            let count = |next: Option<(u32, u32)>| next.map_or(0, |next| next.1);
            let counts = (
                count(first.next_if(|next| next.0 == statement)),
                count(second.next_if(|next| next.0 == statement)),
            );
            (counts != (0, 0)).then_some((statement, counts.0, counts.1))
        })
    }
}

impl Distance for Counts {
    fn inputs(&self) -> usize {
        self.0.tests.len()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        let square = |(_, a, b): (u32, u32, u32)| (f64::from(a) - f64::from(b)).powi(2);
        self.pairs(first, second).map(square).sum::<f64>().sqrt()
    }

    /// The statements that one of the two runs more often.
    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        let mut apart = Apart::default();
        for (statement, a, b) in self.pairs(first, second) {
            match a.cmp(&b) {
                std::cmp::Ordering::Greater => apart.only_first.push(statement),
                std::cmp::Ordering::Less => apart.only_second.push(statement),
                std::cmp::Ordering::Equal => {}
            }
        }
        Some(apart)
    }
}

#[cfg(test)]
mod tests {
    use crate::matrix::from_plain;

    use super::*;

    #[test]
    fn sets_forget_how_often_and_counts_do_not() {
        let text = "[t]\na:1 3\na:2 1\n[u]\na:2 1\na:3 4\n[v]\na:1 1\na:2 1\n[empty]\n";
        let coverage = from_plain(text, "c").unwrap();
        let sets = covered_sets(&coverage);
        assert_eq!(sets.between(0, 1), 2.0 / 3.0);
        assert_eq!(sets.between(0, 2), 0.0);
        assert_eq!(sets.between(0, 3), 1.0);
        let counts = Counts(coverage);
        assert_eq!(counts.between(0, 1), 5.0);
        assert_eq!(counts.between(1, 0), 5.0);
        assert_eq!(counts.between(0, 2), 2.0);
        assert_eq!(counts.between(0, 3), 10.0_f64.sqrt());
        assert_eq!(counts.apart(0, 2), Some(Apart { only_first: vec![0], only_second: vec![] }));
    }
}
