//! All strongly subsuming higher-order mutants: how many, and which.
//!
//! In: the family of all and the family of the strict ones. Out: exact counts, however large, and the
//! combinations one after the other, in the same order every time.

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;

use super::condition::TooLarge;
use super::family::Families;
use super::family::Family;

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    All,
    Strict,
}

/// All strongly subsuming higher-order mutants of a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// For each test, the mutants that it kills alone.
    pub kills: Vec<FixedBitSet>,
    /// Only combinations of at most this many mutants were looked at.
    pub max_order: Option<usize>,
    pub(super) families: Families,
    pub(super) all: Family,
    pub(super) strict: Family,
}

/// How many combinations there are of each order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountsByOrder {
    /// By order; the last is not zero.
    orders: Vec<BigUint>,
}

impl Solution {
    /// A solution of two families, without whatever else there is.
    pub(super) fn new(
        kills: Vec<FixedBitSet>,
        max_order: Option<usize>,
        families: &Families,
        all: Family,
        strict: Family,
    ) -> Result<Self, TooLarge> {
        let mut own = Families::new(usize::MAX);
        let (all, strict) = (own.adopt(families, all)?, own.adopt(families, strict)?);
        Ok(Self { kills, max_order, families: own, all, strict })
    }

    /// A solution of combinations that were found one by one; each in ascending order.
    pub fn listed(
        kills: Vec<FixedBitSet>,
        all: Vec<Vec<u32>>,
        strict: Vec<Vec<u32>>,
    ) -> Result<Self, TooLarge> {
        let mut families = Families::new(usize::MAX);
        let (all, strict) = (families.of(all)?, families.of(strict)?);
        Self::new(kills, None, &families, all, strict)
    }

    /// How many there are of each order.
    pub fn counts(&self, which: Which) -> CountsByOrder {
        self.families.counts(self.family(which))
    }

    /// Whether a combination (in ascending order) is one of them.
    pub fn has(&self, which: Which, combination: &[u32]) -> bool {
        self.families.has(self.family(which), combination)
    }

    /// All of them: by order, those of one order by their mutants.
    pub fn combinations(&self, which: Which) -> impl Iterator<Item = Vec<u32>> {
        Combinations::new(&self.families, self.family(which))
    }

    /// The mutants that some of them have.
    pub fn mutants(&self, which: Which) -> FixedBitSet {
        self.families.support(self.family(which))
    }

    pub(super) fn family(&self, which: Which) -> Family {
        match which {
            Which::All => self.all,
            Which::Strict => self.strict,
        }
    }
}

impl CountsByOrder {
    /// How many there are.
    pub fn total(&self) -> BigUint {
        self.orders.iter().sum()
    }

    /// How many there are of one order.
    pub fn of(&self, order: usize) -> BigUint {
        self.orders.get(order).cloned().unwrap_or_default()
    }

    /// Orders of which there are some, and how many.
    pub fn orders(&self) -> impl Iterator<Item = (usize, &BigUint)> {
        self.orders.iter().enumerate().filter(|(_, count)| **count != BigUint::ZERO)
    }

    fn add_with_one_more(&mut self, other: &Self) {
        if other.orders.is_empty() {
            return;
        }
        self.orders.resize(self.orders.len().max(other.orders.len() + 1), BigUint::ZERO);
        for (own, more) in self.orders[1..].iter_mut().zip(&other.orders) {
            *own += more;
        }
    }
}

impl Families {
    /// How many combinations a family has, by order.
    pub fn counts(&self, family: Family) -> CountsByOrder {
        let reached = self.reached(family);
        let mut counts = vec![CountsByOrder::default(); family.0 as usize + 1];
        if let Some(unit) = counts.get_mut(Family::UNIT.0 as usize) {
            unit.orders = vec![1_u32.into()];
        }
        for at in reached.ones() {
            let split = self.splits()[at];
            let mut sum = counts[split.without.0 as usize].clone();
            sum.add_with_one_more(&counts[split.with.0 as usize]);
            counts[at] = sum;
        }
        counts.swap_remove(family.0 as usize)
    }

    /// How many of its combinations have no mutant outside of `mutants`.
    pub fn count_within(&self, family: Family, mutants: &FixedBitSet) -> BigUint {
        let mut counts = vec![BigUint::ZERO; (family.0 as usize + 1).max(2)];
        counts[Family::UNIT.0 as usize] = 1_u32.into();
        for at in self.reached(family).ones() {
            let split = self.splits()[at];
            counts[at] = counts[split.without.0 as usize].clone();
            if mutants.contains(split.mutant as usize) {
                let with = counts[split.with.0 as usize].clone();
                counts[at] += with;
            }
        }
        counts.swap_remove(family.0 as usize)
    }

