//! How near a combination is to being strongly subsuming.

use roaring::RoaringBitmap;

/// Of the tests that kill every mutant alone (`shared`), the share that kills the combination: above 0 and
/// at most 1 if it is strongly subsuming, the less the better, below 1 if it is strict. 0 if no test kills
/// it. If tests kill it that do not kill every mutant, above 1: one plus the number of these over the number
/// of those that do; infinite if there are none.
pub fn fitness(kills: &RoaringBitmap, shared: &RoaringBitmap) -> f64 {
    if kills.is_empty() {
        return 0.0;
    }
    let inside = kills.intersection_len(shared);
    let outside = kills.len() - inside;
    match (inside, outside) {
        (0, _) => f64::INFINITY,
        (_, 0) => inside as f64 / shared.len() as f64,
        _ => 1.0 + outside as f64 / inside as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_is_below_one_equal_is_one_and_the_rest_above() {
        let set = |tests: &[u32]| tests.iter().copied().collect::<RoaringBitmap>();
        let shared = set(&[1, 2, 3, 4]);
        let of = |tests: &[u32]| fitness(&set(tests), &shared);
        assert_eq!([of(&[]), of(&[1]), of(&[1, 2, 3, 4]), of(&[1, 2, 9])], [0.0, 0.25, 1.0, 1.5]);
        assert_eq!((of(&[9]), fitness(&set(&[9]), &set(&[]))), (f64::INFINITY, f64::INFINITY));
    }
}
