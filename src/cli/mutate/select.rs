//! Which of the mutants are meant.

use anyhow::Result;
use anyhow::bail;
use rustc_hash::FxHashMap;

use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Sampler;
use crate::report::Presenter;

use super::args::ByArg;
use super::args::ChoiceArgs;

/// A mutant by its place: file, number in it.
pub type Place = (usize, usize);

/// The chosen mutants, in the order they were drawn, else in the order of files and places.
pub fn choose(args: &ChoiceArgs, inserter: &Inserter, all: &[FileMutants]) -> Result<Vec<Place>> {
    let mut places: Vec<Place> = all
        .iter()
        .enumerate()
        .flat_map(|(file, found)| (0..found.mutants.len()).map(move |at| (file, at)))
        .collect();
    let mutant = |place: Place| &all[place.0].mutants[place.1];
    if let Some(op) = &args.op {
        let entries = entries(op, inserter)?;
        places.retain(|place| mutant(*place).entries.iter().any(|entry| entries.contains(entry)));
    }
    if let Some(site) = args.site {
        let count = places.len();
        let Some(place) = site.checked_sub(1).and_then(|site| places.get(site)) else {
            bail!("--site {site}: the operator has {count} sites here, numbered from 1");
        };
        places = vec![*place];
    }
    if let Some(id) = &args.id {
        places = by_id(id, inserter, all)?;
    }
    let Some(count) = args.count.filter(|_| args.site.is_none()) else { return Ok(places) };
    let mut sampler = Sampler::new(args.seed);
    Ok(match args.by {
        ByArg::Uniform => sampler.choose(count, places.len()).into_iter().map(|at| places[at]).collect(),
        ByArg::Operator => by_operator(&places, count, &mut sampler, inserter, mutant),
    })
}

/// The entries whose id begins so; more than one operator may be meant.
fn entries(prefix: &str, inserter: &Inserter) -> Result<Vec<u32>> {
    let prefix = prefix.to_ascii_lowercase();
    let found: Vec<u32> = inserter
        .arsenal
        .entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.id.starts_with(&prefix))
        .map(|(number, _)| number as u32)
        .collect();
    if found.is_empty() {
        bail!(
            "no operator or shift of these sets has an id that begins with {prefix:?}; `wildcaught ops show` lists them"
        );
    }
    Ok(found)
}

/// The one mutant whose id begins so: `3f9a-17`, the operator's part first.
pub fn by_id(id: &str, inserter: &Inserter, all: &[FileMutants]) -> Result<Vec<Place>> {
    let id = id.to_ascii_lowercase();
    let (operator, site) = id.split_once('-').unwrap_or((&id, ""));
    let entries = entries(operator, inserter)?;
    let mut found = Vec::new();
    for (file, mutants) in all.iter().enumerate() {
        let wanted = |mutant: &Mutant| mutant.entries.iter().any(|entry| entries.contains(entry));
        if !mutants.mutants.iter().any(wanted) {
            continue;
        }
        let presenter = Presenter::new(inserter, file);
        for (at, mutant) in mutants.mutants.iter().enumerate().filter(|(_, mutant)| wanted(mutant)) {
            if presenter.site(mutant).starts_with(site) {
                found.push((file, at));
            }
        }
    }
    match found.len() {
        1 => Ok(found),
        0 => bail!(
            "no mutant {id:?} here; `wildcaught mutate --list` shows all (with the same --ops, --fit and paths)"
        ),
        count => bail!(
            "{id:?} begins the ids of {count} mutants; give more digits, `wildcaught mutate --op {operator} --list` shows them"
        ),
    }
}

/// Round by round: in each, one mutant of every operator and function that has one left, in random order.
fn by_operator<'a>(
    places: &[Place],
    count: usize,
    sampler: &mut Sampler,
    inserter: &Inserter,
    mutant: impl Fn(Place) -> &'a Mutant,
) -> Vec<Place> {
    let mut rounds: FxHashMap<(u32, usize, u32), usize> = FxHashMap::default();
    let shuffled = sampler.choose(places.len(), places.len());
    let mut ranked: Vec<(usize, usize)> = shuffled
        .into_iter()
        .map(|at| {
            let (file, _) = places[at];
            let edit = &mutant(places[at]).edit;
            let functions = &inserter.target.structures[file].function;
            let function = functions.get(edit.from as usize).copied().unwrap_or(0);
            let round = rounds.entry((mutant(places[at]).entries[0], file, function)).or_default();
            *round += 1;
            (*round, at)
        })
        .collect();
    ranked.sort_by_key(|(round, _)| *round);
    ranked.into_iter().take(count).map(|(_, at)| places[at]).collect()
}
