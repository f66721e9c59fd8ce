//! The complete search by splitting: for whoever can run a test with sets of alternatives.
//!
//! In: somebody who runs a test on a box of combinations and cuts it into boxes that do the same (`Splitter`;
//! `leaves` makes one of any deterministic interpreter). Out: all strongly subsuming higher-order mutants, as
//! boxes that have nothing in common, each with the tests that kill it.
//!
//! Running every test on all combinations would take far too long: `plan.rs` says what is run.

use fixedbitset::FixedBitSet;

use super::alternatives::AlternativeSet;
use super::alternatives::AlternativeSets;
use super::condition::TooLarge;
use super::family::Families;
use super::family::Family;
use super::points::Points;
use super::solution::Solution;
use super::stack::deep;

/// Combinations with which a test does the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub sets: AlternativeSets,
    pub fails: bool,
}

/// Runs a test with sets of alternatives.
pub trait Splitter {
    /// Why a run can come to nothing.
    type Stop;

    /// Cuts a box into leaves, which are disjoint and together the whole box.
    fn run(&mut self, test: usize, allowed: &AlternativeSets) -> Result<Vec<Leaf>, Self::Stop>;
}

/// Why the search failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SplitError<S> {
    /// A test that fails with no mutant on.
    Baseline { test: usize },
    /// A run did not end well.
    Stop(S),
}

/// Combinations that are strongly subsuming, except for those of fewer than two mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsumingBox {
    pub sets: AlternativeSets,
    /// The tests that kill all of them; the others kill none.
    pub killers: Vec<usize>,
}

/// The result of splitting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitFound {
    pub boxes: Vec<SubsumingBox>,
    /// Calls of the splitter.
    pub runs: u64,
    /// Leaves that it gave.
    pub leaves: u64,
}

/// For each test, the mutants that it kills alone, found point by point.
pub fn first_order<S: Splitter>(
    points: &Points,
    tests: usize,
    splitter: &mut S,
) -> Result<Vec<FixedBitSet>, SplitError<S::Stop>> {
    (0..tests).map(|test| killed_alone(points, test, splitter)).collect()
}

/// The mutants that a test kills alone, found point by point.
pub fn killed_alone<S: Splitter>(
    points: &Points,
    test: usize,
    splitter: &mut S,
) -> Result<FixedBitSet, SplitError<S::Stop>> {
    let mut killed = FixedBitSet::with_capacity(points.mutants());
    for point in 0..points.len() {
        let own: FixedBitSet = points.at(point).map(|mutant| mutant as usize).collect();
        let allowed = AlternativeSets::of(points, &own);
        for leaf in splitter.run(test, &allowed).map_err(SplitError::Stop)? {
            if !leaf.fails {
                continue;
            }
            for alternative in leaf.sets.at(point).iter() {
                let before = alternative.checked_sub(1).ok_or(SplitError::Baseline { test })?;
                killed.insert((points.at(point).start + before) as usize);
            }
        }
    }
    Ok(killed)
}

impl SplitFound {
    /// Takes over what another part has.
    pub fn add(&mut self, other: Self) {
        self.boxes.extend(other.boxes);
        self.runs += other.runs;
        self.leaves += other.leaves;
    }

    /// Puts the boxes into the order of what they hold, whenever they were found.
    pub fn sort(&mut self) {
        self.boxes.sort_unstable_by(|one, other| one.sets.cmp(&other.sets));
    }

    /// The tests that kill a combination that was found.
    pub fn killers(&self, points: &Points, combination: &[u32]) -> Option<&[usize]> {
        let mut wanted = vec![0; points.len()];
        for mutant in combination {
            let point = points.point_of(*mutant) as usize;
            wanted[point] = mutant - points.at(point).start + 1;
        }
        let holds = |found: &&SubsumingBox| {
            wanted.iter().enumerate().all(|(point, wanted)| found.sets.at(point).contains(*wanted))
        };
        self.boxes.iter().find(holds).map(|found| &found.killers[..])
    }

    /// The boxes as a solution, with counts, lists and characteristics; of combinations of at most this many
    /// mutants, if the splitter looked at no others.
    pub fn solution(
        &self,
        points: &Points,
        kills: &[FixedBitSet],
        max_order: Option<usize>,
        max_nodes: usize,
    ) -> Result<Solution, TooLarge> {
        deep(points.mutants(), || self.solution_deep(points, kills, max_order, max_nodes))
    }

    fn solution_deep(
        &self,
        points: &Points,
        kills: &[FixedBitSet],
        max_order: Option<usize>,
        max_nodes: usize,
    ) -> Result<Solution, TooLarge> {
        let mut families = Families::new(max_nodes);
        let (mut all, mut equal) = (Family::NONE, Family::NONE);
        for found in &self.boxes {
            let product = families.product(points, &found.sets)?;
            let mut own = families.at_least(product, 2)?;
            if let Some(order) = max_order {
                own = families.at_most(own, order)?;
            }
            all = families.union(all, own)?;
            for (test, killed) in kills.iter().enumerate() {
                if found.killers.binary_search(&test).is_err() {
                    own = families.leaving(own, killed)?;
                }
            }
            equal = families.union(equal, own)?;
        }
        let strict = families.minus(all, equal)?;
        Solution::new(kills.to_vec(), max_order, &families, all, strict)
    }
}

impl Families {
    /// The combinations of a box.
    fn product(&mut self, points: &Points, sets: &AlternativeSets) -> Result<Family, TooLarge> {
        let mut rest = Family::UNIT;
        for point in (0..points.len()).rev() {
            let set = sets.at(point);
            let mut one = if set.contains(0) { rest } else { Family::NONE };
            for (before, mutant) in points.at(point).enumerate().rev() {
                if set.contains(before as u32 + 1) {
                    one = self.join(mutant, one, rest)?;
                }
            }
            rest = one;
        }
        Ok(rest)
    }
}

/// Follows one execution through a box, and remembers where it could have gone elsewhere.
pub struct Chooser {
    sets: AlternativeSets,
    open: Vec<AlternativeSets>,
}

impl Chooser {
    /// What a point evaluates to. Alternatives that are still possible and give the same value stay
    /// together; the execution continues with the first such group, and comes back for the others.
    pub fn pick<V: PartialEq>(&mut self, point: usize, value: impl Fn(u32) -> V) -> V {
        let mut groups: Vec<(V, AlternativeSet)> = Vec::new();
        for alternative in self.sets.at(point).iter() {
            let value = value(alternative);
            match groups.iter_mut().find(|(known, _)| *known == value) {
                Some((_, group)) => group.insert(alternative),
                None => groups.push((value, [alternative].into_iter().collect())),
            }
        }
        let (first, own) = groups.swap_remove(0);
        for (_, other) in groups {
            let mut sets = self.sets.clone();
            sets.put(point, other);
            self.open.push(sets);
        }
        self.sets.put(point, own);
        first
    }
}

/// Cuts a box into leaves by running an interpreter again and again: `execute` runs the test from its start,
/// asks the chooser at every point, and says whether the test fails.
pub fn leaves(allowed: &AlternativeSets, mut execute: impl FnMut(&mut Chooser) -> bool) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let mut open = vec![allowed.clone()];
    while let Some(sets) = open.pop() {
        let mut chooser = Chooser { sets, open };
        let fails = execute(&mut chooser);
        leaves.push(Leaf { sets: chooser.sets, fails });
        open = chooser.open;
    }
    leaves
}
