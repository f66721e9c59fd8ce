//! Families made of families.
//!
//! In: families. Out: families of the same `Families`. Every operation walks its operands once, whatever the
//! number of combinations in them.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::condition::TooLarge;
use super::family::Families;
use super::family::Family;

type Memo<K> = FxHashMap<K, Family>;

impl Families {
    /// What is in either.
    pub fn union(&mut self, first: Family, second: Family) -> Result<Family, TooLarge> {
        self.merge(first, second, &mut Memo::default())
    }

    fn merge(&mut self, a: Family, b: Family, memo: &mut Memo<(Family, Family)>) -> Result<Family, TooLarge> {
        if a == b || b == Family::NONE {
            return Ok(a);
        }
        if a == Family::NONE {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = memo.get(&key) {
            return Ok(*known);
        }
        let mutant = self.split(a).mutant.min(self.split(b).mutant);
        let ((a0, a1), (b0, b1)) = (self.parts(a, mutant), self.parts(b, mutant));
        let without = self.merge(a0, b0, memo)?;
        let with = self.merge(a1, b1, memo)?;
        let made = self.join(mutant, without, with)?;
        memo.insert(key, made);
        Ok(made)
    }

    /// What is in the first, but not in the second.
    pub fn minus(&mut self, first: Family, second: Family) -> Result<Family, TooLarge> {
        self.take(first, second, &mut Memo::default())
    }

    fn take(&mut self, a: Family, b: Family, memo: &mut Memo<(Family, Family)>) -> Result<Family, TooLarge> {
        if a == b || a == Family::NONE {
            return Ok(Family::NONE);
        }
        if b == Family::NONE {
            return Ok(a);
        }
        if let Some(known) = memo.get(&(a, b)) {
            return Ok(*known);
        }
        let mutant = self.split(a).mutant.min(self.split(b).mutant);
        let ((a0, a1), (b0, b1)) = (self.parts(a, mutant), self.parts(b, mutant));
        let without = self.take(a0, b0, memo)?;
        let with = self.take(a1, b1, memo)?;
        let made = self.join(mutant, without, with)?;
        memo.insert((a, b), made);
        Ok(made)
    }

    /// What is in both.
    pub fn in_both(&mut self, first: Family, second: Family) -> Result<Family, TooLarge> {
        let rest = self.minus(first, second)?;
        self.minus(first, rest)
    }

    /// The combinations of at least this many mutants.
    pub fn at_least(&mut self, family: Family, order: usize) -> Result<Family, TooLarge> {
        self.cut(family, order, true, &mut Memo::default())
    }

    /// The combinations of at most this many mutants.
    pub fn at_most(&mut self, family: Family, order: usize) -> Result<Family, TooLarge> {
        self.cut(family, order, false, &mut Memo::default())
    }

    fn cut(
        &mut self,
        family: Family,
        order: usize,
        least: bool,
        memo: &mut Memo<(Family, usize)>,
    ) -> Result<Family, TooLarge> {
        if family == Family::NONE || (least && order == 0) {
            return Ok(family);
        }
        if family == Family::UNIT {
            return Ok(if least { Family::NONE } else { family });
        }
        if let Some(known) = memo.get(&(family, order)) {
            return Ok(*known);
        }
        let split = self.split(family);
        let without = self.cut(split.without, order, least, memo)?;
        let with = if order == 0 { Family::NONE } else { self.cut(split.with, order - 1, least, memo)? };
        let made = self.join(split.mutant, without, with)?;
        memo.insert((family, order), made);
        Ok(made)
    }

    /// The combinations that have a mutant outside of `mutants`.
    pub fn leaving(&mut self, family: Family, mutants: &FixedBitSet) -> Result<Family, TooLarge> {
        self.leave(family, mutants, &mut Memo::default())
    }

    fn leave(
        &mut self,
        family: Family,
        mutants: &FixedBitSet,
        memo: &mut Memo<Family>,
    ) -> Result<Family, TooLarge> {
        if family <= Family::UNIT {
            return Ok(Family::NONE);
        }
        if let Some(known) = memo.get(&family) {
            return Ok(*known);
        }
        let split = self.split(family);
        let without = self.leave(split.without, mutants, memo)?;
        let inside = mutants.contains(split.mutant as usize);
        let with = if inside { self.leave(split.with, mutants, memo)? } else { split.with };
        let made = self.join(split.mutant, without, with)?;
        memo.insert(family, made);
        Ok(made)
    }

    /// The combinations of `family` that are in `smaller` once one of their mutants is taken away.
    pub fn extending(&mut self, family: Family, smaller: Family) -> Result<Family, TooLarge> {
        self.extend(family, smaller, &mut Memo::default())
    }

    fn extend(
        &mut self,
        family: Family,
        smaller: Family,
        memo: &mut Memo<(Family, Family)>,
    ) -> Result<Family, TooLarge> {
        if family <= Family::UNIT || smaller == Family::NONE {
            return Ok(Family::NONE);
        }
        if let Some(known) = memo.get(&(family, smaller)) {
            return Ok(*known);
        }
        let split = self.split(family);
        let (mut rest, mutant) = (smaller, split.mutant);
        // Mutants that the family no longer has cannot be in what is taken from it.
        while self.split(rest).mutant < mutant {
            rest = self.split(rest).without;
        }
        let (rest0, rest1) = self.parts(rest, mutant);
        let without = self.extend(split.without, rest0, memo)?;
        let kept = self.extend(split.with, rest1, memo)?;
        let taken = self.in_both(split.with, rest0)?;
        let with = self.union(kept, taken)?;
        let made = self.join(mutant, without, with)?;
        memo.insert((family, smaller), made);
        Ok(made)
    }

    /// A family that has nothing before this mutant: without it, and with it.
    fn parts(&self, family: Family, mutant: u32) -> (Family, Family) {
        let split = self.split(family);
        if split.mutant == mutant { (split.without, split.with) } else { (family, Family::NONE) }
    }
}

impl Families {
    /// The family of just these combinations (each in ascending order).
    pub fn of(&mut self, mut combinations: Vec<Vec<u32>>) -> Result<Family, TooLarge> {
        combinations.sort_unstable();
        combinations.dedup();
        self.listed(&combinations, 0)
    }

