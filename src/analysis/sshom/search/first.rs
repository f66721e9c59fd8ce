//! What is known about single mutants.

use roaring::RoaringBitmap;

use super::super::definition::Subsumption;
use super::super::definition::subsumes;
use super::super::places::Places;
use super::super::points::Points;

/// Mutants, the tests that kill each alone, and where they are if that is known.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    pub points: Points,
    /// By mutant.
    pub kills: Vec<RoaringBitmap>,
    pub places: Option<Places>,
}

impl FirstOrder {
    /// The tests that kill each of these mutants alone; none for none.
    pub fn shared(&self, combination: &[u32]) -> RoaringBitmap {
        let mut sets = combination.iter().map(|mutant| &self.kills[*mutant as usize]);
        let mut shared = sets.next().cloned().unwrap_or_default();
        sets.for_each(|tests| shared &= tests);
        shared
    }

    /// The tests that kill at least one of these mutants alone.
    pub fn united(&self, combination: &[u32]) -> RoaringBitmap {
        let mut united = RoaringBitmap::new();
        combination.iter().for_each(|mutant| united |= &self.kills[*mutant as usize]);
        united
    }

    /// Whether a combination that these tests kill is strongly subsuming.
    pub fn judge(&self, combination: &[u32], kills: &RoaringBitmap) -> Option<Subsumption> {
        subsumes(kills, combination.iter().map(|mutant| &self.kills[*mutant as usize]))
    }
}
