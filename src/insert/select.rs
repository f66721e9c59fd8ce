//! Selects mutants of a target: all, those of an operator, one by its id, or a sample.

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::text::LineIndex;

use super::describe::Describer;
use super::mutants::FileMutants;
use super::mutants::Inserter;
use super::mutants::Mutant;
use super::rank::likelihood;
use super::sample::Sampler;

/// How a sample is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawBy {
    /// The likeliest of every function first, then the second of every function.
    #[default]
    Likelihood,
    /// Each mutant is as likely as every other.
    Uniform,
    /// One per operator and function first, then the next, so that no operator drowns the rest.
    Operator,
}

/// Which mutants to choose; all by default.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only mutants of operators whose id begins so.
    pub operator: Option<String>,
    /// Only the one with this number among those of the operator, from 1.
    pub site: Option<usize>,
    /// Only the mutant whose id begins so.
    pub id: Option<String>,
    /// At most this many, drawn.
    pub count: Option<usize>,
    /// At most this many of every function, drawn.
    pub per_function: Option<usize>,
    pub by: DrawBy,
    pub seed: u32,
}

/// Why a selection selects nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SelectError {
    #[error("--site {site}: the operator has {count} sites here, numbered from 1")]
    NoSite { site: usize, count: usize },
    #[error(
        "no operator or shift in these sets has an id that begins with {0:?}; `wildcaught ops show` lists the ids"
    )]
    NoOperator(String),
    #[error(
        "no mutant {0:?} here; `wildcaught mutate --list` shows all (with the same --ops, --fit and paths)"
    )]
    NoMutant(String),
    #[error(
        "{id:?} matches {count} mutants; add more digits, `wildcaught mutate --op {operator} --list` lists them"
    )]
    ManyMutants { id: String, operator: String, count: usize },
}

impl Selection {
    /// The selected mutants, in the order they were drawn, else in the order of files and places.
    pub fn select<'m>(
        &self,
        inserter: &Inserter,
        all: &'m [FileMutants],
    ) -> Result<Vec<&'m Mutant>, SelectError> {
        let mut mutants: Vec<&Mutant> = all.iter().flat_map(|found| &found.mutants).collect();
        if let Some(operator) = &self.operator {
            let entries = entries(operator, inserter)?;
            mutants.retain(|mutant| mutant.entries.iter().any(|entry| entries.contains(entry)));
        }
        if let Some(site) = self.site {
            let count = mutants.len();
            let found = site.checked_sub(1).and_then(|site| mutants.get(site).copied());
            mutants = vec![found.ok_or(SelectError::NoSite { site, count })?];
        }
        if let Some(id) = &self.id {
            mutants = vec![by_id(id, inserter, all)?];
        }
        if self.site.is_some() || (self.count.is_none() && self.per_function.is_none()) {
            return Ok(mutants);
        }
        let mut drawn = self.drawn(&mutants, inserter);
        if let Some(most) = self.per_function {
            drawn = first_of_functions(drawn, most, inserter);
        }
        drawn.truncate(self.count.unwrap_or(usize::MAX));
        Ok(drawn)
    }

    /// All mutants, in the order in which they are drawn.
    fn drawn<'m>(&self, mutants: &[&'m Mutant], inserter: &Inserter) -> Vec<&'m Mutant> {
        let mut sampler = Sampler::new(self.seed);
        match self.by {
            DrawBy::Uniform => {
                sampler.choose(mutants.len(), mutants.len()).into_iter().map(|at| mutants[at]).collect()
            }
            DrawBy::Likelihood => by_likelihood(mutants, inserter),
            DrawBy::Operator => by_operator(mutants, &mut sampler, inserter),
        }
    }
}

/// The entries whose id begins so; more than one operator may be meant.
fn entries(prefix: &str, inserter: &Inserter) -> Result<Vec<u32>, SelectError> {
    let prefix = prefix.to_ascii_lowercase();
    let entries = (0u32..).zip(&inserter.arsenal.entries);
    let found: Vec<u32> =
        entries.filter(|(_, entry)| entry.id.starts_with(&prefix)).map(|(number, _)| number).collect();
    if found.is_empty() { Err(SelectError::NoOperator(prefix)) } else { Ok(found) }
}

/// The one mutant whose id begins so: `3f9a-17`, the operator's part first.
pub fn by_id<'m>(id: &str, inserter: &Inserter, all: &'m [FileMutants]) -> Result<&'m Mutant, SelectError> {
    let id = id.to_ascii_lowercase();
    let (operator, site) = id.split_once('-').unwrap_or((&id, ""));
    let entries = entries(operator, inserter)?;
    let wanted = |mutant: &&Mutant| mutant.entries.iter().any(|entry| entries.contains(entry));
    let mut found = Vec::new();
    for (file, here) in all.iter().enumerate() {
        let mut candidates = here.mutants.iter().filter(wanted).peekable();
        if candidates.peek().is_some() {
            let describer = Describer::new(inserter, file);
            found.extend(candidates.filter(|mutant| describer.site(mutant).starts_with(site)));
        }
    }
    match found[..] {
        [one] => Ok(one),
        [] => Err(SelectError::NoMutant(id)),
        _ => {
            let (operator, count) = (operator.to_owned(), found.len());
            Err(SelectError::ManyMutants { id, operator, count })
        }
    }
}

