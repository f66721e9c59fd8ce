//! Searches combinations of edits: one by one, then on top of those that come near.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use crate::control::Events;
use crate::control::Phase;
use crate::insert::slots::Family;
use crate::runner::RunError;

use super::edit::Choice;
use super::edit::Edit;
use super::expand::Base;
use super::expand::Bound;
use super::expand::Depth;
use super::expand::Tried;
use super::expand::expand;
use super::program::SlotProgram;
use super::request::RepairRequest;
use super::request::RepairSearch;
use super::tries::Try;
use super::tries::tries;

/// Tries that are made before somebody looks at what was found.
const CHUNK: usize = 256;
/// What a test that breaks costs, in tests that are repaired.
const BROKEN: f64 = 0.7;

/// Families of which two edits often belong together.
const TWINS: [Family; 6] =
    [Family::Wrap, Family::Comparison, Family::Text, Family::Constant, Family::Operator, Family::Logic];
/// Edits of a family that are paired.
const MOST_TWINS: usize = 60;

/// A combination with which all tests pass.
#[derive(Clone, Debug)]
pub struct Found {
    pub edits: Vec<Edit>,
    /// Edits that do the same in the tests in the place of the last.
    pub same: Vec<Edit>,
    /// How long after the beginning it was found.
    pub after: Duration,
}

impl Found {
    /// The sum of what its edits cost.
    pub fn cost(&self) -> f64 {
        self.edits.iter().map(|edit| edit.cost).sum()
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    pub found: Vec<Found>,
    /// The largest number of edits of which all combinations were tried.
    pub complete: usize,
    /// Edits that were tried alone.
    pub tried: usize,
    pub tries: usize,
    /// Runs of the program.
    pub runs: u64,
    pub took: Duration,
    /// The most failing tests that a combination repairs without breaking one, if none repairs all.
    pub nearest: usize,
}

/// A search.
pub struct Search<'a> {
    pub program: &'a SlotProgram,
    pub request: &'a RepairRequest,
    pub events: &'a Events,
    begun: Instant,
    runs: AtomicU64,
    all: Vec<Try>,
    result: Searched,
}

/// A combination that is not enough, and how near it comes.
struct Node {
    base: Base,
    nearness: f64,
}

impl<'a> Search<'a> {
    /// Nothing was tried yet.
    pub fn new(program: &'a SlotProgram, request: &'a RepairRequest, events: &'a Events) -> Self {
        let all = tries(program);
        let result = Searched { tries: all.len(), ..Searched::default() };
        Self { program, request, events, begun: Instant::now(), runs: AtomicU64::new(0), all, result }
    }

    /// Everything that can be tried.
    pub fn tries(&self) -> &[Try] {
        &self.all
    }

