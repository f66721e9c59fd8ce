//! From failing conditions to all strongly subsuming higher-order mutants.
//!
//! In: a problem. Out: the family of all of them, and of the strict ones; complete, or an error.
//!
//! A test that kills a higher-order mutant must kill each of its mutants alone. So each is looked for where
//! the first test that kills it, in a fixed order, is known: among the mutants which that test kills. What
//! fails that test there is a small family; every other test then takes away what it kills though it does
//! not kill all the mutants alone, and what it kills though it is an earlier one. These searches have
//! nothing in common and run side by side.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use rayon::prelude::*;

use crate::control::Progress;

use super::condition::TooLarge;
use super::family::Families;
use super::family::Family;
use super::problem::Problem;
use super::prune::satisfying;
use super::prune::unless;
use super::prune::within_only_if;
use super::solution::Solution;
use super::stack::deep;

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits {
    /// Combine at most this many mutants.
    pub max_order: Option<usize>,
    /// Nodes that a decision diagram may have.
    pub max_nodes: usize,
}

impl Default for SolveLimits {
    fn default() -> Self {
        Self { max_order: None, max_nodes: 20_000_000 }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A test that cannot tell anything.
    #[error("test `{test}` fails with all mutants off; remove it")]
    Baseline { test: String },
    /// The answer, or what leads to it, is too large to be held.
    #[error("test `{test}`: {source}; lower --max-order or raise --max-nodes")]
    TooLarge { test: String, source: TooLarge },
    /// The answer as a whole is.
    #[error("{0}; lower --max-order or raise --max-nodes")]
    Whole(#[from] TooLarge),
    /// A stop was requested.
    #[error("stopped")]
    Stopped,
}

/// All that was found where one test is the first to kill.
struct Part {
    families: Families,
    all: Family,
    equal: Family,
}

/// Finds all strongly subsuming higher-order mutants. The progress counts tests.
pub fn solve(problem: &Problem, limits: &SolveLimits, progress: &Progress) -> Result<Solution, SolveError> {
    let baseline = problem.tests.iter().find(|test| problem.conditions.holds(test.fails, &[]));
    if let Some(test) = baseline {
        return Err(SolveError::Baseline { test: test.name.clone() });
    }
    deep(problem.points.mutants(), || solve_deep(problem, limits, progress))
}

fn solve_deep(problem: &Problem, limits: &SolveLimits, progress: &Progress) -> Result<Solution, SolveError> {
    let kills = problem.kills();
    let mut order: Vec<usize> = (0..problem.tests.len()).collect();
    // Few mutants first: whoever is killed by such a test is found among few.
    order.sort_by_key(|test| (kills[*test].count_ones(..), *test));
    progress.expect(order.len() as u64);
    let search = Search { problem, limits, kills: &kills, order: &order };
    let parts: Vec<Result<Part, SolveError>> = (0..order.len())
        .into_par_iter()
        .map(|place| {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let name = || problem.tests[order[place]].name.clone();
            let part = search.first_killed_by(place);
            progress.advance(1024);
            part.map_err(|source| SolveError::TooLarge { test: name(), source })
        })
        .collect();
    let mut families = Families::new(limits.max_nodes);
    let (mut all, mut equal) = (Family::NONE, Family::NONE);
    for part in parts {
        let part = part?;
        let (more, same) =
            (families.adopt(&part.families, part.all)?, families.adopt(&part.families, part.equal)?);
        all = families.union(all, more)?;
        equal = families.union(equal, same)?;
    }
    let strict = families.minus(all, equal)?;
    Ok(Solution::new(kills, limits.max_order, &families, all, strict)?)
}

struct Search<'a> {
    problem: &'a Problem,
    limits: &'a SolveLimits,
    /// For each test, the mutants that it kills alone.
    kills: &'a [FixedBitSet],
    order: &'a [usize],
}

impl Search<'_> {
    fn first_killed_by(&self, place: usize) -> Result<Part, TooLarge> {
        let mut families = Families::new(self.limits.max_nodes);
        let mut all = self.killed_by(&mut families, self.order[place])?;
        for (test, earlier) in self.others(place) {
            if all == Family::NONE {
                break;
            }
            let allowed = (!earlier).then_some(&self.kills[test]);
            let fails = self.problem.tests[test].fails;
            all = unless(&mut families, &self.problem.conditions, all, fails, allowed)?;
        }
        let equal = self.equal(&mut families, all)?;
        let mut compact = Families::new(self.limits.max_nodes);
        let (all, equal) = (compact.adopt(&families, all)?, compact.adopt(&families, equal)?);
        Ok(Part { families: compact, all, equal })
    }

    /// The combinations of mutants killed by this test that this test kills.
    fn killed_by(&self, families: &mut Families, test: usize) -> Result<Family, TooLarge> {
        let mutants: Vec<u32> = self.kills[test].ones().map(|mutant| mutant as u32).collect();
        if mutants.len() < 2 {
            return Ok(Family::NONE);
        }
        let Problem { points, conditions, tests } = self.problem;
        let killed = satisfying(families, conditions, points, &mutants, tests[test].fails)?;
        let killed = families.at_least(killed, 2)?;
        self.limits.max_order.map_or(Ok(killed), |order| families.at_most(killed, order))
    }

    /// The other tests, with whether they come earlier. Those that have most to do with the mutants in
    /// question come first, since they take away most.
    fn others(&self, place: usize) -> Vec<(usize, bool)> {
        let own = &self.kills[self.order[place]];
        let others = self.order.iter().enumerate().filter(|(at, _)| *at != place);
        let mut others: Vec<(usize, bool)> = others.map(|(at, test)| (*test, at < place)).collect();
        others.sort_by_cached_key(|(test, _)| Reverse(self.kills[*test].intersection_count(own)));
        others
    }

    /// Those that every test kills which kills all their mutants alone.
    fn equal(&self, families: &mut Families, all: Family) -> Result<Family, TooLarge> {
        let mut equal = all;
        for (test, kills) in self.problem.tests.iter().zip(self.kills) {
            if equal == Family::NONE {
                break;
            }
            equal = within_only_if(families, &self.problem.conditions, equal, test.fails, kills)?;
        }
        Ok(equal)
    }
}