/// How much less likely a mutant counts for every doubling of those by the same operator that are likelier: else a few
/// operators take all places.
const SEEN_BEFORE: f64 = 0.5;

/// Round by round: in each, the likeliest mutant of every function that has one left, the likeliest first. What stands
/// outside of functions counts as one function of its file.
fn by_likelihood<'m>(mutants: &[&'m Mutant], inserter: &Inserter) -> Vec<&'m Mutant> {
    let mut likely: Vec<(f64, &Mutant)> =
        mutants.iter().map(|mutant| (likelihood(mutant, inserter.arsenal).ln(), *mutant)).collect();
    let likeliest = |a: &(f64, &Mutant), b: &(f64, &Mutant)| {
        b.0.total_cmp(&a.0).then_with(|| a.1.place().cmp(&b.1.place()))
    };
    likely.sort_by(likeliest);
    let mut seen: FxHashMap<u32, f64> = FxHashMap::default();
    for (likelihood, mutant) in &mut likely {
        let times = seen.entry(kind_of(mutant, inserter)).or_default();
        *times += 1.0;
        *likelihood -= SEEN_BEFORE * times.log2();
    }
    likely.sort_by(likeliest);
    let mut rounds: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut ranked: Vec<(usize, &Mutant)> = likely
        .into_iter()
        .map(|(_, mutant)| {
            let round = rounds.entry((mutant.file, function_of(mutant, inserter))).or_default();
            *round += 1;
            (*round, mutant)
        })
        .collect();
    ranked.sort_by_key(|(round, _)| *round);
    ranked.into_iter().map(|(_, mutant)| mutant).collect()
}

/// At most N of every function, in the order in which they were drawn: first one of each line, then a second.
fn first_of_functions<'m>(drawn: Vec<&'m Mutant>, most: usize, inserter: &Inserter) -> Vec<&'m Mutant> {
    let mut lines: FxHashMap<usize, LineIndex> = FxHashMap::default();
    let mut taken_lines: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut counts: FxHashMap<(usize, u32), usize> = FxHashMap::default();
    let mut taken = vec![false; drawn.len()];
    for of_new_lines in [true, false] {
        for (mutant, taken) in drawn.iter().zip(&mut taken).filter(|(_, taken)| !**taken) {
            let file = &inserter.target.files[mutant.file];
            let index = lines.entry(mutant.file).or_insert_with(|| LineIndex::new(&file.text));
            let start = file.tokens.get(mutant.edit.from as usize).map_or(0, |token| token.span.start);
            let is_new = taken_lines.insert((mutant.file, index.place(start as usize).line));
            let count = counts.entry((mutant.file, function_of(mutant, inserter))).or_default();
            if *count < most && (is_new || !of_new_lines) {
                *count += 1;
                *taken = true;
            }
        }
    }
    drawn.into_iter().zip(taken).filter(|(_, taken)| *taken).map(|(mutant, _)| mutant).collect()
}

/// The most general operator that makes a mutant: what kind of mutant it is.
fn kind_of(mutant: &Mutant, inserter: &Inserter) -> u32 {
    let matches = |entry: &&u32| inserter.arsenal.entries[**entry as usize].evidence().matches;
    *mutant
        .entries
        .iter()
        .max_by_key(|entry| (matches(entry), std::cmp::Reverse(**entry)))
        .expect("one makes it")
}

/// The function that a mutant is in, by its number in the file.
fn function_of(mutant: &Mutant, inserter: &Inserter) -> u32 {
    let functions = &inserter.target.structures[mutant.file].function;
    functions.get(mutant.edit.from as usize).copied().unwrap_or(0)
}

/// Round by round: in each, one mutant of every operator and function that has one left, in random order.
fn by_operator<'m>(mutants: &[&'m Mutant], sampler: &mut Sampler, inserter: &Inserter) -> Vec<&'m Mutant> {
    let mut rounds: FxHashMap<(u32, usize, u32), usize> = FxHashMap::default();
    let shuffled = sampler.choose(mutants.len(), mutants.len());
    let mut ranked: Vec<(usize, &Mutant)> = shuffled
        .into_iter()
        .map(|at| {
            let mutant = mutants[at];
            let function = function_of(mutant, inserter);
            let round = rounds.entry((mutant.entries[0], mutant.file, function)).or_default();
            *round += 1;
            (*round, mutant)
        })
        .collect();
    ranked.sort_by_key(|(round, _)| *round);
    ranked.into_iter().map(|(_, mutant)| mutant).collect()
}