    /// How far to go.
    pub fn bound(&self) -> Bound<'_> {
        Bound {
            until: self.begun + self.request.budget,
            progress: &self.events.progress,
            runs: &self.runs,
            grouped: self.request.search == RepairSearch::Split,
        }
    }

    /// Searches until all combinations were tried, or the time is up. `seen` gets the first that is found.
    pub fn run(mut self, seen: &mut dyn FnMut(&Found) -> Result<(), RunError>) -> Result<Searched, RunError> {
        match self.request.search {
            RepairSearch::Genetic => super::genetic::breed(&mut self, seen)?,
            _ => self.level_by_level(seen)?,
        }
        self.result.runs = self.runs.load(Ordering::Relaxed);
        self.result.took = self.begun.elapsed();
        Ok(self.result)
    }

    fn level_by_level(
        &mut self,
        seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.singles(seen)?;
        let enough = !self.result.found.is_empty() && !self.request.all;
        if enough || self.request.degree < 2 || self.bound().is_over() {
            return Ok(());
        }
        let mut nodes = self.near_misses()?;
        let mut visited: BTreeSet<Vec<Choice>> = BTreeSet::new();
        // What repairs some test and breaks none comes first, then the same kind of edit at two places.
        let mut promising: Vec<Node> = nodes.extract_if(.., |node| node.nearness > 0.5).collect();
        while let Some(node) = take_nearest(&mut promising) {
            if self.bound().is_over() || is_enough(&self.result.found, self.request.all) {
                break;
            }
            let deeper = self.on_top_of(&node, &mut visited, seen)?;
            if node.base.edits.len() + 1 < self.request.degree {
                promising.extend(deeper.into_iter().filter(|child| child.nearness > node.nearness + 0.5));
            }
        }
        if is_enough(&self.result.found, self.request.all) {
            return Ok(());
        }
        self.twins(&mut visited, seen)?;
        if is_enough(&self.result.found, self.request.all) {
            return Ok(());
        }
        nodes.extend(promising);
        while let Some(node) = take_nearest(&mut nodes) {
            if self.bound().is_over() {
                return Ok(());
            }
            let deeper = self.on_top_of(&node, &mut visited, seen)?;
            let order = node.base.edits.len();
            if is_enough(&self.result.found, self.request.all) {
                return Ok(());
            }
            if order + 1 < self.request.degree {
                nodes.extend(deeper.into_iter().filter(|child| child.nearness > node.nearness));
            }
        }
        // Of two slots whose conditions are made of values, only one is tried in all ways.
        let compared = self.all.iter().filter(|one| matches!(one, Try::Comparisons { .. })).count();
        if !self.bound().is_over() && compared < 2 {
            self.result.complete = 2;
        }
        Ok(())
    }

    /// Tries the same kind of edit at two places.
    fn twins(
        &mut self,
        visited: &mut BTreeSet<Vec<Choice>>,
        seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let all = std::mem::take(&mut self.all);
        for family in TWINS {
            let alike = |one: &&Try| matches!(one, Try::Edit(edit) if edit.family == family);
            let alike: Vec<&Try> = all.iter().filter(alike).take(MOST_TWINS).collect();
            for (number, first) in alike.iter().enumerate() {
                if self.bound().is_over() {
                    break;
                }
                let base = Base { edits: first.edits().to_vec(), ..Base::default() };
                let mut fresh = alike[number + 1..].to_vec();
                fresh.retain(|one| visited.insert(sorted([first.choices(), one.choices()].concat())));
                let tried = expand(self.program, &base, &fresh, Depth::Plausible, &self.bound())?;
                for tried in tried.into_iter().flatten().flatten() {
                    self.note(tried, seen)?;
                }
                self.say();
            }
        }
        self.all = all;
        Ok(())
    }

    /// Tries edits one by one.
    fn singles(&mut self, seen: &mut dyn FnMut(&Found) -> Result<(), RunError>) -> Result<(), RunError> {
        let (base, all) = (Base::default(), std::mem::take(&mut self.all));
        for chunk in all.chunks(CHUNK) {
            let chunk: Vec<&Try> = chunk.iter().collect();
            self.say();
            let tried = expand(self.program, &base, &chunk, Depth::Plausible, &self.bound())?;
            self.result.tried += tried.iter().flatten().count();
            for tried in tried.into_iter().flatten().flatten() {
                self.note(tried, seen)?;
            }
            if self.bound().is_over() {
                break;
            }
        }
        self.all = all;
        self.result.complete = usize::from(self.result.tried == self.result.tries);
        Ok(())
    }

    /// Notes what was found.
    fn note(
        &mut self,
        tried: Tried,
        seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        if tried.plausible {
            self.put_found(
                Found { edits: tried.edits, same: tried.same, after: self.begun.elapsed() },
                seen,
            )?;
        } else if tried.broken.is_empty() {
            self.result.nearest = self.result.nearest.max(tried.repaired.len() as usize);
        }
        Ok(())
    }

    /// Notes a combination, unless one with fewer of its edits is enough.
    pub fn put_found(
        &mut self,
        found: Found,
        seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let choices = choices_of(&found.edits);
        let part = |known: &Found| choices_of(&known.edits).iter().all(|choice| choices.contains(choice));
        if !self.result.found.iter().any(part) {
            seen(&found)?;
            self.result.found.push(found);
        }
        Ok(())
    }

    /// Single edits, those first with which more tests pass.
    fn near_misses(&mut self) -> Result<Vec<Node>, RunError> {
        let (base, all) = (Base::default(), std::mem::take(&mut self.all));
        let plausible: Vec<Vec<Choice>> =
            self.result.found.iter().map(|found| choices_of(&found.edits)).collect();
        let mut nodes = Vec::new();
        for chunk in all.chunks(CHUNK) {
            let chunk: Vec<&Try> = chunk.iter().collect();
            self.say();
            let tried = expand(self.program, &base, &chunk, Depth::Progress, &self.bound())?;
            for tried in tried.into_iter().flatten().flatten() {
                if !plausible.contains(&choices_of(&tried.edits)) && !tried.plausible {
                    self.note(tried.clone(), &mut |_| Ok(()))?;
                    nodes.push(Node::of(tried));
                }
            }
            if self.bound().is_over() {
                break;
            }
        }
        // What changes no test alone may be needed by another.
        let known: BTreeSet<Vec<Choice>> = nodes.iter().map(|node| choices_of(&node.base.edits)).collect();
        let executed = |edit: &&Edit| {
            let tests = self.program.tests_of(edit.choices.iter().copied());
            self.program.failing.iter().any(|test| tests.contains(*test))
        };
        for edit in all.iter().filter_map(Try::first).filter(executed) {
            let choices = choices_of(std::slice::from_ref(edit));
            if !known.contains(&choices) && !plausible.contains(&choices) {
                let base = Base { edits: vec![edit.clone()], ..Base::default() };
                nodes.push(Node { nearness: -1.0 - 0.01 * edit.cost, base });
            }
        }
        self.all = all;
        Ok(nodes)
    }

    /// Tries all edits together with a combination.
    fn on_top_of(
        &mut self,
        node: &Node,
        visited: &mut BTreeSet<Vec<Choice>>,
        seen: &mut dyn FnMut(&Found) -> Result<(), RunError>,
    ) -> Result<Vec<Node>, RunError> {
        let all = std::mem::take(&mut self.all);
        let below = choices_of(&node.base.edits);
        let fresh = |one: &&Try| {
            let both = [&below[..], one.choices()].concat();
            visited.insert(sorted(both))
        };
        let wanted: Vec<&Try> = all.iter().filter(fresh).collect();
        let mut deeper = Vec::new();
        // Of a node that changes no test, nothing but a repair is of use.
        let depth = if node.nearness > -1.0 { Depth::Progress } else { Depth::Plausible };
        for chunk in wanted.chunks(CHUNK) {
            self.say();
            let tried = expand(self.program, &node.base, chunk, depth, &self.bound())?;
            for tried in tried.into_iter().flatten().flatten() {
                if !tried.plausible {
                    deeper.push(Node::of(tried.clone()));
                }
                self.note(tried, seen)?;
            }
            if self.bound().is_over() {
                break;
            }
        }
        self.all = all;
        Ok(deeper)
    }

    /// Shows how far the search is.
    pub fn say(&self) {
        let (found, runs) = (self.result.found.len(), self.runs.load(Ordering::Relaxed));
        let tried = self.result.tried;
        self.events.at(
            Phase::Searching,
            format!("{tried} of {} places tried, {runs} runs, {found} found", self.result.tries),
        );
    }
}

impl Node {
    fn of(tried: Tried) -> Self {
        let nearness = tried.repaired.len() as f64 - BROKEN * tried.broken.len() as f64;
        let cost: f64 = tried.edits.iter().map(|edit| edit.cost).sum();
        Self {
            nearness: nearness - 0.01 * cost,
            base: Base { edits: tried.edits, repaired: tried.repaired, broken: tried.broken },
        }
    }
}

/// Whether what was found is enough.
fn is_enough(found: &[Found], all: bool) -> bool {
    !all && !found.is_empty()
}

/// The node that comes nearest.
fn take_nearest(nodes: &mut Vec<Node>) -> Option<Node> {
    let best =
        (0..nodes.len()).max_by(|a, b| nodes[*a].nearness.total_cmp(&nodes[*b].nearness).then(b.cmp(a)))?;
    Some(nodes.remove(best))
}

/// The choices of edits, in order.
pub fn choices_of(edits: &[Edit]) -> Vec<Choice> {
    sorted(edits.iter().flat_map(|edit| edit.choices.iter().copied()).collect())
}

fn sorted(mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_unstable();
    choices
}
