//! Random choice that is the same everywhere: Mersenne Twister, as the paper wants it.

use rand_mt::Mt;
use rustc_hash::FxHashMap;

/// A seeded source of choices.
pub struct Sampler(Mt);

impl Sampler {
    /// MT19937 with this seed.
    pub fn new(seed: u32) -> Self {
        Self(Mt::new(seed))
    }

    /// A number below `limit`, each as likely as the others: draws that would favour some are thrown away.
    pub fn below(&mut self, limit: u64) -> u64 {
        debug_assert!(limit > 0);
        let top = u64::MAX - u64::MAX % limit;
        loop {
            let draw = u64::from(self.0.next_u32()) << 32 | u64::from(self.0.next_u32());
            if draw < top {
                return draw % limit;
            }
        }
    }

    /// `count` different numbers below `limit` in the order drawn (Fisher and Yates's shuffle, stopped
    /// early): a larger count begins with what a smaller one gives.
    pub fn choose(&mut self, count: usize, limit: usize) -> Vec<usize> {
        let mut moved: FxHashMap<usize, usize> = FxHashMap::default();
        (0..count.min(limit))
            .map(|place| {
                let drawn = place + self.below((limit - place) as u64) as usize;
                let value = moved.get(&drawn).copied().unwrap_or(drawn);
                let here = moved.get(&place).copied().unwrap_or(place);
                moved.insert(drawn, here);
                value
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_gives_the_reference_numbers() {
        let mut twister = Mt::new(5489);
        let last = (0..10_000).map(|_| twister.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn a_larger_sample_begins_with_a_smaller_one() {
        let few = Sampler::new(7).choose(5, 100);
        let many = Sampler::new(7).choose(100, 100);
        assert_eq!(few, many[..5]);
        let mut sorted = many;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
