//! Inputs as the mutants that repair them and, where there are none, the mutants that they reach.
//!
//! What repairs two inputs says most, where something repairs both. Of inputs that no mutant repairs, only what they
//! execute is known: two of them are as far as that, and from an input that something repairs they are half a distance
//! further, at most 1.

use super::distance::Apart;
use super::distance::Distance;
use super::repair::RepairVectors;
use super::sets::BitSets;

/// Failing tests with both, in one order.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairAndReach {
    pub repairs: RepairVectors,
    /// Per failing test the mutants that it reaches.
    pub reach: BitSets,
}

impl RepairAndReach {
    /// Whether what inputs reach tells any of them apart.
    pub fn tells_apart(&self) -> bool {
        (1..self.reach.inputs()).any(|input| self.reach.between(0, input) > 0.0)
    }

    /// Whether something repairs each of two inputs.
    fn repaired(&self, first: usize, second: usize) -> [bool; 2] {
        [first, second].map(|input| self.repairs.sets.size(input) > 0)
    }

    /// Whether nothing repairs an input, and it reaches nothing.
    pub fn is_blank(&self, input: usize) -> bool {
        self.repairs.sets.size(input) + self.reach.size(input) == 0
    }
}

impl Distance for RepairAndReach {
    fn inputs(&self) -> usize {
        self.repairs.inputs()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        match self.repaired(first, second) {
            [true, true] => self.repairs.between(first, second),
            [false, false] => self.reach.between(first, second),
            _ => f64::midpoint(1.0, self.reach.between(first, second)),
        }
    }

    /// Mutants that repair only one of them; where nothing repairs either, mutants that only one of them reaches.
    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        match self.repaired(first, second) {
            [false, false] => self.reach.apart(first, second),
            _ => self.repairs.apart(first, second),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tame::LeftOutInput;

    fn vectors(repairs: &[&[u32]], reach: &[&[u32]]) -> RepairAndReach {
        let tests = (0..repairs.len() as u32).collect();
        let repairs = RepairVectors { tests, sets: BitSets::new(repairs), left_out: LeftOutInput::default() };
        RepairAndReach { repairs, reach: BitSets::new(reach) }
    }

    #[test]
    fn inputs_without_repairs_are_told_apart_by_what_they_reach() {
        let both = vectors(&[&[1], &[1, 2], &[], &[]], &[&[1, 2], &[1, 2], &[3], &[3, 4]]);
        assert_eq!(both.between(0, 1), 0.5, "by what repairs them");
        assert_eq!(both.between(0, 2), 1.0);
        assert_eq!(both.between(2, 3), 0.5, "by what they reach");
        assert_eq!(both.apart(0, 1).unwrap().only_second, [2]);
        assert_eq!(both.apart(2, 3).unwrap().only_second, [4]);
        assert!(both.tells_apart() && !both.is_blank(2));
    }

    #[test]
    fn an_input_without_repairs_is_never_the_same_as_one_with() {
        let same = vectors(&[&[1], &[2], &[]], &[&[1, 2], &[1, 2], &[1, 2]]);
        assert!(!same.tells_apart());
        assert_eq!((same.between(0, 1), same.between(0, 2)), (1.0, 0.5));
    }
}
