//! Inputs as what is written in them: normalised Levenshtein distance over bytes.

use rapidfuzz::distance::levenshtein::BatchComparator;
use rayon::prelude::*;

use super::distance::Distance;

/// The inputs' bytes. A distance is the fewest bytes to change, insert or delete that make one input of the
/// other, by the length of the longer one: 0 to 1, and 0 for two empty inputs.
pub struct Texts(pub Vec<Vec<u8>>);

impl Texts {
    fn normalised(&self, comparator: &BatchComparator<u8>, first: usize, second: usize) -> f64 {
        let longer = self.0[first].len().max(self.0[second].len());
        if longer == 0 {
            return 0.0;
        }
        comparator.distance(self.0[second].iter().copied()) as f64 / longer as f64
    }
}

impl Distance for Texts {
    fn inputs(&self) -> usize {
        self.0.len()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.normalised(&BatchComparator::new(self.0[first].iter().copied()), first, second)
    }

    /// What the comparison needs to know of the first text is looked up once.
    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        let comparator = BatchComparator::new(self.0[from].iter().copied());
        to.par_iter().map(|other| self.normalised(&comparator, from, *other)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The table of the textbook.
    fn naive(first: &[u8], second: &[u8]) -> usize {
        let mut row: Vec<usize> = (0..=second.len()).collect();
        for (at, a) in first.iter().enumerate() {
            let mut corner = std::mem::replace(&mut row[0], at + 1);
            for (column, b) in second.iter().enumerate() {
                let changed = corner + usize::from(a != b);
                corner = row[column + 1];
                row[column + 1] = changed.min(corner + 1).min(row[column] + 1);
            }
        }
        row[second.len()]
    }

    #[test]
    fn kitten_is_three_bytes_of_seven_from_sitting() {
        let texts = Texts(["kitten", "sitting", "", ""].map(|text| text.as_bytes().to_vec()).to_vec());
        assert_eq!(texts.between(0, 1), 3.0 / 7.0);
        assert_eq!(texts.row(2, &[0, 3]), [1.0, 0.0]);
    }

    proptest! {
        #[test]
        fn bytes_count_whatever_they_are(a in vec(250_u8.., 0..200), b in vec(250_u8.., 0..200)) {
            let wanted = naive(&a, &b) as f64 / a.len().max(b.len()).max(1) as f64;
            let texts = Texts(vec![a, b]);
            prop_assert_eq!(texts.between(0, 1), wanted);
            prop_assert_eq!(texts.row(1, &[0]), vec![wanted]);
        }
    }
}
