//! Figures of a solution: of all combinations, and of the strict ones.

use num_bigint::BigUint;

use super::characteristics::Characteristics;
use super::condition::TooLarge;
use super::places::Places;
use super::solution::Solution;
use super::solution::Which;

/// Figures of all combinations, and of the strict ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionFigures {
    /// None if only strict ones are wanted.
    pub all: Option<Characteristics>,
    pub strict: Characteristics,
}

impl SolutionFigures {
    /// The figures of a solution; only those of the strict ones if these are wanted.
    pub fn new(solution: &Solution, places: Option<&Places>, which: Which) -> Result<Self, TooLarge> {
        let all = (which == Which::All).then(|| solution.characteristics(Which::All, places)).transpose()?;
        Ok(Self { all, strict: solution.characteristics(Which::Strict, places)? })
    }

    /// How many there are of those that are wanted.
    pub fn count(&self) -> BigUint {
        self.all.as_ref().unwrap_or(&self.strict).counts.total()
    }
}
