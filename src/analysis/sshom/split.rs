//! The complete search by splitting: for whoever can run a test with sets of alternatives.
//!
//! In: somebody who runs a test on a box of combinations and cuts it into boxes that do the same (`Splitter`;
//! `leaves` makes one of any deterministic interpreter). Out: all strongly subsuming higher-order mutants, as
//! boxes that have nothing in common, each with the tests that kill it.
//!
//! Running every test on all combinations would take far too long. Each combination is looked for where the
//! first test that kills it is known, among the mutants which that test kills; what fails there is carried
//! through the other tests, and whatever breaks the definition is dropped at once.

use std::cmp::Reverse;

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

/// Why the search came to nothing.
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

/// What splitting came to.
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

/// Finds all strongly subsuming higher-order mutants; `kills` has for each test the mutants that it kills
/// alone.
pub fn split_search<S: Splitter>(
    points: &Points,
    kills: &[FixedBitSet],
    splitter: &mut S,
) -> Result<SplitFound, S::Stop> {
    let plan = SplitPlan::new(points, kills);
    let mut all = SplitFound::default();
    for part in 0..plan.parts() {
        all.add(plan.find(part, splitter)?);
    }
    Ok(all)
}

/// The search, cut into parts that do not depend on each other: one for each test that may be the first to
/// kill, tests that kill few mutants first.
pub struct SplitPlan<'a> {
    points: &'a Points,
    kills: &'a [FixedBitSet],
    order: Vec<usize>,
}

impl<'a> SplitPlan<'a> {
    /// The parts of a search.
    pub fn new(points: &'a Points, kills: &'a [FixedBitSet]) -> Self {
        let mut order: Vec<usize> = (0..kills.len()).collect();
        order.sort_by_key(|test| (kills[*test].count_ones(..), *test));
        Self { points, kills, order }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.order.len()
    }

    /// Finds what is in a part: no part has what another has.
    pub fn find<S: Splitter>(&self, part: usize, splitter: &mut S) -> Result<SplitFound, S::Stop> {
        let (open, mut found) = self.begin(part, splitter)?;
        for one in open.boxes {
            found.add(self.finish(&open.others, one, splitter)?);
        }
        found.sort();
        Ok(found)
    }

    /// Runs the test that is the first to kill. What fails it are boxes, each of which is carried through the
    /// other tests on its own.
    pub fn begin<S: Splitter>(
        &self,
        part: usize,
        splitter: &mut S,
    ) -> Result<(OpenPart, SplitFound), S::Stop> {
        let mut search = self.search(splitter);
        let boxes = search.first_killed_by(self.order[part])?;
        Ok((OpenPart { boxes, others: self.others(part) }, search.found))
    }

    /// Carries a box through the other tests.
    pub fn finish<S: Splitter>(
        &self,
        others: &[OtherTest],
        one: SubsumingBox,
        splitter: &mut S,
    ) -> Result<SplitFound, S::Stop> {
        let mut search = self.search(splitter);
        let mut boxes = vec![one];
        for other in others {
            let mut left = Vec::new();
            for found in boxes {
                search.carry(found, other, &mut left)?;
            }
            boxes = left;
        }
        boxes.iter_mut().for_each(|found| found.killers.sort_unstable());
        search.found.boxes = boxes;
        Ok(search.found)
    }

    fn search<'s, S: Splitter>(&self, splitter: &'s mut S) -> Search<'s, S>
    where
        'a: 's,
    {
        Search { points: self.points, kills: self.kills, splitter, found: SplitFound::default() }
    }

    /// The other tests: first those that kill most of what the first one kills.
    fn others(&self, part: usize) -> Vec<OtherTest> {
        let own = &self.kills[self.order[part]];
        let others = self.order.iter().enumerate().filter(|(at, _)| *at != part);
        let mut others: Vec<OtherTest> =
            others.map(|(at, test)| OtherTest { test: *test, earlier: at < part }).collect();
        others.sort_by_cached_key(|other| Reverse(self.kills[other.test].intersection_count(own)));
        others
    }
}

/// A test that a box is carried through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherTest {
    test: usize,
    /// Whether it has a part before: what it kills is there.
    earlier: bool,
}

/// A part that was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPart {
    pub boxes: Vec<SubsumingBox>,
    pub others: Vec<OtherTest>,
}

struct Search<'a, S> {
    points: &'a Points,
    kills: &'a [FixedBitSet],
    splitter: &'a mut S,
    found: SplitFound,
}

impl<S: Splitter> Search<'_, S> {
    fn first_killed_by(&mut self, first: usize) -> Result<Vec<SubsumingBox>, S::Stop> {
        let allowed = AlternativeSets::of(self.points, &self.kills[first]);
        if allowed.mutable() < 2 {
            return Ok(Vec::new());
        }
        let failing = self.run(first, &allowed)?.into_iter().filter(|leaf| leaf.fails);
        let killed = failing.map(|leaf| SubsumingBox { sets: leaf.sets, killers: vec![first] });
        Ok(killed.filter(|found| found.sets.mutable() >= 2).collect())
    }

    /// Puts what is left of a box after another test to the rest.
    fn carry(
        &mut self,
        found: SubsumingBox,
        other: &OtherTest,
        left: &mut Vec<SubsumingBox>,
    ) -> Result<(), S::Stop> {
        let OtherTest { test, earlier } = *other;
        let leaves = self.run(test, &found.sets)?;
        if leaves.iter().all(|leaf| !leaf.fails) {
            left.push(found);
            return Ok(());
        }
        for leaf in leaves {
            let mut killers = found.killers.clone();
            let sets = if !leaf.fails {
                Some(leaf.sets)
            } else if earlier {
                None
            } else {
                killers.push(test);
                leaf.sets.within(self.points, &self.kills[test])
            };
            let worth = sets.filter(|sets| sets.mutable() >= 2);
            left.extend(worth.map(|sets| SubsumingBox { sets, killers }));
        }
        Ok(())
    }

    fn run(&mut self, test: usize, allowed: &AlternativeSets) -> Result<Vec<Leaf>, S::Stop> {
        let leaves = self.splitter.run(test, allowed)?;
        self.found.runs += 1;
        self.found.leaves += leaves.len() as u64;
        Ok(leaves)
    }
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

    /// The boxes as a solution, with counts, lists and characteristics; of combinations of at most so many
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
    /// together; the execution goes on with the first such group, and comes back for the others.
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