    /// The family of sorted combinations that differ from place `at` on only.
    fn listed(&mut self, list: &[Vec<u32>], at: usize) -> Result<Family, TooLarge> {
        let (mut made, rest) = match list.split_first() {
            Some((first, rest)) if first.len() == at => (Family::UNIT, rest),
            _ => (Family::NONE, list),
        };
        for group in rest.chunk_by(|a, b| a[at] == b[at]).rev() {
            let with = self.listed(group, at + 1)?;
            made = self.join(group[0][at], made, with)?;
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    type Sets = BTreeSet<BTreeSet<u32>>;

    fn sets() -> impl Strategy<Value = Sets> {
        prop::collection::btree_set(prop::collection::btree_set(0..6_u32, 0..6), 0..20)
    }

    fn build(all: &mut Families, sets: &Sets) -> Family {
        let sets: Vec<Vec<u32>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
        all.of(sets).unwrap()
    }

    /// The sets that a family has, read off one by one.
    fn sets_of(all: &Families, family: Family) -> Sets {
        let every = (0..64_u32).map(|bits| (0..6).filter(|at| bits >> at & 1 == 1).collect::<Vec<u32>>());
        every.filter(|set| all.has(family, set)).map(BTreeSet::from_iter).collect()
    }

    fn kept(sets: &Sets, keep: impl Fn(&BTreeSet<u32>) -> bool) -> Sets {
        sets.iter().filter(|set| keep(set)).cloned().collect()
    }

    proptest! {
        #[test]
        fn families_do_what_sets_of_sets_do(a in sets(), b in sets(), order in 0..5_usize, bits in 0..64_u32) {
            let mut all = Families::new(10_000);
            let (x, y) = (build(&mut all, &a), build(&mut all, &b));
            let inside: BTreeSet<u32> = (0..6).filter(|at| bits >> at & 1 == 1).collect();
            let mutants: FixedBitSet = inside.iter().map(|at| *at as usize).collect();
            let shrinks = |set: &BTreeSet<u32>| {
                set.iter().any(|out| b.contains(&set.iter().copied().filter(|at| at != out).collect()))
            };
            let made = [
                (all.union(x, y), &a | &b),
                (all.minus(x, y), &a - &b),
                (all.in_both(x, y), &a & &b),
                (all.at_least(x, order), kept(&a, |set| set.len() >= order)),
                (all.at_most(x, order), kept(&a, |set| set.len() <= order)),
                (all.leaving(x, &mutants), kept(&a, |set| !set.is_subset(&inside))),
                (all.extending(x, y), kept(&a, shrinks)),
            ];
            for (at, (family, wanted)) in made.into_iter().enumerate() {
                prop_assert_eq!(sets_of(&all, family.unwrap()), wanted, "operation {}", at);
            }
        }
    }
}