    /// The mutants that some combination has.
    fn support(&self, family: Family) -> FixedBitSet {
        let mut support = FixedBitSet::new();
        self.reached(family).ones().for_each(|at| support.grow_and_insert(self.splits()[at].mutant as usize));
        support
    }

    /// The nodes that a family is made of, without the ends.
    fn reached(&self, family: Family) -> FixedBitSet {
        let mut reached = FixedBitSet::with_capacity(family.0 as usize + 1);
        let mut open = vec![family];
        while let Some(next) = open.pop() {
            if next > Family::UNIT && !reached.put(next.0 as usize) {
                let split = self.split(next);
                open.extend([split.without, split.with]);
            }
        }
        reached
    }
}

/// Walks a family order by order, never into a branch that has nothing of the order.
struct Combinations<'a> {
    families: &'a Families,
    family: Family,
    /// For each node, the orders it has.
    sizes: Vec<FixedBitSet>,
    order: usize,
    open: Vec<Step>,
    chosen: Vec<u32>,
}

/// A branch to walk: what is chosen so far, and how many are still to be chosen.
struct Step {
    family: Family,
    missing: usize,
    chosen: usize,
    add: Option<u32>,
}

impl<'a> Combinations<'a> {
    fn new(families: &'a Families, family: Family) -> Self {
        let mut sizes = vec![FixedBitSet::new(); (family.0 as usize + 1).max(2)];
        sizes[Family::UNIT.0 as usize].grow_and_insert(0);
        for at in families.reached(family).ones() {
            let split = families.splits()[at];
            let mut own = sizes[split.without.0 as usize].clone();
            sizes[split.with.0 as usize].ones().for_each(|size| own.grow_and_insert(size + 1));
            sizes[at] = own;
        }
        Self { families, family, sizes, order: 0, open: Vec::new(), chosen: Vec::new() }
    }

    fn has(&self, family: Family, size: usize) -> bool {
        self.sizes[family.0 as usize].contains(size)
    }

    fn push(&mut self, family: Family, missing: usize, add: Option<u32>) {
        if self.has(family, missing) {
            self.open.push(Step { family, missing, chosen: self.chosen.len(), add });
        }
    }

    /// Starts with the next order that there is.
    fn next_order(&mut self) -> Option<()> {
        let next = self.sizes[self.family.0 as usize].ones().find(|size| *size >= self.order)?;
        self.order = next + 1;
        self.chosen.clear();
        self.push(self.family, next, None);
        Some(())
    }
}

impl Iterator for Combinations<'_> {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(step) = self.open.pop() else {
                self.next_order()?;
                continue;
            };
            self.chosen.truncate(step.chosen);
            self.chosen.extend(step.add);
            if step.missing == 0 {
                return Some(self.chosen.clone());
            }
            let split = self.families.split(step.family);
            self.push(split.without, step.missing, None);
            self.push(split.with, step.missing - 1, Some(split.mutant));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_by_order_then_by_mutants_and_counts_agree() {
        let mut families = Families::new(1000);
        let sets = [vec![1, 5], vec![0, 2, 4], vec![0, 9], vec![3], vec![0, 2, 3], vec![0, 1, 2, 3, 4]];
        let family = families.of(sets.to_vec()).unwrap();
        let listed: Vec<Vec<u32>> = Combinations::new(&families, family).collect();
        let mut sorted = sets.to_vec();
        sorted.sort_by_key(|set| (set.len(), set.clone()));
        assert_eq!(listed, sorted);
        let counts = families.counts(family);
        let orders: Vec<(usize, u32)> =
            counts.orders().map(|(order, count)| (order, count.try_into().unwrap())).collect();
        assert_eq!(orders, [(1, 1), (2, 2), (3, 2), (5, 1)]);
        assert_eq!((counts.total(), counts.of(4)), (6_u32.into(), BigUint::ZERO));
        let low: FixedBitSet = (0..5).collect();
        assert_eq!(families.count_within(family, &low), 4_u32.into());
        assert_eq!(families.support(family).ones().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 9]);
    }

    #[test]
    fn counts_do_not_overflow() {
        let mut families = Families::new(1000);
        let mut family = Family::UNIT;
        for mutant in (0..200).rev() {
            family = families.join(mutant, family, family).unwrap();
        }
        assert_eq!(families.counts(family).total(), BigUint::from(1_u32) << 200);
        assert_eq!(Combinations::new(&families, family).take(300).count(), 300);
    }

    #[test]
    fn the_empty_family_has_nothing() {
        let families = Families::new(10);
        assert_eq!(families.counts(Family::NONE).total(), BigUint::ZERO);
        assert_eq!(Combinations::new(&families, Family::NONE).next(), None);
        assert_eq!(families.counts(Family::UNIT).of(0), 1_u32.into());
    }
}
