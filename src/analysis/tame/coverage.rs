//! Inputs as the code they execute.

use rayon::prelude::*;

use crate::matrix::Coverage;

use super::distance::Apart;
use super::distance::Distance;
use super::sets::BitSets;

/// The statements that each test runs, as sets.
pub fn covered_sets(coverage: &Coverage) -> BitSets {
    let lists: Vec<&[u32]> = coverage.tests.iter().map(|test| &test.statements[..]).collect();
    BitSets::new(&lists)
}

/// How often each test runs which statement, compared by Euclidean distance. Sums are whole numbers until the
/// root is taken, so that equal distances are equal, whichever way they were summed up.
pub struct LineCounts {
    coverage: Coverage,
    /// Per test the sum of its squared counts.
    squares: Vec<u128>,
}

impl LineCounts {
    pub fn new(coverage: Coverage) -> Self {
        let square = |count: &u32| u128::from(*count).pow(2);
        let squares = coverage.tests.iter().map(|test| test.counts.iter().map(square).sum()).collect();
        Self { coverage, squares }
    }

    /// What was counted.
    pub fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    fn counts(&self, test: usize) -> impl Iterator<Item = (u32, u32)> {
        let test = &self.coverage.tests[test];
        test.statements.iter().copied().zip(test.counts.iter().copied())
    }

    /// The counts of one test, of all statements.
    fn spread(&self, test: usize) -> Vec<u32> {
        let mut row = vec![0; self.coverage.statements.len()];
        self.counts(test).for_each(|(statement, count)| row[statement as usize] = count);
        row
    }

    /// The distance of a test whose counts are spread out to another: the statements of the other one by one,
    /// and what the first has elsewhere as what is left of the sum of its squares.
    fn spread_to(&self, row: &[u32], first: usize, second: usize) -> f64 {
        let (mut apart, mut met) = (0_u128, 0_u128);
        for (statement, count) in self.counts(second) {
            let own = row[statement as usize];
            apart += u128::from(u64::from(own.abs_diff(count)).pow(2));
            met += u128::from(u64::from(own).pow(2));
        }
        ((apart + self.squares[first] - met) as f64).sqrt()
    }
}

impl Distance for LineCounts {
    fn inputs(&self) -> usize {
        self.coverage.tests.len()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.spread_to(&self.spread(first), first, second)
    }

    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        let row = self.spread(from);
        to.par_iter().map(|other| self.spread_to(&row, from, *other)).collect()
    }

    /// The statements that one of the two runs more often.
    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        let (first, second) = (self.spread(first), self.spread(second));
        let more = |row: &[u32], other: &[u32]| {
            (0..).zip(row.iter().zip(other)).filter(|(_, (a, b))| a > b).map(|(at, _)| at).collect()
        };
        Some(Apart { only_first: more(&first, &second), only_second: more(&second, &first) })
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
        let counts = LineCounts::new(coverage);
        assert_eq!(counts.between(0, 1), 5.0);
        assert_eq!(counts.between(1, 0), 5.0);
        assert_eq!(counts.row(1, &[0, 2, 3]), [5.0, 17.0_f64.sqrt(), 17.0_f64.sqrt()]);
        assert_eq!(counts.between(0, 2), 2.0);
        assert_eq!(counts.between(0, 3), 10.0_f64.sqrt());
        assert_eq!(counts.apart(0, 2), Some(Apart { only_first: vec![0], only_second: vec![] }));
    }
}
