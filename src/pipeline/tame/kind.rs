//! What inputs are compared by.

/// What inputs are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistanceKind {
    /// Mutants that repair one and not the other, of those that repair any (Jaccard).
    Repair,
    /// That, and for inputs that no mutant repairs the mutants that one reaches and the other does not.
    RepairReach,
    /// Statements that one runs and the other does not, of those that any runs; with a matrix, mutants reached.
    CoverageJaccard,
    /// How often statements are run (Euclid).
    CoverageEuclid,
    /// Bytes to change, by the length of the longer input.
    Levenshtein,
}

impl DistanceKind {
    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Repair => "repair",
            Self::RepairReach => "repair-reach",
            Self::CoverageJaccard => "coverage-jaccard",
            Self::CoverageEuclid => "coverage-euclid",
            Self::Levenshtein => "levenshtein",
        }
    }

    /// Whether it compares statements that are run.
    pub fn is_coverage(self) -> bool {
        matches!(self, Self::CoverageJaccard | Self::CoverageEuclid)
    }
}
