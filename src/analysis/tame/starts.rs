//! How good orders are, whichever input they begin with.

use rayon::prelude::*;

use super::curve::Curve;
use super::distance::DistanceTable;
use super::order::FurthestFirst;
use super::truth::Truth;

/// The orders from every input, together.
#[derive(Clone, Debug, PartialEq)]
pub struct AllStarts {
    /// The curve of the order from each input.
    pub curves: Vec<Curve>,
}

/// Ranks from every input, as far as it takes to see all bugs.
pub fn from_all_starts(table: &DistanceTable, truth: &Truth) -> AllStarts {
    let starts = (0..truth.of.len()).into_par_iter();
    let order = |start| FurthestFirst::new(table, start).map(|ranked| ranked.input);
    AllStarts { curves: starts.map(|start| Curve::of(order(start), truth)).collect() }
}

impl AllStarts {
    /// How many bugs are seen on average after one input, two inputs, …
    pub fn mean_seen(&self) -> Vec<f64> {
        let mut sums = vec![0_usize; self.curves.len()];
        for curve in &self.curves {
            sums.iter_mut().zip(curve.seen()).for_each(|(sum, seen)| *sum += seen);
        }
        sums.into_iter().map(|sum| sum as f64 / self.curves.len() as f64).collect()
    }

    /// From how many inputs all bugs are seen after this many.
    pub fn perfect(&self, after: usize) -> usize {
        self.curves.iter().filter(|curve| curve.complete_at().is_some_and(|at| at <= after)).count()
    }

    /// How many inputs it takes until all bugs are seen: on average, and from the worst start.
    pub fn complete_at(&self) -> Option<(f64, usize)> {
        let places: Option<Vec<usize>> = self.curves.iter().map(Curve::complete_at).collect();
        let places = places.filter(|places| !places.is_empty())?;
        let mean = places.iter().sum::<usize>() as f64 / places.len() as f64;
        Some((mean, places.into_iter().max()?))
    }

    /// The lowest, the mean and the highest APFD.
    pub fn apfd(&self) -> Option<(f64, f64, f64)> {
        let all: Option<Vec<f64>> = self.curves.iter().map(Curve::apfd).collect();
        let all = all.filter(|all| !all.is_empty())?;
        let (low, high) = (all.iter().copied().reduce(f64::min)?, all.iter().copied().reduce(f64::max)?);
        Some((low, all.iter().sum::<f64>() / all.len() as f64, high))
    }
}
