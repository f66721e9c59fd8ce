//! Edits that can be switched on.

use crate::insert::slots::Family;

use super::candidates::compared_unit_of;
use super::candidates::unit_of;

/// What stands at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// An alternative, by its place.
    Alternative { slot: u32, alternative: u32 },
    /// A condition made of values, by its number.
    Comparison { slot: u32, number: u32 },
}

impl Choice {
    /// The slot that it is made at.
    pub fn slot(self) -> usize {
        match self {
            Self::Alternative { slot, .. } | Self::Comparison { slot, .. } => slot as usize,
        }
    }

    /// The unit that it switches.
    pub fn unit(self) -> u32 {
        match self {
            Self::Alternative { slot, .. } => unit_of(slot as usize),
            Self::Comparison { slot, .. } => compared_unit_of(slot as usize),
        }
    }

    /// What its unit is switched to.
    fn version(self) -> u32 {
        match self {
            Self::Alternative { alternative, .. } => alternative + 1,
            Self::Comparison { number, .. } => number,
        }
    }
}

/// One edit, which may be made at several places.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    pub family: Family,
    pub choices: Vec<Choice>,
    /// How unlikely it is to be right: less is better.
    pub cost: f64,
}

impl Edit {
    /// Whether two edits cannot both be made.
    pub fn clashes(&self, other: &Self) -> bool {
        self.choices.iter().any(|mine| other.choices.iter().any(|theirs| mine.slot() == theirs.slot()))
    }
}

/// The switches of edits, as the runtime reads them.
pub fn switched_on(edits: &[&Edit]) -> String {
    let choices = edits.iter().flat_map(|edit| &edit.choices);
    let all: Vec<String> = choices.map(|choice| format!("{}:{}", choice.unit(), choice.version())).collect();
    all.join(",")
}
