//! Which alternatives of each point are still possible.
//!
//! Alternative 0 of a point is the original, 1 its first mutant and so on. Sets of alternatives, one for
//! each point, stand for all combinations that can be made by choosing one of each.

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::points::Points;

/// Alternatives of one point.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlternativeSet(SmallVec<[u64; 1]>);

impl AlternativeSet {
    /// Just the original.
    pub fn original() -> Self {
        [0].into_iter().collect()
    }

    /// Adds an alternative.
    pub fn insert(&mut self, alternative: u32) {
        let word = alternative as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (alternative % 64);
    }

    /// Whether it has this alternative.
    pub fn contains(&self, alternative: u32) -> bool {
        self.0.get(alternative as usize / 64).is_some_and(|word| word >> (alternative % 64) & 1 == 1)
    }

    /// Its alternatives, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.0.len() as u32 * 64).filter(|alternative| self.contains(*alternative))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether there is a mutant in it.
    pub fn mutates(&self) -> bool {
        self.len() > usize::from(self.contains(0))
    }
}

impl FromIterator<u32> for AlternativeSet {
    fn from_iter<I: IntoIterator<Item = u32>>(alternatives: I) -> Self {
        let mut set = Self::default();
        alternatives.into_iter().for_each(|alternative| set.insert(alternative));
        set
    }
}

/// Alternatives of every point: a box of combinations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlternativeSets(Vec<AlternativeSet>);

impl AlternativeSets {
    /// Every point has its original, or one of these mutants.
    pub fn of(points: &Points, mutants: &FixedBitSet) -> Self {
        let of = |point: usize| {
            let own = (1..).zip(points.at(point)).filter(|(_, mutant)| mutants.contains(*mutant as usize));
            [0].into_iter().chain(own.map(|(alternative, _)| alternative)).collect()
        };
        Self((0..points.len()).map(of).collect())
    }

    /// These alternatives of each point.
    pub fn new(sets: Vec<AlternativeSet>) -> Self {
        Self(sets)
    }

    /// The alternatives of each point.
    pub fn iter(&self) -> impl Iterator<Item = &AlternativeSet> {
        self.0.iter()
    }

    /// The alternatives of a point.
    pub fn at(&self, point: usize) -> &AlternativeSet {
        &self.0[point]
    }

    /// Gives a point other alternatives.
    pub fn put(&mut self, point: usize, alternatives: AlternativeSet) {
        self.0[point] = alternatives;
    }

    /// Gives a point these alternatives, too.
    pub fn add(&mut self, point: usize, alternatives: &AlternativeSet) {
        alternatives.iter().for_each(|alternative| self.0[point].insert(alternative));
    }

    /// The part that has no mutants but these; none if some point is left with nothing.
    pub fn within(&self, points: &Points, mutants: &FixedBitSet) -> Option<Self> {
        let mut left = self.clone();
        for (point, set) in left.0.iter_mut().enumerate() {
            let start = points.at(point).start;
            let allowed = |alternative: &u32| {
                *alternative == 0 || mutants.contains((start + *alternative - 1) as usize)
            };
            *set = set.iter().filter(allowed).collect();
            if set.is_empty() {
                return None;
            }
        }
        Some(left)
    }

    /// At how many points there may be a mutant.
    pub fn mutable(&self) -> usize {
        self.0.iter().filter(|set| set.mutates()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_more_alternatives_than_a_word_has_bits() {
        let set: AlternativeSet = [0, 63, 64, 200].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 200]);
        assert!(set.mutates() && !AlternativeSet::original().mutates() && !set.contains(65));
    }

    #[test]
    fn a_box_within_mutants_loses_the_others() {
        let points = Points::new([vec!["a".into(), "b".into()], vec!["c".into()]]);
        let all = AlternativeSets::of(&points, &(0..3).collect());
        assert_eq!(all.mutable(), 2);
        let mut left = all.within(&points, &[1].into_iter().collect()).unwrap();
        assert_eq!((left.at(0).iter().collect::<Vec<_>>(), left.at(1).len()), (vec![0, 2], 1));
        left.put(0, [2].into_iter().collect());
        assert_eq!(left.within(&points, &[0].into_iter().collect()), None);
    }
}
