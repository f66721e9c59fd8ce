//! A program with all edits in it that was built, and the workers that run it.

use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::engine::Baseline;
use crate::files::TemporaryDirectory;
use crate::insert::slots::Comparison;
use crate::insert::slots::comparisons;
use crate::workspace::Workspace;

use super::candidates::SlotCandidate;
use super::candidates::compared_unit_of;
use super::candidates::unit_of;
use super::edit::Choice;
use super::worker::SlotWorker;

/// A program that runs any combination of edits.
pub struct SlotProgram {
    pub slots: Vec<SlotCandidate>,
    pub baseline: Baseline,
    /// Tests that fail and shall pass, by their numbers in the baseline.
    pub failing: Vec<u32>,
    /// Tests that pass and shall go on to.
    pub passing: Vec<u32>,
    /// Per unit, the tests that pass it.
    pub reached: Vec<RoaringBitmap>,
    /// How often conditions may be passed by a run.
    pub most_passes: u64,
    pub workers: Vec<Mutex<SlotWorker>>,
    /// Alternatives that did not compile.
    pub unviable: usize,
    /// What the workers run in.
    pub(super) _homes: Vec<(Workspace, Option<TemporaryDirectory>)>,
}

impl SlotProgram {
    /// The tests that pass a slot, whichever of its units.
    pub fn tests_of_slot(&self, slot: usize) -> RoaringBitmap {
        &self.reached[unit_of(slot) as usize] | &self.reached[compared_unit_of(slot) as usize]
    }

    /// The tests that can notice these choices.
    pub fn tests_of(&self, choices: impl Iterator<Item = Choice>) -> RoaringBitmap {
        choices.fold(RoaringBitmap::new(), |tests, choice| tests | &self.reached[choice.unit() as usize])
    }

    /// How suspicious a slot is, by the tests that pass it: Ochiai's formula.
    pub fn suspicion(&self, slot: usize) -> f64 {
        let tests = self.tests_of_slot(slot);
        let failing = self.failing.iter().filter(|test| tests.contains(**test)).count() as f64;
        let passing = self.passing.iter().filter(|test| tests.contains(**test)).count() as f64;
        let under = (self.failing.len() as f64 * (failing + passing)).sqrt();
        if under == 0.0 { 0.0 } else { failing / under }
    }

    /// The conditions that can be made at a slot, with their numbers.
    pub fn comparisons(&self, slot: usize) -> impl Iterator<Item = (u32, Comparison)> + '_ {
        comparisons(&self.slots[slot].values, self.slots[slot].slot.kind.is_value())
    }

    /// How many edits there are, comparisons with them.
    pub fn alternatives(&self) -> usize {
        (0..self.slots.len()).map(|slot| self.slots[slot].kept.len() + self.comparisons(slot).count()).sum()
    }
}
