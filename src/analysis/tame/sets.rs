//! Inputs as sets of numbers, compared by Jaccard distance: |A △ B| / |A ∪ B|, and 0 for two empty sets.

use fixedbitset::FixedBitSet;

use super::distance::Apart;
use super::distance::Distance;

/// A set of numbers per input, as bits. What all inputs have is kept once: it distinguishes no inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct BitSets {
    rows: Vec<FixedBitSet>,
    sizes: Vec<usize>,
    /// The number that a bit stands for, ascending.
    columns: Vec<u32>,
    /// The numbers that are in every set, ascending.
    everywhere: Vec<u32>,
}

impl BitSets {
    /// Sets from lists of numbers, each list ascending and without repetition.
    pub fn new(lists: &[impl AsRef<[u32]>]) -> Self {
        let width = lists.iter().filter_map(|list| list.as_ref().last()).max().map_or(0, |last| last + 1);
        let mut uses = vec![0_usize; width as usize];
        lists.iter().flat_map(|list| list.as_ref()).for_each(|number| uses[*number as usize] += 1);
        let with = |wanted: &dyn Fn(usize) -> bool| -> Vec<u32> {
            (0..width).filter(|number| wanted(uses[*number as usize])).collect()
        };
        let everywhere = with(&|uses| uses == lists.len());
        let columns = with(&|uses| (1..lists.len()).contains(&uses));
        let mut places = vec![None; width as usize];
        columns.iter().enumerate().for_each(|(place, number)| places[*number as usize] = Some(place));
        let row = |list: &[u32]| {
            let mut bits = FixedBitSet::with_capacity(columns.len());
            list.iter().filter_map(|number| places[*number as usize]).for_each(|place| bits.insert(place));
            bits
        };
        let rows = lists.iter().map(|list| row(list.as_ref())).collect();
        let sizes = lists.iter().map(|list| list.as_ref().len()).collect();
        Self { rows, sizes, columns, everywhere }
    }

    /// How many numbers an input has.
    pub fn size(&self, input: usize) -> usize {
        self.sizes[input]
    }

    /// The numbers of an input, ascending.
    pub fn members(&self, input: usize) -> Vec<u32> {
        let own = self.rows[input].ones().map(|place| self.columns[place]);
        let mut members: Vec<u32> = own.chain(self.everywhere.iter().copied()).collect();
        members.sort_unstable();
        members
    }

    /// How many numbers any input has.
    pub fn width(&self) -> usize {
        self.columns.len() + self.everywhere.len()
    }

    fn only(&self, first: usize, second: usize) -> Vec<u32> {
        self.rows[first].difference(&self.rows[second]).map(|place| self.columns[place]).collect()
    }
}

impl Distance for BitSets {
    fn inputs(&self) -> usize {
        self.rows.len()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        let both = self.everywhere.len() + self.rows[first].intersection_count(&self.rows[second]);
        let either = self.sizes[first] + self.sizes[second] - both;
        if either == 0 { 0.0 } else { (either - both) as f64 / either as f64 }
    }

    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        Some(Apart { only_first: self.only(first, second), only_second: self.only(second, first) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_say_what_sets_say(sets in vec(btree_set(0_u32..150, 0..40), 1..6)) {
            let lists: Vec<Vec<u32>> = sets.iter().map(|set| set.iter().copied().collect()).collect();
            let bits = BitSets::new(&lists);
            for (first, a) in sets.iter().enumerate() {
                prop_assert_eq!(bits.members(first), &lists[first][..]);
                for (second, b) in sets.iter().enumerate() {
                    let (apart, either) = (a.symmetric_difference(b).count(), a.union(b).count());
                    let wanted = if either == 0 { 0.0 } else { apart as f64 / either as f64 };
                    prop_assert_eq!(bits.between(first, second), wanted);
                    let only_first = a.difference(b).copied().collect();
                    let only_second = b.difference(a).copied().collect();
                    prop_assert_eq!(bits.apart(first, second), Some(Apart { only_first, only_second }));
                }
            }
        }
    }
}
