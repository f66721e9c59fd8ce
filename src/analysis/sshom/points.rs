//! The places of a program and the mutants of each.
//!
//! Mutants are numbered from 0 in the order of their points; those of one point are consecutive, so that
//! `point` and `alternative` (0 is the original, 1 its first mutant) say the same as a mutant's number.

use std::ops::Range;

/// Points and their mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    names: Vec<String>,
    point_of: Vec<u32>,
    /// Where the mutants of each point begin, and where the last ends.
    starts: Vec<u32>,
}

impl Default for Points {
    fn default() -> Self {
        Self::new([])
    }
}

impl Points {
    /// Points, each with the names of its mutants.
    pub fn new(groups: impl IntoIterator<Item = Vec<String>>) -> Self {
        let mut points = Self { names: vec![], point_of: vec![], starts: vec![0] };
        for (point, names) in groups.into_iter().enumerate() {
            points.point_of.extend(names.iter().map(|_| point as u32));
            points.names.extend(names);
            points.starts.push(points.names.len() as u32);
        }
        points
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many mutants there are.
    pub fn mutants(&self) -> usize {
        self.names.len()
    }

    /// The name of a mutant.
    pub fn name(&self, mutant: u32) -> &str {
        &self.names[mutant as usize]
    }

    /// Where a mutant is.
    pub fn point_of(&self, mutant: u32) -> u32 {
        self.point_of[mutant as usize]
    }

    /// The mutants of a point.
    pub fn at(&self, point: usize) -> Range<u32> {
        self.starts[point]..self.starts[point + 1]
    }

    /// Whether no two of these mutants are of the same point.
    pub fn combine(&self, mutants: &[u32]) -> bool {
        let mut points: Vec<u32> = mutants.iter().map(|mutant| self.point_of(*mutant)).collect();
        points.sort_unstable();
        points.windows(2).all(|pair| pair[0] != pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_point_there_is_no_mutant() {
        let points = Points::default();
        assert_eq!((points.len(), points.mutants(), points.is_empty()), (0, 0, true));
    }

    #[test]
    fn mutants_of_a_point_are_consecutive_and_never_combine() {
        let points = Points::new([vec!["a".into(), "b".into()], vec!["c".into()]]);
        assert_eq!((points.len(), points.mutants(), points.at(0), points.at(1)), (2, 3, 0..2, 2..3));
        assert_eq!((points.name(2), points.point_of(1), points.point_of(2)), ("c", 0, 1));
        assert!(points.combine(&[0, 2]) && !points.combine(&[1, 0]));
    }
}
