//! The order in which the complete search runs tests.
//!
//! In: for each test, the mutants that it kills alone. Out: parts, one for each test that may be the first to
//! kill. A part is a box of combinations of the mutants that this test kills (no others can be in what it kills
//! first) and the tests that they are carried through; what breaks the definition is dropped on the way, and
//! what is left at the end is strongly subsuming.
//!
//! What an earlier test kills is in another part, so a few of these come before the part's own test: what they
//! drop is most of the box, and need not be cut by the others. On Triangle this halves the leaves (53,203 to
//! 25,343); all of the earlier ones first, instead of two, is 39,247, as each cuts what the next one has to run.
//! Putting together what does the same after each test ([`merge`]) leaves 18,510, in 4,480 instead of 18,607 boxes.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;

use super::alternatives::AlternativeSets;
use super::merge::merge;
use super::points::Points;
use super::split::SplitFound;
use super::split::Splitter;
use super::split::SubsumingBox;

/// So many earlier tests come before a part's own.
const BEFORE: usize = 2;

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

/// A test that the boxes of a part are carried through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanStep {
    test: usize,
    keeps: Keeps,
}

/// What is left of a box after a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeps {
    /// What fails: it is the first test to kill.
    Failing,
    /// What passes: the part of this test has the rest.
    Passing,
    /// What passes, and what fails and has no mutants but those that the test kills.
    Subsuming,
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

    /// What a part begins with, if it can have anything: no part has what another has.
    pub fn whole(&self, part: usize) -> Option<SubsumingBox> {
        let sets = AlternativeSets::of(self.points, &self.kills[self.order[part]]);
        (sets.mutable() >= 2).then_some(SubsumingBox { sets, killers: vec![] })
    }

    /// The tests of a part, in the order in which they are run: those that kill most of what its own test kills
    /// come first.
    pub fn steps(&self, part: usize) -> Vec<PlanStep> {
        let own = &self.kills[self.order[part]];
        let step = |(at, test): (usize, &usize)| {
            let keeps = if at < part { Keeps::Passing } else { Keeps::Subsuming };
            PlanStep { test: *test, keeps }
        };
        let mut steps: Vec<PlanStep> =
            self.order.iter().enumerate().filter(|(at, _)| *at != part).map(step).collect();
        steps.sort_by_cached_key(|step| Reverse(self.kills[step.test].intersection_count(own)));
        let earlier = |step: &PlanStep| step.keeps == Keeps::Passing;
        let before: Vec<PlanStep> = steps.iter().copied().filter(earlier).take(BEFORE).collect();
        steps.retain(|step| !before.contains(step));
        let own = PlanStep { test: self.order[part], keeps: Keeps::Failing };
        before.into_iter().chain([own]).chain(steps).collect()
    }

    /// What is left of a box after a test.
    pub fn carry<S: Splitter>(
        &self,
        one: SubsumingBox,
        step: PlanStep,
        splitter: &mut S,
    ) -> Result<SplitFound, S::Stop> {
        let leaves = splitter.run(step.test, &one.sets)?;
        let mut left = SplitFound { boxes: vec![], runs: 1, leaves: leaves.len() as u64 };
        if step.keeps != Keeps::Failing && leaves.iter().all(|leaf| !leaf.fails) {
            left.boxes.push(one);
            return Ok(left);
        }
        let (failing, passing): (Vec<_>, Vec<_>) = leaves.into_iter().partition(|leaf| leaf.fails);
        if step.keeps != Keeps::Failing {
            let passing = merge(passing.into_iter().map(|leaf| leaf.sets).collect());
            let same = |sets| SubsumingBox { sets, killers: one.killers.clone() };
            left.boxes.extend(passing.into_iter().map(same));
        }
        if step.keeps != Keeps::Passing {
            let mut killers = one.killers;
            let place = killers.partition_point(|test| *test < step.test);
            killers.insert(place, step.test);
            let failing = failing.into_iter().filter_map(|leaf| match step.keeps {
                Keeps::Failing => Some(leaf.sets),
                _ => leaf.sets.within(self.points, &self.kills[step.test]),
            });
            let killed = |sets| SubsumingBox { sets, killers: killers.clone() };
            left.boxes.extend(merge(failing.collect()).into_iter().map(killed));
        }
        left.boxes.retain(|left| left.sets.mutable() >= 2);
        Ok(left)
    }

    /// Finds what is in a part.
    pub fn find<S: Splitter>(&self, part: usize, splitter: &mut S) -> Result<SplitFound, S::Stop> {
        let mut found = SplitFound::default();
        found.boxes.extend(self.whole(part));
        for step in self.steps(part) {
            for one in std::mem::take(&mut found.boxes) {
                found.add(self.carry(one, step, splitter)?);
            }
        }
        found.sort();
        Ok(found)
    }
}
