//! Puts boxes together that do the same.
//!
//! In: boxes that have nothing in common. Out: fewer ones that hold the same combinations, in their own order,
//! whatever the order they came in. Two boxes are one if they have the same alternatives at all points but one.

use std::hash::Hash;
use std::hash::Hasher;

use rustc_hash::FxHashMap;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::alternatives::AlternativeSet;
use super::alternatives::AlternativeSets;

/// Merges boxes until no two of them can be merged.
pub fn merge(mut boxes: Vec<AlternativeSets>) -> Vec<AlternativeSets> {
    boxes.sort_unstable();
    let points = differing(&boxes);
    let mut hashed: Vec<(u64, AlternativeSets)> =
        boxes.into_iter().map(|sets| (hash(&sets, &points), sets)).collect();
    loop {
        let before = hashed.len();
        for point in points.iter().rev() {
            hashed = merge_at(*point, &points, hashed);
        }
        if hashed.len() == before {
            break;
        }
    }
    let mut boxes: Vec<AlternativeSets> = hashed.into_iter().map(|(_, sets)| sets).collect();
    boxes.sort_unstable();
    boxes
}

/// The points at which boxes differ.
fn differing(boxes: &[AlternativeSets]) -> Vec<usize> {
    let Some((first, others)) = boxes.split_first() else { return vec![] };
    let differs = |point: &usize| others.iter().any(|other| other.at(*point) != first.at(*point));
    (0..first.iter().count()).filter(differs).collect()
}

/// A sum, so that a point can be taken out.
fn hash(sets: &AlternativeSets, points: &[usize]) -> u64 {
    points.iter().map(|point| hash_at(*point, sets.at(*point))).fold(0, u64::wrapping_add)
}

fn hash_at(point: usize, set: &AlternativeSet) -> u64 {
    let mut hasher = FxHasher::default();
    (point, set).hash(&mut hasher);
    hasher.finish()
}

/// Merges boxes that differ at this point only.
fn merge_at(
    point: usize,
    points: &[usize],
    boxes: Vec<(u64, AlternativeSets)>,
) -> Vec<(u64, AlternativeSets)> {
    let mut kept: Vec<(u64, AlternativeSets)> = Vec::with_capacity(boxes.len());
    let mut known: FxHashMap<u64, SmallVec<[usize; 1]>> = FxHashMap::default();
    for (hash, sets) in boxes {
        let rest = hash.wrapping_sub(hash_at(point, sets.at(point)));
        let places = known.entry(rest).or_default();
        let same = |at: &&usize| {
            let other = &kept[**at].1;
            points.iter().all(|one| *one == point || other.at(*one) == sets.at(*one))
        };
        match places.iter().find(same).copied() {
            Some(at) => kept[at].1.add(point, sets.at(point)),
            None => {
                places.push(kept.len());
                kept.push((rest, sets));
            }
        }
    }
    for (hash, sets) in &mut kept {
        *hash = hash.wrapping_add(hash_at(point, sets.at(point)));
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn one(sets: &[&[u32]]) -> AlternativeSets {
        AlternativeSets::new(sets.iter().map(|set| set.iter().copied().collect()).collect())
    }

    #[test]
    fn boxes_that_differ_at_one_point_become_one_and_may_then_differ_at_one_point_only() {
        let boxes = vec![one(&[&[0], &[0]]), one(&[&[1], &[1]]), one(&[&[0], &[1]]), one(&[&[1], &[0]])];
        assert_eq!(merge(boxes), [one(&[&[0, 1], &[0, 1]])]);
        let apart = vec![one(&[&[0], &[0]]), one(&[&[1], &[1]])];
        assert_eq!(merge(apart.clone()), apart);
        assert_eq!(merge(vec![]), []);
    }

    proptest! {
        #[test]
        fn what_is_merged_holds_the_same_once(cells in prop::collection::btree_set((0..3_u32, 0..3_u32, 0..3_u32), 0..27)) {
            let boxes = cells.iter().map(|(a, b, c)| one(&[&[*a], &[*b], &[*c]])).collect();
            let merged = merge(boxes);
            let mut seen = BTreeSet::new();
            for sets in &merged {
                for a in sets.at(0).iter() {
                    for b in sets.at(1).iter() {
                        for c in sets.at(2).iter() {
                            prop_assert!(seen.insert((a, b, c)));
                        }
                    }
                }
            }
            prop_assert_eq!(seen, cells);
        }
    }
}
