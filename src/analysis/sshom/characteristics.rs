//! Properties of strongly subsuming higher-order mutants.
//!
//! In: a solution, and where the mutants are if that is known. Out: exact figures, without listing anything:
//! how many there are of each order, how many are made of mutants that the same tests kill, how many can be
//! had by adding one mutant to a smaller one, and how far they spread.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use roaring::RoaringBitmap;

use super::condition::TooLarge;
use super::family::Family;
use super::places::Places;
use super::solution::CountsByOrder;
use super::solution::Solution;
use super::solution::Which;
use super::stack::deep;

/// Figures of all, or of the strict ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characteristics {
    pub counts: CountsByOrder,
    /// Those all of whose mutants are killed by the same tests.
    pub equal_fail: BigUint,
    /// Those of more than two mutants.
    pub above_two: BigUint,
    /// Of these, those that are one as well (a strict one, if only these are looked at) once one of their
    /// mutants is taken away.
    pub n_plus_one: BigUint,
    /// Mutants that are in one of them.
    pub mutants: usize,
    /// None if it is not known where the mutants are.
    pub spread: Option<OrderSpread>,
}

/// Over how much of the program they spread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderSpread {
    pub one_function: BigUint,
    /// Several functions of one file.
    pub one_file: BigUint,
    pub two_files: BigUint,
    /// Three files or more.
    pub more: BigUint,
}

/// No place is known for a mutant that is in one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace {
    pub mutant: u32,
}

impl Solution {
    /// The figures. Places are given for every mutant that is in one of them, or not at all.
    pub fn characteristics(
        &self,
        which: Which,
        places: Option<&Places>,
    ) -> Result<Characteristics, TooLarge> {
        let family = self.family(which);
        let counts = self.counts(which);
        let mutants = self.mutants(which);
        let above_two = counts.orders().filter(|(order, _)| *order > 2).map(|(_, count)| count).sum();
        let n_plus_one = deep(self.mutant_count(), || {
            let mut families = self.families.clone();
            let extending = families.extending(family, family)?;
            Ok(families.counts(extending).total())
        })?;
        let spread = places.map(|places| self.spread(family, &counts.total(), &mutants, places));
        let equal_fail = self.equal_fail(family, &mutants);
        let mutants = mutants.count_ones(..);
        Ok(Characteristics { counts, equal_fail, above_two, n_plus_one, mutants, spread })
    }

    /// A mutant that is in one of them and has no place.
    pub fn without_place(&self, places: &Places) -> Option<NoPlace> {
        let mutants = self.mutants(Which::All);
        let mut mutants = mutants.ones().map(|mutant| mutant as u32);
        mutants.find(|mutant| places.file(*mutant).is_none()).map(|mutant| NoPlace { mutant })
    }

    fn mutant_count(&self) -> usize {
        self.kills.iter().map(FixedBitSet::len).max().unwrap_or(0)
    }

    fn equal_fail(&self, family: Family, mutants: &FixedBitSet) -> BigUint {
        let mut classes: BTreeMap<Vec<u32>, FixedBitSet> = BTreeMap::new();
        for mutant in mutants.ones() {
            let tests = self.killers_of(mutant as u32).into_iter().collect();
            classes.entry(tests).or_default().grow_and_insert(mutant);
        }
        classes.values().map(|class| self.families.count_within(family, class)).sum()
    }

    /// The tests that kill a mutant alone.
    pub fn killers_of(&self, mutant: u32) -> RoaringBitmap {
        let kills = |kills: &FixedBitSet| kills.contains(mutant as usize);
        (0..).zip(&self.kills).filter(|(_, known)| kills(known)).map(|(test, _)| test).collect()
    }

    fn spread(&self, family: Family, total: &BigUint, mutants: &FixedBitSet, places: &Places) -> OrderSpread {
        let within = |set: &FixedBitSet| self.families.count_within(family, set);
        let functions = classes(mutants, |mutant| places.function(mutant));
        let files: Vec<FixedBitSet> = classes(mutants, |mutant| places.file(mutant)).into_values().collect();
        let one_function: BigUint = functions.values().map(within).sum();
        let in_file: Vec<BigUint> = files.iter().map(within).collect();
        let in_one: BigUint = in_file.iter().sum();
        let mut two_files = BigUint::ZERO;
        for (at, first) in files.iter().enumerate() {
            for (other, second) in files.iter().enumerate().skip(at + 1) {
                let mut both = first.clone();
                both.union_with(second);
                two_files += within(&both) - &in_file[at] - &in_file[other];
            }
        }
        let more = total - &in_one - &two_files;
        OrderSpread { one_file: &in_one - &one_function, one_function, two_files, more }
    }
}

/// Mutants by what they have in common; those of which nothing is known are left out.
fn classes(mutants: &FixedBitSet, of: impl Fn(u32) -> Option<u32>) -> BTreeMap<u32, FixedBitSet> {
    let mut classes: BTreeMap<u32, FixedBitSet> = BTreeMap::new();
    for mutant in mutants.ones() {
        if let Some(class) = of(mutant as u32) {
            classes.entry(class).or_default().grow_and_insert(mutant);
        }
    }
    classes
}
