//! What is tried: edits, and slots whose conditions can be made of values.

use std::collections::BTreeMap;

use crate::insert::slots::Comparison;
use crate::insert::slots::Family;
use crate::insert::slots::SlotKind;

use super::edit::Choice;
use super::edit::Edit;
use super::program::SlotProgram;

/// How much less a place costs that only failing tests execute.
const SUSPICION: f64 = 1.5;
/// What each further place of an edit costs that is made at several.
const PLACE: f64 = 0.02;

/// Something to try.
#[derive(Clone, Debug)]
pub enum Try {
    Edit(Edit),
    /// Conditions made of the values of a slot, the likeliest first.
    Comparisons {
        slot: u32,
        all: Vec<Edit>,
    },
}

impl Try {
    /// A choice that it makes, which stands for all of them.
    pub fn choices(&self) -> &[Choice] {
        match self {
            Self::Edit(edit) => &edit.choices,
            Self::Comparisons { all, .. } => all.first().map_or(&[], |edit| &edit.choices),
        }
    }

    /// Its cheapest edit.
    pub fn first(&self) -> Option<&Edit> {
        match self {
            Self::Edit(edit) => Some(edit),
            Self::Comparisons { all, .. } => all.first(),
        }
    }

    /// All of its edits.
    pub fn edits(&self) -> &[Edit] {
        match self {
            Self::Edit(edit) => std::slice::from_ref(edit),
            Self::Comparisons { all, .. } => all,
        }
    }
}

/// Everything, the likeliest first. What no failing test executes may be executed because of another edit.
pub fn tries(program: &SlotProgram) -> Vec<Try> {
    let mut all: Vec<Try> = Vec::new();
    let mut uniform: BTreeMap<(usize, usize, (Family, u64)), Vec<Choice>> = BTreeMap::new();
    for (number, candidate) in program.slots.iter().enumerate() {
        let suspicion = SUSPICION * program.suspicion(number);
        for kept in &candidate.kept {
            let alternative = &candidate.slot.alternatives[*kept];
            let choice = Choice::Alternative { slot: number as u32, alternative: *kept as u32 };
            let cost = alternative.cost() - suspicion;
            all.push(Try::Edit(Edit { family: alternative.family, choices: vec![choice], cost }));
            for key in &alternative.uniform {
                // Texts belong together wherever they are.
                let function = if key.0 == Family::Text { 0 } else { candidate.slot.function };
                uniform.entry((candidate.slot.file, function, *key)).or_default().push(choice);
            }
        }
        let comparisons = comparison_edits(program, number, suspicion);
        if !comparisons.is_empty() {
            all.push(Try::Comparisons { slot: number as u32, all: comparisons });
        }
    }
    // Places may be those of another uniform edit.
    let mut uniform: Vec<(Family, Vec<Choice>)> =
        uniform.into_iter().map(|((_, _, (family, _)), choices)| (family, choices)).collect();
    uniform.sort_unstable();
    uniform.dedup();
    all.extend(
        uniform
            .into_iter()
            .filter_map(|(family, choices)| everywhere(program, family, choices))
            .map(Try::Edit),
    );
    let cost = |one: &Try| one.first().map_or(f64::MAX, |edit| edit.cost);
    all.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then_with(|| a.choices().cmp(b.choices())));
    all
}

/// One edit that is made at several slots.
fn everywhere(program: &SlotProgram, family: Family, mut choices: Vec<Choice>) -> Option<Edit> {
    choices.sort_unstable();
    choices.dedup_by_key(|choice| choice.slot());
    let slots: Vec<usize> = choices.iter().map(|choice| choice.slot()).collect();
    let suspicion = slots.iter().map(|slot| program.suspicion(*slot)).fold(0.0, f64::max);
    let cost = family.row().cost + PLACE * choices.len() as f64 - SUSPICION * suspicion;
    (choices.len() > 1).then_some(Edit { family, choices, cost })
}

/// Conditions made of the values of a slot, the likeliest first.
fn comparison_edits(program: &SlotProgram, slot: usize, suspicion: f64) -> Vec<Edit> {
    let candidate = &program.slots[slot];
    let family = if candidate.slot.kind == SlotKind::Guard { Family::Guard } else { Family::Condition };
    let edit = |(number, comparison): (u32, Comparison)| Edit {
        family,
        choices: vec![Choice::Comparison { slot: slot as u32, number }],
        cost: family.row().cost + comparison.oddness(&candidate.values) - suspicion,
    };
    let mut all: Vec<Edit> = program.comparisons(slot).map(edit).collect();
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost).then_with(|| a.choices.cmp(&b.choices)));
    all
}
