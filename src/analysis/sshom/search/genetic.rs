//! Combinations bred from those that came near.
//!
//! A population of random combinations; in each generation the worst third gives way, and so does whatever no
//! test kills or no test that kills all its mutants; half of those that take their places have swapped a
//! mutant with another, half have one mutant more or less. Nothing is ever tried twice.

use std::cmp::Ordering;
use std::collections::VecDeque;

use roaring::RoaringBitmap;
use rustc_hash::FxHashSet;

use crate::insert::Sampler;

use super::first::FirstOrder;
use super::fitness::fitness;
use super::oracle::Search;

/// Draws for each place to fill before it stays empty.
const DRAWS: usize = 100;

/// How to breed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breeding {
    pub population: usize,
    pub initial_order: usize,
    pub generations: usize,
    pub min_order: usize,
    pub max_order: usize,
    /// One of this many gives way in each generation.
    pub discard: usize,
    pub seed: u32,
}

impl Default for Breeding {
    fn default() -> Self {
        Self {
            population: 5_000,
            initial_order: 3,
            generations: 10_000,
            min_order: 2,
            max_order: 40,
            discard: 3,
            seed: 0,
        }
    }
}

#[derive(Clone, Debug)]
struct Individual {
    mutants: Vec<u32>,
    fitness: f64,
}

impl Individual {
    /// Some test kills it, and some of those kill all its mutants.
    fn is_alive(&self) -> bool {
        self.fitness > 0.0 && self.fitness.is_finite()
    }

    /// The better comes first; equals by how few mutants they have, then by these.
    fn rank(&self, other: &Self) -> Ordering {
        let fit = || self.fitness.total_cmp(&other.fitness);
        let alive = other.is_alive().cmp(&self.is_alive());
        let size = || self.mutants.len().cmp(&other.mutants.len());
        alive.then_with(fit).then_with(size).then_with(|| self.mutants.cmp(&other.mutants))
    }
}

/// A genetic search.
pub struct Genetic<'a> {
    first: &'a FirstOrder,
    breeding: Breeding,
    sampler: Sampler,
    population: Vec<Individual>,
    /// To be tried.
    waiting: VecDeque<Vec<u32>>,
    /// Asked for and not told of yet.
    open: usize,
    seen: FxHashSet<Vec<u32>>,
    generation: usize,
}

impl<'a> Genetic<'a> {
    /// A search with its first, random population.
    pub fn new(first: &'a FirstOrder, breeding: Breeding) -> Self {
        let mut search = Self {
            first,
            breeding,
            sampler: Sampler::new(breeding.seed),
            population: Vec::new(),
            waiting: VecDeque::new(),
            open: 0,
            seen: FxHashSet::default(),
            generation: 0,
        };
        search.fill(breeding.population, Self::random);
        search
    }

    /// Generations bred so far.
    pub fn generation(&self) -> usize {
        self.generation
    }

    /// Makes up to this many combinations that were never there before.
    fn fill(&mut self, places: usize, make: impl Fn(&mut Self) -> Option<Vec<Vec<u32>>>) {
        let wanted = self.waiting.len() + places;
        for _ in 0..places.saturating_mul(DRAWS) {
            if self.waiting.len() >= wanted {
                break;
            }
            for mut made in make(self).unwrap_or_default() {
                made.sort_unstable();
                let room = self.waiting.len() < wanted;
                if room && self.is_valid(&made) && self.seen.insert(made.clone()) {
                    self.waiting.push_back(made);
                }
            }
        }
    }

    fn is_valid(&self, mutants: &[u32]) -> bool {
        let Breeding { min_order, max_order, .. } = self.breeding;
        (min_order.max(2)..=max_order).contains(&mutants.len()) && self.first.points.combine(mutants)
    }

    fn random(&mut self) -> Option<Vec<Vec<u32>>> {
        let mutants = self.first.points.mutants();
        let drawn = self.sampler.choose(self.breeding.initial_order, mutants);
        Some(vec![drawn.into_iter().map(|mutant| mutant as u32).collect()])
    }

    /// One of those that live on.
    fn parent(&mut self) -> Option<Vec<u32>> {
        let at = pick(&mut self.sampler, self.population.len())?;
        Some(self.population[at].mutants.clone())
    }

    /// Two combinations that have swapped a mutant.
    fn crossed(&mut self) -> Option<Vec<Vec<u32>>> {
        let (mut one, mut other) = (self.parent()?, self.parent()?);
        let own = |from: &[u32], without: &[u32]| -> Vec<usize> {
            (0..from.len()).filter(|at| !without.contains(&from[*at])).collect()
        };
        let (left, right) = (own(&one, &other), own(&other, &one));
        let left = left[pick(&mut self.sampler, left.len())?];
        let right = right[pick(&mut self.sampler, right.len())?];
        std::mem::swap(&mut one[left], &mut other[right]);
        Some(vec![one, other])
    }

