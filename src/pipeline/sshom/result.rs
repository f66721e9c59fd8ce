//! What was found.

use std::time::Duration;

use num_bigint::BigUint;
use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use crate::analysis::sshom::FirstOrder;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SolutionFigures;
use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::Which;

use super::completeness::Completeness;
use super::first_order::FirstOrderResult;
use super::request::SearchKind;
use super::verify::Difference;

/// What was found in a program.
pub struct SshomResult {
    pub first_order: FirstOrderResult,
    /// In the order of the request, at least one; the first is listed.
    pub searches: Vec<SearchResult>,
    /// Of the first search.
    pub figures: SolutionFigures,
    /// Combinations that do something else when they are built from the sources, if that was asked for.
    pub differing: Option<Vec<Difference>>,
    /// Which ones are listed, and how many.
    pub(super) which: Which,
    pub(super) list: Option<usize>,
}

/// What one search found.
pub struct SearchResult {
    pub kind: SearchKind,
    pub findings: Findings,
    /// Runs of a test.
    pub runs: u64,
    /// Those of them that began where they parted from another.
    pub forks: u64,
    /// How long it took, testing mutants one by one included.
    pub took: Duration,
}

/// What a search found, whatever it took.
pub struct Findings {
    pub solution: Solution,
    pub(super) killers: Killers,
    pub completeness: Completeness,
    /// All of at most this order were found.
    pub whole: Option<usize>,
    /// Leaves, or combinations, that were looked at.
    pub looked: u64,
    /// How many had been found, and when.
    pub curve: Vec<(Duration, BigUint)>,
}

/// The tests that kill what was found.
pub(super) enum Killers {
    Boxes(SplitFound),
    Listed(FxHashMap<Vec<u32>, RoaringBitmap>),
}

/// A strongly subsuming higher-order mutant.
#[derive(Clone, Debug)]
pub struct Sshom {
    pub mutants: Vec<u32>,
    /// The tests that kill it.
    pub kills: RoaringBitmap,
    pub strict: bool,
}

/// How many combinations of another search the variational search found, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedWithVar {
    pub found: usize,
    /// Combinations of the other search of an order that is complete in the variational one.
    pub of: usize,
}

impl SshomResult {
    /// Those that are listed: by order, then by mutants.
    pub fn listed(&self) -> impl Iterator<Item = Sshom> {
        let all = self.searches[0].findings.all(self.which, &self.first_order.first);
        all.take(self.list.unwrap_or(usize::MAX))
    }

    /// Tests that kill one of the mutants of a combination, but not the combination.
    pub fn escaped(&self, sshom: &Sshom) -> RoaringBitmap {
        self.first_order.first.united(&sshom.mutants) - &sshom.kills
    }

    /// Compares a search with the variational one; none if there is nothing to compare.
    pub fn shared_with_var(&self, search: &SearchResult) -> Option<SharedWithVar> {
        let is_var = |search: &&SearchResult| search.kind == SearchKind::Variational;
        let var = self.searches.iter().find(is_var)?;
        if is_var(&search) { None } else { var.findings.shared_with(&search.findings) }
    }
}

impl Findings {
    /// How many there are.
    pub fn count(&self, which: Which) -> BigUint {
        self.solution.counts(which).total()
    }

    fn killers(&self, mutants: &[u32], first: &FirstOrder) -> RoaringBitmap {
        match &self.killers {
            Killers::Boxes(found) => {
                let killers = found.killers(&first.points, mutants).unwrap_or_default();
                killers.iter().map(|test| *test as u32).collect()
            }
            Killers::Listed(killers) => killers.get(mutants).cloned().unwrap_or_default(),
        }
    }

    /// All of them: by order, then by mutants.
    fn all<'a>(&'a self, which: Which, first: &'a FirstOrder) -> impl Iterator<Item = Sshom> + 'a {
        self.solution.combinations(which).map(move |mutants| Sshom {
            strict: self.solution.has(Which::Strict, &mutants),
            kills: self.killers(&mutants, first),
            mutants,
        })
    }

    fn shared_with(&self, other: &Self) -> Option<SharedWithVar> {
        let whole = self.whole?;
        let mut shared = SharedWithVar { found: 0, of: 0 };
        for mutants in other.solution.combinations(Which::All).take_while(|mutants| mutants.len() <= whole) {
            shared.of += 1;
            shared.found += usize::from(self.solution.has(Which::All, &mutants));
        }
        Some(shared)
    }
}
