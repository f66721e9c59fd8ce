//! All pairs, then all triples, and so on.

use roaring::RoaringBitmap;

use super::super::points::Points;
use super::oracle::Search;

/// Every combination of mutants of different points, by order, those of one order by their mutants.
pub struct BruteForce {
    points: Points,
    max_order: usize,
    /// The last combination that was asked for.
    last: Option<Vec<u32>>,
    order: usize,
}

impl BruteForce {
    /// Combinations of at most this many mutants.
    pub fn new(points: Points, max_order: usize) -> Self {
        Self { points, max_order, last: None, order: 2 }
    }

    fn next(&mut self) -> Option<Vec<u32>> {
        while self.order <= self.max_order.min(self.points.len()) {
            let next = match self.last.take() {
                None => self.complete(Vec::new(), 0),
                Some(last) => self.after(last),
            };
            if next.is_some() {
                self.last.clone_from(&next);
                return next;
            }
            self.order += 1;
        }
        None
    }

    /// The first combination that begins so and continues with mutants from `from` on.
    fn complete(&self, mut start: Vec<u32>, mut from: u32) -> Option<Vec<u32>> {
        while start.len() < self.order {
            if from as usize >= self.points.mutants() {
                return None;
            }
            start.push(from);
            from = self.points.at(self.points.point_of(from) as usize).end;
        }
        Some(start)
    }

    fn after(&self, mut last: Vec<u32>) -> Option<Vec<u32>> {
        while let Some(mutant) = last.pop() {
            let next = self.complete(last.clone(), mutant + 1);
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

impl Search for BruteForce {
    fn ask(&mut self, most: usize) -> Vec<Vec<u32>> {
        std::iter::from_fn(|| self.next()).take(most).collect()
    }

    fn tell(&mut self, _: &[u32], _: &RoaringBitmap) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_of_different_points_comes_once_smaller_ones_first() {
        let groups = [2, 1, 3, 2].map(|size| vec!["x".to_owned(); size]);
        let points = Points::new(groups);
        let all = BruteForce::new(points.clone(), 3).ask(usize::MAX);
        let mut wanted: Vec<Vec<u32>> = (0..1_u32 << 8)
            .map(|bits| (0..8).filter(|at| bits >> at & 1 == 1).collect())
            .filter(|set: &Vec<u32>| (2..=3).contains(&set.len()) && points.combine(set))
            .collect();
        wanted.sort_by_key(|set| (set.len(), set.clone()));
        assert_eq!(all, wanted);
        let mut slow = BruteForce::new(points, 3);
        let one_by_one: Vec<_> = std::iter::from_fn(|| slow.ask(1).pop()).collect();
        assert_eq!(one_by_one, wanted);
    }

    #[test]
    fn there_is_no_higher_order_than_there_are_points() {
        let points = Points::new([vec!["a".into()], vec!["b".into()]]);
        assert_eq!(BruteForce::new(points, 40).ask(10), [vec![0, 1]]);
        assert!(BruteForce::new(Points::new([]), 40).ask(10).is_empty());
    }
}
