//! Sets of combinations as zero-suppressed decision diagrams.
//!
//! In: families made of others. Out: handles. Two families are equal exactly if their handles are. A mutant
//! that is off costs nothing, which is why sets of small combinations of thousands of mutants stay small.
//! Children are always made before their parents, so that whatever is summed over a family is summed in the
//! order of the nodes.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::condition::TooLarge;

/// A set of combinations; belongs to the `Families` that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Family(pub(super) u32);

impl Family {
    /// No combination at all.
    pub const NONE: Self = Self(0);
    /// Only the combination of no mutants.
    pub const UNIT: Self = Self(1);
}

/// The combinations without a mutant, and those with it (of which it is left out).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    /// The mutant; `u32::MAX` for the two families that have none.
    pub mutant: u32,
    pub without: Family,
    pub with: Family,
}

/// Families, sharing what they have in common.
#[derive(Clone, Debug)]
pub struct Families {
    nodes: Vec<Split>,
    known: FxHashMap<Split, Family>,
    most: usize,
}

impl Families {
    /// None yet; of at most this many nodes.
    pub fn new(most: usize) -> Self {
        let end = Split { mutant: u32::MAX, without: Family::NONE, with: Family::NONE };
        Self { nodes: vec![end; 2], known: FxHashMap::default(), most: most.min(u32::MAX as usize - 1) }
    }

    /// How a family splits at its first mutant.
    pub fn split(&self, family: Family) -> Split {
        self.nodes[family.0 as usize]
    }

    /// All splits, children before parents; the first two are the ends.
    pub fn splits(&self) -> &[Split] {
        &self.nodes
    }

    /// The combinations of `without`, and those of `with` with the mutant added. The mutant comes before
    /// all mutants of both.
    pub fn join(&mut self, mutant: u32, without: Family, with: Family) -> Result<Family, TooLarge> {
        if with == Family::NONE {
            return Ok(without);
        }
        let split = Split { mutant, without, with };
        if let Some(known) = self.known.get(&split) {
            return Ok(*known);
        }
        if self.nodes.len() >= self.most {
            return Err(TooLarge { most: self.most });
        }
        let made = Family(self.nodes.len() as u32);
        self.nodes.push(split);
        self.known.insert(split, made);
        Ok(made)
    }

    /// A family of other `Families`, with nothing else of theirs.
    pub fn adopt(&mut self, other: &Self, family: Family) -> Result<Family, TooLarge> {
        let mut open = vec![family];
        let mut reached = FixedBitSet::with_capacity(family.0 as usize + 1);
        while let Some(next) = open.pop() {
            if next > Family::UNIT && !reached.put(next.0 as usize) {
                let split = other.split(next);
                open.extend([split.without, split.with]);
            }
        }
        let mut here: FxHashMap<Family, Family> =
            [Family::NONE, Family::UNIT].into_iter().map(|end| (end, end)).collect();
        for at in reached.ones() {
            let split = other.nodes[at];
            let made = self.join(split.mutant, here[&split.without], here[&split.with])?;
            here.insert(Family(at as u32), made);
        }
        Ok(here[&family])
    }

    /// Whether it has this combination (in ascending order).
    pub fn has(&self, mut family: Family, combination: &[u32]) -> bool {
        let mut rest = combination.iter().copied().peekable();
        while family > Family::UNIT {
            let split = self.split(family);
            family = if rest.next_if_eq(&split.mutant).is_some() { split.with } else { split.without };
        }
        family == Family::UNIT && rest.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_what_was_put_in_and_survives_adoption() {
        let mut all = Families::new(100);
        let last = all.join(7, Family::UNIT, Family::UNIT).unwrap();
        let family = all.join(3, Family::NONE, last).unwrap();
        let _unused = all.join(2, last, family).unwrap();
        let mut other = Families::new(100);
        let same = other.adopt(&all, family).unwrap();
        assert_eq!(other.splits().len(), 4);
        for (combination, there) in
            [(&[3][..], true), (&[3, 7], true), (&[7], false), (&[], false), (&[3, 5], false)]
        {
            assert_eq!(all.has(family, combination), there, "{combination:?}");
            assert_eq!(other.has(same, combination), there, "{combination:?}");
        }
    }
}
