//! Furthest point first: an order in which inputs that differ from all before them come early.

use super::distance::Distance;

/// An input at its place in the order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankStep {
    pub input: usize,
    /// The nearest input ranked before it (the earliest of them), and how far that is; none for the first.
    pub nearest: Option<(usize, f64)>,
}

impl RankStep {
    /// Whether an input ranked before it cannot be told from it.
    pub fn is_repetition(&self) -> bool {
        self.nearest.is_some_and(|(_, distance)| distance == 0.0)
    }
}

/// Ranks one input at a time: begins with `start`, then takes the input whose nearest ranked one is furthest
/// away. Which of several that are equally far comes first is left open by the method ("arbitrarily"); here it
/// is the one given first. Each step asks for one row of distances, to those not yet ranked; none is asked for
/// before it is needed.
pub struct FurthestFirst<'a, D: Distance + ?Sized> {
    distances: &'a D,
    last: Option<usize>,
    /// Those not yet ranked, with the nearest ranked one.
    open: Vec<usize>,
    nearest: Vec<(usize, f64)>,
    start: Option<usize>,
}

impl<'a, D: Distance + ?Sized> FurthestFirst<'a, D> {
    /// An order that begins with this input; there is nothing to rank if it is not there.
    pub fn new(distances: &'a D, start: usize) -> Self {
        let inputs = distances.inputs();
        let open: Vec<usize> = (0..inputs).filter(|input| *input != start).collect();
        let nearest = vec![(start, f64::INFINITY); open.len()];
        let start = (start < inputs).then_some(start);
        let open = if start.is_some() { open } else { Vec::new() };
        Self { distances, last: None, open, nearest, start }
    }

    /// Takes the last ranked input into account.
    fn approach(&mut self, ranked: usize) {
        let row = self.distances.row(ranked, &self.open);
        for (nearest, distance) in self.nearest.iter_mut().zip(row) {
            if distance < nearest.1 {
                *nearest = (ranked, distance);
            }
        }
    }

    /// Where the furthest input is among those that are open; the one given first of several.
    fn furthest(&self) -> Option<usize> {
        let mut best: Option<usize> = None;
        for at in 0..self.open.len() {
            let further = best.is_none_or(|best| {
                let (here, there) = (self.nearest[at].1, self.nearest[best].1);
                here > there || (here == there && self.open[at] < self.open[best])
            });
            if further {
                best = Some(at);
            }
        }
        best
    }
}

impl<D: Distance + ?Sized> Iterator for FurthestFirst<'_, D> {
    type Item = RankStep;

    fn next(&mut self) -> Option<RankStep> {
        if let Some(start) = self.start.take() {
            self.last = Some(start);
            return Some(RankStep { input: start, nearest: None });
        }
        if self.open.is_empty() {
            return None;
        }
        if let Some(last) = self.last.take() {
            self.approach(last);
        }
        let at = self.furthest()?;
        let (input, nearest) = (self.open.swap_remove(at), self.nearest.swap_remove(at));
        self.last = Some(input);
        Some(RankStep { input, nearest: Some(nearest) })
    }
}

/// The inputs that distances cannot tell apart, in the order of their first members. That they have one cause
/// is a guess: a group is for a person to look at, and nothing is ever left out because of it.
pub fn groups(order: &[RankStep]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = vec![0; order.len()];
    for ranked in order {
        let group = match ranked.nearest {
            Some((nearest, 0.0)) => group_of[nearest],
            _ => {
                groups.push(Vec::new());
                groups.len() - 1
            }
        };
        group_of[ranked.input] = group;
        groups[group].push(ranked.input);
    }
    groups.iter_mut().for_each(|group| group[1..].sort_unstable());
    groups
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::sets::BitSets;
    use super::*;

    /// The definition, word by word.
    fn naive(sets: &BitSets, start: usize) -> Vec<usize> {
        let mut ranked = vec![start];
        let to_ranked = |input: usize, ranked: &[usize]| {
            ranked.iter().map(|other| sets.between(input, *other)).fold(f64::INFINITY, f64::min)
        };
        while ranked.len() < sets.inputs() {
            let open = (0..sets.inputs()).filter(|input| !ranked.contains(input));
            let best = open.rev().max_by(|a, b| to_ranked(*a, &ranked).total_cmp(&to_ranked(*b, &ranked)));
            ranked.extend(best);
        }
        ranked
    }

    proptest! {
        #[test]
        fn the_order_is_the_definitions(rows in vec(0_u32..64, 1..20), start in 0_usize..20) {
            let lists = rows.iter().map(|row| (0..6).filter(|bit| row >> bit & 1 == 1).collect::<Vec<u32>>());
            let sets = BitSets::new(&lists.collect::<Vec<_>>());
            let start = start % rows.len();
            let order: Vec<RankStep> = FurthestFirst::new(&sets, start).collect();
            let inputs: Vec<usize> = order.iter().map(|ranked| ranked.input).collect();
            prop_assert_eq!(inputs, naive(&sets, start));
            let far: Vec<f64> = order.iter().filter_map(|ranked| Some(ranked.nearest?.1)).collect();
            prop_assert!(far.is_sorted_by(|a, b| a >= b), "{far:?}");
            for group in groups(&order) {
                prop_assert!(group.iter().all(|input| rows[*input] == rows[group[0]]));
            }
        }
    }

    #[test]
    fn there_is_no_order_of_nothing() {
        let none: &[Vec<u32>] = &[];
        assert_eq!(FurthestFirst::new(&BitSets::new(none), 0).count(), 0);
        assert!(groups(&[]).is_empty());
    }
}
