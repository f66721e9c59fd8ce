//! Which mutants are tested: as many as a run should take, in equal parts where several machines share them.

use std::str::FromStr;

use thiserror::Error;

use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::SelectError;
use crate::insert::Selection;

/// How many mutants are drawn unless the user says otherwise.
const DRAWN: usize = 1000;

/// One of several equal parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    part: usize,
    parts: usize,
}

/// Not a part of a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("--shard {0}: write K/N, with K from 1 to N")]
pub struct ShardError(String);

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        match numbers {
            Some((part, parts)) if (1..=parts).contains(&part) => Ok(Self { part, parts }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

/// What the user wants tested.
#[derive(Clone, Debug, Default)]
pub struct MutantChoice {
    pub selection: Selection,
    /// Every mutant, however many there are.
    pub all: bool,
    pub shard: Option<Shard>,
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
        Ok(match self.shard {
            Some(Shard { part, parts }) => mutants.into_iter().skip(part - 1).step_by(parts).collect(),
            None => mutants,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_parts_of_a_whole() {
        assert_eq!("2/4".parse(), Ok(Shard { part: 2, parts: 4 }));
        for wrong in ["", "0/4", "5/4", "2", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().unwrap_err().to_string().contains("K/N"), "{wrong}");
        }
    }
}
