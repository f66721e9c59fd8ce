//! The mutants of a fixed function: which are tried, in which order, and which set makes them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::insert::FileMutants;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Selection;
use crate::insert::Skips;
use crate::insert::Target;
use crate::insert::describe;
use crate::langdef::LangDef;
use crate::matrix::Fate;
use crate::pipeline::coupling::column::Column;
use crate::pipeline::coupling::fault::Fault;

use super::outcome::CoupledMutant;
use super::outcome::SetOutcome;
use super::trees::Tree;

/// A change of text, seen from where the fixing lines begin: the same in both trees.
type Place = (i64, i64, Vec<u8>);

/// A mutant that is tried.
pub(super) struct Tried {
    place: Place,
    shown: CoupledMutant,
}

/// The mutants that are tried, and the order in which each set would try its own.
pub(super) struct Trial {
    pub tried: Vec<Tried>,
    /// Per set, numbers of mutants.
    orders: Vec<Vec<usize>>,
}

/// The fate of each mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    Unviable,
    Untested,
    KilledBefore,
    Survived,
    Coupled,
}

impl Trial {
    /// The mutants of the fixed function by every set, at most `most`, those near the fix first.
    pub fn new(def: &LangDef, columns: &[Column], fit: &Fit, fault: &Fault, most: usize) -> Self {
        let orders: Vec<Vec<(Place, CoupledMutant, bool)>> =
            columns.iter().map(|column| order(def, column, fit, fault)).collect();
        // All sets together come last.
        let mut all: Vec<&(Place, CoupledMutant, bool)> = orders.last().into_iter().flatten().collect();
        if all.len() > most {
            all.sort_by_key(|(_, _, near)| !near);
            all.truncate(most);
        }
        let tried: Vec<Tried> = all
            .iter()
            .map(|(place, shown, _)| Tried { place: place.clone(), shown: shown.clone() })
            .collect();
        let numbers: BTreeMap<&Place, usize> =
            tried.iter().enumerate().map(|(number, tried)| (&tried.place, number)).collect();
        let known = |order: &Vec<(Place, CoupledMutant, bool)>| {
            order.iter().filter_map(|(place, ..)| numbers.get(place).copied()).collect()
        };
        let orders = orders.iter().map(known).collect();
        Self { orders, tried }
    }

    /// The mutants of another tree's file that are these, with their numbers.
    pub fn find<'m>(
        &self,
        wanted: &BTreeSet<usize>,
        inserter: &Inserter,
        found: &'m [Mutant],
        tree: &Tree,
    ) -> (Vec<usize>, Vec<&'m Mutant>) {
        let numbers: BTreeMap<&Place, usize> =
            wanted.iter().map(|number| (&self.tried[*number].place, *number)).collect();
        let all: Vec<&Mutant> = found.iter().collect();
        let described = describe(inserter, &all);
        let mut these: Vec<(usize, &Mutant)> = Vec::new();
        for (mutant, described) in all.into_iter().zip(described) {
            let place = place(&described.edit, tree.at);
            these.extend(numbers.get(&place).map(|number| (*number, mutant)));
        }
        these.sort_by_key(|(_, mutant)| mutant.place());
        these.into_iter().unzip()
    }

    /// What the mutants of each set came to.
    pub fn outcomes(&self, met: &[Met]) -> Vec<SetOutcome> {
        self.orders.iter().map(|order| self.outcome(order, met)).collect()
    }

    fn outcome(&self, order: &[usize], met: &[Met]) -> SetOutcome {
        let mut outcome = SetOutcome { mutants: order.len(), ..SetOutcome::default() };
        for &number in order {
            match met[number] {
                Met::Unviable => outcome.unviable += 1,
                Met::Untested => outcome.untested += 1,
                Met::KilledBefore => outcome.killed_before += 1,
                Met::Survived => outcome.survived += 1,
                Met::Coupled => {
                    outcome.coupled.push(self.tried[number].shown.clone());
                    let tested = outcome.tested();
                    outcome.first.get_or_insert(tested);
                }
            }
        }
        outcome
    }
}

/// The mutants of the fixed function by one set, in the order in which it would try them; whether each is near the fix.
fn order(def: &LangDef, column: &Column, fit: &Fit, fault: &Fault) -> Vec<(Place, CoupledMutant, bool)> {
    let inserter = Inserter { def, arsenal: &column.arsenal, target: &fault.target, fit: fit.clone() };
    let mut found = inserter.file(fault.file);
    found.mutants.retain(|mutant| fault.function.contains(&(mutant.edit.from as usize)));
    let all = [FileMutants { mutants: found.mutants, ..FileMutants::default() }];
    let selection = Selection { count: Some(all[0].mutants.len()), ..Selection::default() };
    let drawn = selection.select(&inserter, &all).unwrap_or_default();
    let start = fault.block.after.start as usize;
    let near = drawn.iter().map(|mutant| fault.near.contains(&(mutant.edit.from as usize)));
    describe(&inserter, &drawn)
        .into_iter()
        .zip(near)
        .map(|(described, near)| {
            let shown = CoupledMutant {
                id: described.id,
                operators: described.operators,
                line: described.line as u32,
                before: described.before,
                after: described.after,
            };
            (place(&described.edit, start), shown, near)
        })
        .collect()
}

fn place(edit: &crate::insert::TextEdit, start: usize) -> Place {
    let seen = |at: usize| at as i64 - start as i64;
    (seen(edit.start), seen(edit.end), edit.text.clone())
}

/// The target with another text of one file.
pub(super) fn target_with(def: &LangDef, fault: &Fault, text: &[u8]) -> Target {
    let files = fault.target.files.iter().enumerate().map(|(number, file)| {
        let text = if number == fault.file { text.to_vec() } else { file.text.clone() };
        (file.path.clone(), text)
    });
    let mut target = Target::new(def, files.collect());
    let skips = Skips::new(def, vec![], false);
    for file in 0..target.files.len() {
        target.allowed[file] = skips.apply(target.view(file)).0;
    }
    target
}

impl Met {
    /// What the old tests leave of a mutant.
    pub fn before(fate: Fate) -> Self {
        match fate {
            Fate::Unviable => Self::Unviable,
            Fate::Killed | Fate::TimeOut => Self::KilledBefore,
            Fate::Survived | Fate::NotCovered | Fate::Equivalent => Self::Survived,
            Fate::Untested | Fate::Duplicate => Self::Untested,
        }
    }

    /// What the new tests leave of one that survived the old ones.
    pub fn after(fate: Fate) -> Self {
        match fate {
            Fate::Killed | Fate::TimeOut => Self::Coupled,
            Fate::Unviable | Fate::Untested | Fate::Duplicate => Self::Untested,
            Fate::Survived | Fate::NotCovered | Fate::Equivalent => Self::Survived,
        }
    }
}
