//! Families held against conditions.
//!
//! In: a condition, or a family and a condition. Out: the combinations that may stay. Family and diagram are
//! walked side by side: neither is ever written in terms of the other, and no two conditions ever meet.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::condition::Condition;
use super::condition::Conditions;
use super::condition::TooLarge;
use super::family::Families;
use super::family::Family;
use super::points::Points;

/// The combinations of these mutants (in ascending order), at most one of each point, for which a condition
/// holds.
pub fn satisfying(
    families: &mut Families,
    conditions: &Conditions,
    points: &Points,
    mutants: &[u32],
    condition: Condition,
) -> Result<Family, TooLarge> {
    let mut walk = Satisfying { families, conditions, points, mutants, memo: FxHashMap::default() };
    walk.from(0, condition, false)
}

struct Satisfying<'a> {
    families: &'a mut Families,
    conditions: &'a Conditions,
    points: &'a Points,
    mutants: &'a [u32],
    memo: FxHashMap<(usize, Condition, bool), Family>,
}

impl Satisfying<'_> {
    /// What can be made of the mutants from `at` on; `taken` if one of the same point is on already.
    fn from(&mut self, at: usize, condition: Condition, taken: bool) -> Result<Family, TooLarge> {
        let Some(&mutant) = self.mutants.get(at) else {
            let holds = self.conditions.holds(condition, &[]);
            return Ok(if holds { Family::UNIT } else { Family::NONE });
        };
        let condition = skip(self.conditions, condition, mutant);
        if condition == Condition::NEVER {
            return Ok(Family::NONE);
        }
        let key = (at, condition, taken);
        if let Some(known) = self.memo.get(&key) {
            return Ok(*known);
        }
        let point = |mutant: &u32| self.points.point_of(*mutant);
        let same = self.mutants.get(at + 1).map(point) == Some(self.points.point_of(mutant));
        let (off, on) = sides(self.conditions, condition, mutant);
        let without = self.from(at + 1, off, taken && same)?;
        let with = if taken { Family::NONE } else { self.from(at + 1, on, same)? };
        let made = self.families.join(mutant, without, with)?;
        self.memo.insert(key, made);
        Ok(made)
    }
}

/// Leaves the combinations for which the condition does not hold, and of the others those that lie within
/// `allowed`; none of the others if there is no `allowed`.
pub fn unless(
    families: &mut Families,
    conditions: &Conditions,
    family: Family,
    condition: Condition,
    allowed: Option<&FixedBitSet>,
) -> Result<Family, TooLarge> {
    let mut walk = Unless { families, conditions, allowed, memo: FxHashMap::default() };
    walk.of(family, condition, allowed.is_none())
}

struct Unless<'a> {
    families: &'a mut Families,
    conditions: &'a Conditions,
    allowed: Option<&'a FixedBitSet>,
    memo: FxHashMap<(Family, Condition, bool), Family>,
}

impl Unless<'_> {
    /// `outside` if a mutant outside of `allowed` is on already.
    fn of(&mut self, family: Family, condition: Condition, outside: bool) -> Result<Family, TooLarge> {
        if family == Family::NONE {
            return Ok(family);
        }
        let split = self.families.split(family);
        let condition = skip(self.conditions, condition, split.mutant);
        match condition {
            Condition::NEVER => return Ok(family),
            Condition::ALWAYS if outside => return Ok(Family::NONE),
            _ if family == Family::UNIT => return Ok(family),
            _ => {}
        }
        let key = (family, condition, outside);
        if let Some(known) = self.memo.get(&key) {
            return Ok(*known);
        }
        let (off, on) = sides(self.conditions, condition, split.mutant);
        let leaves = self.allowed.is_none_or(|allowed| !allowed.contains(split.mutant as usize));
        let without = self.of(split.without, off, outside)?;
        let with = self.of(split.with, on, outside || leaves)?;
        let made = self.families.join(split.mutant, without, with)?;
        self.memo.insert(key, made);
        Ok(made)
    }
}

/// Leaves the combinations that do not lie within `allowed`, and of the others those for which the condition
/// holds.
pub fn within_only_if(
    families: &mut Families,
    conditions: &Conditions,
    family: Family,
    condition: Condition,
    allowed: &FixedBitSet,
) -> Result<Family, TooLarge> {
    OnlyIf { families, conditions, allowed, memo: FxHashMap::default() }.of(family, condition)
}

struct OnlyIf<'a> {
    families: &'a mut Families,
    conditions: &'a Conditions,
    allowed: &'a FixedBitSet,
    memo: FxHashMap<(Family, Condition), Family>,
}

impl OnlyIf<'_> {
    fn of(&mut self, family: Family, condition: Condition) -> Result<Family, TooLarge> {
        if family == Family::NONE {
            return Ok(family);
        }
        let split = self.families.split(family);
        let condition = skip(self.conditions, condition, split.mutant);
        if condition == Condition::ALWAYS {
            return Ok(family);
        }
        if family == Family::UNIT {
            return Ok(Family::NONE);
        }
        if let Some(known) = self.memo.get(&(family, condition)) {
            return Ok(*known);
        }
        let (off, on) = sides(self.conditions, condition, split.mutant);
        let without = self.of(split.without, off)?;
        let inside = self.allowed.contains(split.mutant as usize);
        let with = if inside { self.of(split.with, on)? } else { split.with };
        let made = self.families.join(split.mutant, without, with)?;
        self.memo.insert((family, condition), made);
        Ok(made)
    }
}

/// What is left of a condition if all mutants before this one are off.
fn skip(conditions: &Conditions, mut condition: Condition, mutant: u32) -> Condition {
    while condition > Condition::ALWAYS && conditions.choice(condition).mutant < mutant {
        condition = conditions.choice(condition).off;
    }
    condition
}

/// What is left of a condition that asks nothing before this mutant: if it is off, and if it is on.
fn sides(conditions: &Conditions, condition: Condition, mutant: u32) -> (Condition, Condition) {
    let choice = conditions.choice(condition);
    if choice.mutant == mutant { (choice.off, choice.on) } else { (condition, condition) }
}