    /// A combination with one mutant more or less.
    fn mutated(&mut self) -> Option<Vec<Vec<u32>>> {
        let mut mutants = self.parent()?;
        let full = mutants.len() >= self.breeding.max_order;
        if full || (mutants.len() > self.breeding.min_order && self.sampler.below(2) == 0) {
            let at = pick(&mut self.sampler, mutants.len())?;
            mutants.remove(at);
        } else {
            let drawn = pick(&mut self.sampler, self.first.points.mutants())? as u32;
            mutants.push(drawn);
        }
        Some(vec![mutants])
    }

    /// The next generation; none if there is nothing new to be had.
    fn breed(&mut self) {
        if self.generation >= self.breeding.generations {
            return;
        }
        self.generation += 1;
        let size = self.population.len();
        self.population.sort_by(Individual::rank);
        let alive = self.population.iter().take_while(|one| one.is_alive()).count();
        let discard = size / self.breeding.discard.max(1);
        self.population.truncate(alive.min(size - discard));
        let places = self.breeding.population - self.population.len();
        if self.population.is_empty() {
            return self.fill(places, Self::random);
        }
        self.fill(places / 2, Self::crossed);
        let left = places - self.waiting.len();
        self.fill(left, Self::mutated);
    }
}

fn pick(sampler: &mut Sampler, from: usize) -> Option<usize> {
    (from > 0).then(|| sampler.below(from as u64) as usize)
}

impl Search for Genetic<'_> {
    fn ask(&mut self, most: usize) -> Vec<Vec<u32>> {
        if self.waiting.is_empty() && self.open == 0 {
            self.breed();
        }
        let asked: Vec<Vec<u32>> = self.waiting.drain(..most.min(self.waiting.len())).collect();
        self.open += asked.len();
        asked
    }

    fn tell(&mut self, combination: &[u32], kills: &RoaringBitmap) {
        let fitness = fitness(kills, &self.first.shared(combination));
        self.open = self.open.saturating_sub(1);
        self.population.push(Individual { mutants: combination.to_vec(), fitness });
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::points::Points;
    use super::super::oracle::run;
    use super::*;

    fn first() -> FirstOrder {
        let points = Points::new((0..12).map(|point| (0..2).map(|at| format!("{point}.{at}")).collect()));
        let kills = (0..24_u32).map(|mutant| [mutant % 4, 4 + mutant % 3].into_iter().collect()).collect();
        FirstOrder { points, kills, places: None }
    }

    /// A combination is noticed by the first test that notices any of its mutants.
    fn oracle(first: &FirstOrder) -> impl FnMut(&[u32]) -> RoaringBitmap {
        |combination: &[u32]| first.united(combination).min().into_iter().collect()
    }

    const SMALL: Breeding = Breeding {
        population: 30,
        initial_order: 3,
        generations: 20,
        min_order: 2,
        max_order: 5,
        discard: 3,
        seed: 7,
    };

    #[test]
    fn the_same_seed_tries_the_same_and_nothing_twice() {
        let first = first();
        let tried = |seed| {
            let mut list = Vec::new();
            let mut known = oracle(&first);
            let mut oracle = |combination: &[u32]| {
                list.push(combination.to_vec());
                known(combination)
            };
            run(&mut Genetic::new(&first, Breeding { seed, ..SMALL }), &mut oracle, &first, 1000);
            list
        };
        let (one, again, other) = (tried(7), tried(7), tried(8));
        assert!(one == again && one != other);
        assert!(one.iter().all(|set| (2..=5).contains(&set.len()) && first.points.combine(set)));
        let distinct: FxHashSet<&Vec<u32>> = one.iter().collect();
        assert_eq!(distinct.len(), one.len());
    }

    #[test]
    fn it_finds_some_and_ends_after_its_generations() {
        let first = first();
        let mut search = Genetic::new(&first, SMALL);
        let report = run(&mut search, &mut oracle(&first), &first, u64::MAX);
        assert!(report.exhausted && !report.found.is_empty());
        assert_eq!(search.generation(), 20);
        assert!(report.tried <= 30 * 21);
    }

    #[test]
    fn a_space_that_is_used_up_ends_the_search() {
        let points = Points::new([vec!["a".into()], vec!["b".into()]]);
        let kills = vec![[1].into_iter().collect(); 2];
        let first = FirstOrder { points, kills, places: None };
        let breeding = Breeding { initial_order: 2, ..SMALL };
        let report = run(&mut Genetic::new(&first, breeding), &mut oracle(&first), &first, u64::MAX);
        assert_eq!((report.tried, report.found.len(), report.exhausted), (1, 1, true));
    }
}
