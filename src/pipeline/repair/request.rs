//! Inputs of this pipeline.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::insert::slots::Family;

/// How edits are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairSearch {
    /// Conditions that give the same are one; combinations that come near are tried first.
    Split,
    /// Edits are tried one by one, then all pairs, and so on.
    Each,
    /// Combinations are bred from those that come near.
    Genetic,
}

/// How a program is to be repaired.
#[derive(Clone, Debug)]
pub struct RepairRequest {
    pub search: RepairSearch,
    /// The search ends after this time.
    pub budget: Duration,
    /// The most edits of a patch.
    pub degree: usize,
    /// How many patches are verified and listed.
    pub top: usize,
    /// Families that are wanted; all if there are none.
    pub families: BTreeSet<Family>,
    /// Also looks for patches of more edits than the smallest has.
    pub all: bool,
    /// A command that must succeed with a patch, and is not used to find it.
    pub held_out: Option<String>,
    pub seed: u32,
    pub jobs: usize,
}
