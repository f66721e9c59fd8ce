//! What is printed about a mutant's code.

/// What a mutant's code equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// Nothing, as far as can be told.
    Different,
    /// The original's.
    Original,
    /// That of an earlier mutant.
    Mutant(u32),
}

/// Says that a mutant is compiled to the code of the original, or of another mutant.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub mutant: u32,
    pub same: Same,
}

impl Same {
    /// The earlier mutant.
    pub fn mutant(self) -> Option<u32> {
        match self {
            Self::Mutant(mutant) => Some(mutant),
            Self::Different | Self::Original => None,
        }
    }
}
