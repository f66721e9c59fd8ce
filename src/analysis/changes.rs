//! What a mutant changes in test results.

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::matrix::KillMatrix;

/// Tests, by number, whose result a mutant changes. A test that was not run keeps its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Failed before and pass now.
    pub repaired: RoaringBitmap,
    /// Passed before and do not now.
    pub broken: RoaringBitmap,
    /// Fail as before, but in another way: a crash became a failure, say.
    pub otherwise: RoaringBitmap,
}

impl Changes {
    /// What a mutant changes for these failing and passing tests.
    pub fn of(matrix: &KillMatrix, mutant: usize, failing: &RoaringBitmap, passing: &RoaringBitmap) -> Self {
        let Some(known) = matrix.outcome(mutant) else { return Self::default() };
        let kills = known.kills();
        let differs = |test: u32| {
            let before = matrix.tests.get(test as usize).map(|test| test.verdict);
            known.verdict(test).zip(before).is_some_and(|(now, before)| now != before && now != Verdict::Pass)
        };
        Self {
            repaired: (failing & &known.ran) - &kills,
            broken: passing & &kills,
            otherwise: (failing & &kills).into_iter().filter(|test| differs(*test)).collect(),
        }
    }

    /// Whether a failing test passes or a passing one fails.
    pub fn flips(&self) -> bool {
        !self.repaired.is_empty() || !self.broken.is_empty()
    }

    /// Whether it is a repair: a failing test passes and no passing one breaks.
    pub fn repairs(&self) -> bool {
        !self.repaired.is_empty() && self.broken.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::from_csv;

    #[test]
    fn what_was_not_run_did_not_change() {
        let table = "mutant,file,line,fate,f,g,h,p,q\n1,a.c,1,killed,P,C,F,F,.\n";
        let mut matrix = from_csv(table, "t").unwrap();
        (0..3).for_each(|test| matrix.tests[test].verdict = Verdict::Fail);
        let changes = Changes::of(&matrix, 0, &RoaringBitmap::from([0, 1, 2]), &RoaringBitmap::from([3, 4]));
        assert_eq!(changes.repaired, RoaringBitmap::from([0]));
        assert_eq!(changes.broken, RoaringBitmap::from([3]));
        assert_eq!(changes.otherwise, RoaringBitmap::from([1]));
        assert!(changes.flips() && !changes.repairs());
    }
}
