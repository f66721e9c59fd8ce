//! What strongly subsuming means.

use roaring::RoaringBitmap;
use serde::Serialize;

/// How a higher-order mutant subsumes those it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Subsumption {
    /// Killed by exactly the tests that kill every one of them.
    Equal,
    /// Killed by some of these tests, but not by all.
    Strict,
}

/// Whether a mutant that these tests kill strongly subsumes its constituents, of each of which the killing
/// tests are given: T_h is not empty and lies in the intersection of the T_i. `None` if it does not, or if
/// there are fewer than two constituents.
pub fn subsumes<'a>(
    kills: &RoaringBitmap,
    constituents: impl IntoIterator<Item = &'a RoaringBitmap>,
) -> Option<Subsumption> {
    let mut constituents = constituents.into_iter();
    let mut shared = constituents.next()? & constituents.next()?;
    constituents.for_each(|tests| shared &= tests);
    if kills.is_empty() || !kills.is_subset(&shared) {
        return None;
    }
    Some(if kills.len() < shared.len() { Subsumption::Strict } else { Subsumption::Equal })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<const N: usize>(tests: [u32; N]) -> RoaringBitmap {
        tests.into_iter().collect()
    }

    #[test]
    fn the_killing_tests_must_kill_every_constituent_and_not_be_none() {
        let (first, second) = (set([1, 2, 3]), set([2, 3, 4]));
        let judge = |kills| subsumes(&kills, [&first, &second]);
        assert_eq!(judge(set([])), None);
        assert_eq!(judge(set([1])), None);
        assert_eq!(judge(set([2, 3, 4])), None);
        assert_eq!(judge(set([3])), Some(Subsumption::Strict));
        assert_eq!(judge(set([2, 3])), Some(Subsumption::Equal));
    }

    #[test]
    fn one_mutant_subsumes_nothing() {
        assert_eq!(subsumes(&set([1]), [&set([1])]), None);
        assert_eq!(subsumes(&set([1]), []), None);
    }
}
