//! A search that breeds combinations from those that come near, as GenProg does: a baseline for the other searches.

use rand_mt::Mt;

use crate::runner::RunError;

use super::edit::Edit;
use super::expand::Base;
use super::expand::Depth;
use super::expand::expand;
use super::search::Found;
use super::search::Search;
use super::tries::Try;

/// Combinations of a generation.
const POPULATION: usize = 40;
/// What a test that fails and shall pass counts, in tests that pass.
const REPAIRED: f64 = 10.0;

/// A combination, and how well it does.
#[derive(Clone)]
struct Individual {
    edits: Vec<Edit>,
    fitness: f64,
}

/// Breeds until the time is up, or a combination is found.
pub fn breed(
    search: &mut Search,
    seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let mut random = Mt::new(search.request.seed);
    let all: Vec<Edit> = search.tries().iter().flat_map(Try::edits).cloned().collect();
    if all.is_empty() {
        return Ok(());
    }
    let begun = std::time::Instant::now();
    let mut parents: Vec<Individual> = vec![Individual { edits: vec![], fitness: 0.0 }];
    while !search.bound().is_over() {
        search.say();
        let children: Vec<Vec<Edit>> =
            (0..POPULATION).map(|_| child(&parents, &all, search.request.degree, &mut random)).collect();
        for edits in children {
            let (fitness, plausible) = judge(search, &edits)?;
            if plausible {
                search.put_found(Found { edits, same: vec![], after: begun.elapsed() }, seen)?;
                return Ok(());
            }
            parents.push(Individual { edits, fitness });
        }
        parents.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
        parents.truncate(POPULATION / 2);
    }
    Ok(())
}

/// A child of one or two parents, changed at one place.
fn child(parents: &[Individual], all: &[Edit], degree: usize, random: &mut Mt) -> Vec<Edit> {
    let mut draw = |count: usize| random.next_u32() as usize % count.max(1);
    let mut best_of_two = || {
        let (a, b) = (draw(parents.len()), draw(parents.len()));
        if parents[a].fitness >= parents[b].fitness { a } else { b }
    };
    let (one, other) = (best_of_two(), best_of_two());
    let mut edits: Vec<Edit> = parents[one].edits.clone();
    for edit in &parents[other].edits {
        if draw(2) == 0 && edits.len() < degree && !edits.iter().any(|known| known.clashes(edit)) {
            edits.push(edit.clone());
        }
    }
    if edits.len() == degree || (!edits.is_empty() && draw(4) == 0) {
        edits.remove(draw(edits.len()));
    }
    let more = &all[draw(all.len())];
    edits.retain(|known| !known.clashes(more));
    edits.push(more.clone());
    edits
}

/// How well a combination does, and whether all tests pass.
fn judge(search: &Search, edits: &[Edit]) -> Result<(f64, bool), RunError> {
    let Some((last, before)) = edits.split_last() else { return Ok((0.0, false)) };
    let base = Base { edits: before.to_vec(), ..Base::default() };
    let one = Try::Edit(last.clone());
    let tried = expand(search.program, &base, &[&one], Depth::Progress, &search.bound())?;
    let best = tried.into_iter().flatten().flatten().next();
    Ok(best.map_or((0.0, false), |tried| {
        (REPAIRED * tried.repaired.len() as f64 - tried.broken.len() as f64, tried.plausible)
    }))
}
