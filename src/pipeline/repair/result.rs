//! The result of it.

use std::time::Duration;

use super::patch::Patch;
use super::search::Searched;

/// What a command says of a patch that was not used to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeldOut {
    Passes,
    Fails,
}

/// A patch with which the original project builds and passes all tests.
#[derive(Clone, Debug)]
pub struct VerifiedPatch {
    pub patch: Patch,
    /// Other edits that do the same in all tests, as the sources would be.
    pub same: usize,
    /// How unlikely it is to be right: less is better.
    pub cost: f64,
    pub held_out: Option<HeldOut>,
    /// How long after the beginning of the search it was found.
    pub after: Duration,
}

/// The result of a repair.
#[derive(Clone, Debug)]
pub struct RepairResult {
    /// The names of the tests that fail.
    pub failing: Vec<String>,
    /// How many tests pass.
    pub passing: usize,
    /// Slots and alternatives that were tried, comparisons with them.
    pub slots: usize,
    pub alternatives: usize,
    /// Alternatives that do not compile.
    pub unviable: usize,
    /// The best first.
    pub patches: Vec<VerifiedPatch>,
    /// Combinations that did not hold when built from the sources.
    pub refuted: usize,
    pub searched: Searched,
}
