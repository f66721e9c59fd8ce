//! How far inputs are from each other.

use rayon::prelude::*;

/// Something in which inputs have distances: symmetric, never negative, 0 from an input to itself.
pub trait Distance: Sync {
    /// How many inputs there are.
    fn inputs(&self) -> usize;

    /// The distance of two inputs.
    fn between(&self, first: usize, second: usize) -> f64;

    /// The distances from one input to others, in their order: all that one step of an order needs.
    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        to.par_iter().map(|other| self.between(from, *other)).collect()
    }

    /// What tells two inputs apart, where distances are made of such things.
    fn apart(&self, _first: usize, _second: usize) -> Option<Apart> {
        None
    }
}

/// What only one of two inputs has: numbers of mutants or statements, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    pub only_first: Vec<u32>,
    pub only_second: Vec<u32>,
}

/// Some of the inputs, with numbers of their own.
pub struct ChosenDistance<D> {
    pub of: D,
    /// The numbers that they have there, in the order of ours.
    pub inputs: Vec<usize>,
}

impl<D: Distance> Distance for ChosenDistance<D> {
    fn inputs(&self) -> usize {
        self.inputs.len()
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.of.between(self.inputs[first], self.inputs[second])
    }

    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        let to: Vec<usize> = to.iter().map(|other| self.inputs[*other]).collect();
        self.of.row(self.inputs[from], &to)
    }

    fn apart(&self, first: usize, second: usize) -> Option<Apart> {
        self.of.apart(self.inputs[first], self.inputs[second])
    }
}

/// All distances, computed once: for everything that looks at all pairs. It takes 8 bytes a pair; smaller
/// numbers would make inputs equally far that are not.
pub struct DistanceTable {
    inputs: usize,
    rows: Vec<f64>,
}

impl DistanceTable {
    /// Computes every pair once.
    pub fn of(distances: &(impl Distance + ?Sized)) -> Self {
        let inputs = distances.inputs();
        let all: Vec<usize> = (0..inputs).collect();
        let mut rows = vec![0.0; inputs * inputs];
        for from in 0..inputs {
            let to = &all[from + 1..];
            for (other, distance) in to.iter().zip(distances.row(from, to)) {
                rows[from * inputs + other] = distance;
                rows[other * inputs + from] = distance;
            }
        }
        Self { inputs, rows }
    }

    /// The distances from one input to all, itself included.
    pub fn row_of(&self, input: usize) -> &[f64] {
        &self.rows[input * self.inputs..][..self.inputs]
    }
}

impl Distance for DistanceTable {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.rows[first * self.inputs + second]
    }

    fn row(&self, from: usize, to: &[usize]) -> Vec<f64> {
        let row = self.row_of(from);
        to.iter().map(|other| row[*other]).collect()
    }
}
