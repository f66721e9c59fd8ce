//! Which mutants are tested: as many as a run should take.

use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::SelectError;
use crate::insert::Selection;

/// How many mutants are drawn unless the user says otherwise.
const DRAWN: usize = 1000;

/// What the user wants tested.
#[derive(Clone, Debug, Default)]
pub struct MutantChoice {
    pub selection: Selection,
    /// Every mutant, however many there are.
    pub all: bool,
}

impl MutantChoice {
    /// Whether mutants are drawn because the user said nothing about how many.
    pub fn is_default_draw(&self) -> bool {
        let Selection { operator, id, count, .. } = &self.selection;
        count.is_none() && operator.is_none() && id.is_none() && !self.all
    }

    /// Whether single mutants or operators are meant, and not the project as a whole.
    pub fn is_selected(&self) -> bool {
        self.selection.operator.is_some() || self.selection.id.is_some()
    }

    /// The mutants to test, in the order of their files and places.
    pub fn mutants<'m>(
        &self,
        inserter: &Inserter,
        all: &'m [FileMutants],
    ) -> Result<Vec<&'m Mutant>, SelectError> {
        let mut selection = self.selection.clone();
        if self.is_default_draw() {
            selection.count = Some(DRAWN);
        }
        let mut mutants = selection.select(inserter, all)?;
        mutants.sort_unstable_by_key(|mutant| mutant.place());
        Ok(mutants)
    }
}
