//! Which revision to try next, and which one brought the fault: halving a history with branches.
//!
//! In: revisions by number, each with its parents, and whether tried ones show the fault. Out: the next one to try,
//! until only one can be the first bad one, or only such that could not be tried.

use roaring::RoaringBitmap;

/// The result of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tested {
    Good,
    Bad,
    /// It does not build, or cannot be judged.
    Skipped,
}

/// A history that is being halved.
#[derive(Clone, Debug)]
pub struct Bisection {
    /// Per revision, itself and all of its ancestors.
    ancestors: Vec<RoaringBitmap>,
    /// Revisions of which one is the first bad one.
    candidates: RoaringBitmap,
    skipped: RoaringBitmap,
    bad: u32,
}

impl Bisection {
    /// Revisions from the oldest on, by their parents among themselves; the last one is bad.
    pub fn new(parents: &[Vec<u32>]) -> Self {
        let mut ancestors: Vec<RoaringBitmap> = Vec::with_capacity(parents.len());
        for (number, above) in (0_u32..).zip(parents) {
            let mut all = RoaringBitmap::from_iter([number]);
            for parent in above {
                all |= &ancestors[*parent as usize];
            }
            ancestors.push(all);
        }
        let bad = parents.len().saturating_sub(1) as u32;
        let candidates = ancestors.last().cloned().unwrap_or_default();
        Self { ancestors, candidates, skipped: RoaringBitmap::new(), bad }
    }

    /// The revision that halves what is left best; none if nothing is left to try.
    pub fn next(&self) -> Option<u32> {
        let all = self.candidates.len();
        let open =
            self.candidates.iter().filter(|number| *number != self.bad && !self.skipped.contains(*number));
        open.max_by_key(|number| {
            let below = self.ancestors[*number as usize].intersection_len(&self.candidates);
            below.min(all - below)
        })
    }

    /// Takes the result of a revision.
    pub fn answer(&mut self, number: u32, tested: Tested) {
        let ancestors = &self.ancestors[number as usize];
        match tested {
            Tested::Good => self.candidates -= ancestors,
            Tested::Bad => {
                self.candidates &= ancestors;
                self.bad = number;
            }
            Tested::Skipped => {
                self.skipped.insert(number);
            }
        }
    }

    /// Revisions of which one is the first bad one, from the oldest on; more than one if some could not be tried.
    pub fn candidates(&self) -> Vec<u32> {
        self.candidates.iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bad one, and how many were tried, where these are bad.
    fn found(parents: &[Vec<u32>], tested: impl Fn(u32) -> Tested) -> (Vec<u32>, usize) {
        let mut bisection = Bisection::new(parents);
        let mut tried = 0;
        while let Some(next) = bisection.next() {
            tried += 1;
            bisection.answer(next, tested(next));
        }
        (bisection.candidates(), tried)
    }

    #[test]
    fn a_line_of_a_thousand_takes_ten_tries() {
        let line: Vec<Vec<u32>> =
            (0..1000_u32).map(|number| number.checked_sub(1).into_iter().collect()).collect();
        for first in [0, 1, 499, 998, 999] {
            let (candidates, tried) =
                found(&line, |number| if number >= first { Tested::Bad } else { Tested::Good });
            assert_eq!(candidates, [first]);
            assert!(tried <= 10, "{tried}");
        }
    }

    #[test]
    fn a_fault_of_a_branch_is_found_on_the_branch() {
        // 0 - 1 - 2 ------- 5 - 6
        //      \- 3 - 4 ---/
        let parents = [vec![], vec![0], vec![1], vec![1], vec![3], vec![2, 4], vec![5]];
        let bad = |number: u32| if [4, 5, 6].contains(&number) { Tested::Bad } else { Tested::Good };
        assert_eq!(found(&parents, bad).0, [4]);
    }

    #[test]
    fn what_cannot_be_tried_stays_a_candidate() {
        let line: Vec<Vec<u32>> =
            (0..6_u32).map(|number| number.checked_sub(1).into_iter().collect()).collect();
        let tested = |number: u32| match number {
            0 | 1 => Tested::Good,
            2 | 3 => Tested::Skipped,
            _ => Tested::Bad,
        };
        assert_eq!(found(&line, tested).0, [2, 3, 4]);
    }
}
