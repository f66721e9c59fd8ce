//! Which operators compile, tried in a project nobody mined.
//!
//! In: a set and a target. Out: the mutants to try, and the set with the figures of those that were.

use std::collections::HashMap;

use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Sampler;
use crate::operator::OperatorSet;

use super::viability::Viability;

/// How many mutants are tried.
#[derive(Clone, Copy, Debug)]
pub struct FieldSample {
    /// At most this many of each operator.
    pub per_operator: usize,
    /// At most this many in all.
    pub most: Option<usize>,
    pub seed: u32,
}

impl FieldSample {
    /// Some mutants of every operator, drawn at random, in their order.
    pub fn draw<'m>(&self, inserter: &Inserter, all: &'m [FileMutants]) -> Vec<&'m Mutant> {
        let mut by_entry: Vec<Vec<&Mutant>> = vec![Vec::new(); inserter.arsenal.entries.len()];
        for mutant in all.iter().flat_map(|found| &found.mutants) {
            mutant.entries.iter().for_each(|entry| by_entry[*entry as usize].push(mutant));
        }
        let mut sampler = Sampler::new(self.seed);
        let mut drawn: Vec<&Mutant> = Vec::new();
        for known in by_entry {
            drawn.extend(sampler.choose(self.per_operator, known.len()).into_iter().map(|at| known[at]));
        }
        drawn.sort_unstable_by_key(|mutant| mutant.place());
        drawn.dedup_by_key(|mutant| mutant.place());
        let most = self.most.unwrap_or(usize::MAX);
        if drawn.len() > most {
            drawn = sampler.choose(most, drawn.len()).into_iter().map(|at| drawn[at]).collect();
            drawn.sort_unstable_by_key(|mutant| mutant.place());
        }
        drawn
    }
}

/// Adds the figures of what was tried to the set; gives how many were viable.
pub fn note_viability(
    set: &mut OperatorSet,
    inserter: &Inserter,
    mutants: &[&Mutant],
    verdicts: &[Viability],
) -> usize {
    let mut figures = vec![(0u64, 0u64); inserter.arsenal.entries.len()];
    let mut total = 0;
    for (mutant, verdict) in mutants.iter().zip(verdicts) {
        let viable = match verdict {
            Viability::Viable => 1,
            Viability::Broken(_) | Viability::TimedOut => 0,
            Viability::Untried => continue,
        };
        total += viable as usize;
        for entry in &mutant.entries {
            let (sites, compiled) = &mut figures[*entry as usize];
            *sites += 1;
            *compiled += viable;
        }
    }
    let by_id: HashMap<&str, (u64, u64)> = inserter
        .arsenal
        .entries
        .iter()
        .zip(&figures)
        .map(|(entry, figures)| (entry.id.as_str(), *figures))
        .collect();
    let found = |id: String| by_id.get(id.as_str()).copied().unwrap_or_default();
    for operator in &mut set.operators {
        let (sites, viable) = found(operator.id());
        operator.evidence.sites += sites;
        operator.evidence.viable += viable;
    }
    for shift in &mut set.shifts {
        let (sites, viable) = found(shift.id());
        shift.evidence.sites += sites;
        shift.evidence.viable += viable;
    }
    total
}
