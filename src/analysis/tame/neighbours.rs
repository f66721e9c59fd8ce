//! How often the nearest input shows the same bug.

use rayon::prelude::*;

use super::distance::DistanceTable;
use super::truth::Truth;

/// The inputs whose nearest other input shows the same bug. Inputs whose bugs nobody else shows have no match
/// to find and are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Inputs that could have a match.
    pub inputs: usize,
    /// Those with a match among the nearest; several may be equally near.
    pub matched: usize,
    /// Those whose nearest all match.
    pub all_matched: usize,
    /// Inputs left out.
    pub alone: usize,
}

impl Neighbours {
    /// The share of inputs with a match; none where there is nothing to match.
    pub fn rate(&self) -> Option<f64> {
        (self.inputs > 0).then(|| self.matched as f64 / self.inputs as f64)
    }
}

/// Looks at the nearest inputs of every input.
pub fn match_neighbours(table: &DistanceTable, truth: &Truth) -> Neighbours {
    let one = |input: usize| look(table, truth, input);
    (0..truth.of.len()).into_par_iter().map(one).reduce(Neighbours::default, |a, b| Neighbours {
        inputs: a.inputs + b.inputs,
        matched: a.matched + b.matched,
        all_matched: a.all_matched + b.all_matched,
        alone: a.alone + b.alone,
    })
}

fn look(table: &DistanceTable, truth: &Truth, input: usize) -> Neighbours {
    let others = || (0..truth.of.len()).filter(|other| *other != input);
    if !others().any(|other| truth.share(input, other)) {
        return Neighbours { alone: 1, ..Neighbours::default() };
    }
    let row = table.row_of(input);
    let near = others().map(|other| row[other]).fold(f64::INFINITY, f64::min);
    let mut nearest = others().filter(|other| row[*other] == near).map(|other| truth.share(input, other));
    let first = nearest.next().unwrap_or(false);
    let (mut any, mut all) = (first, first);
    nearest.for_each(|same| (any, all) = (any || same, all && same));
    Neighbours { inputs: 1, matched: usize::from(any), all_matched: usize::from(all), alone: 0 }
}

#[cfg(test)]
mod tests {
    use super::super::sets::BitSets;
    use super::*;

    #[test]
    fn an_input_without_a_fellow_is_left_out_and_ties_are_seen() {
        let sets = BitSets::new(&[vec![0, 1], vec![0, 1], vec![0, 1], vec![5], vec![0, 5]]);
        let bugs = ["x", "y", "z"].map(str::to_owned).to_vec();
        let truth = Truth { bugs, of: vec![vec![0], vec![0], vec![1], vec![2], vec![1]] };
        let found = match_neighbours(&DistanceTable::of(&sets), &truth);
        assert_eq!(found, Neighbours { inputs: 4, matched: 2, all_matched: 0, alone: 1 });
        assert_eq!(found.rate(), Some(0.5));
    }
}
