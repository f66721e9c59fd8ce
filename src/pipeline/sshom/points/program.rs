//! A program with points that was built, and the workers that run it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::MutexGuard;

use roaring::RoaringBitmap;

use crate::analysis::sshom::AlternativeSet;
use crate::analysis::sshom::AlternativeSets;
use crate::analysis::sshom::Places;
use crate::analysis::sshom::Points;
use crate::files::TemporaryDirectory;
use crate::insert::TextEdit;
use crate::runner::ANY_STEPS;
use crate::runner::RunError;
use crate::runner::SplitLimits;
use crate::workspace::Workspace;

use super::place::PointPlace;
use super::worker::Branch;
use super::worker::Worker;
use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::TestError;

/// The steps that a test may take are those with nothing exchanged, times this,
const MORE_STEPS: u64 = 20;
/// plus this.
const FREE_STEPS: u64 = 100_000;

/// Tests that are named.
const MOST_NAMES: usize = 5;

/// A program that runs any combination of operators.
pub struct PointProgram {
    pub points: Points,
    pub places: Vec<PointPlace>,
    pub baseline: Baseline,
    /// The tests that run, by their numbers in the baseline.
    pub tests: Vec<u32>,
    pub workers: Vec<Mutex<Worker>>,
    /// Points that compile in no way.
    pub dropped: usize,
    /// With what it was built.
    pub(in super::super) env: Vec<(String, String)>,
    /// Per point, its number in the program.
    numbers: Vec<usize>,
    /// How many numbers the program has.
    slots: usize,
    /// Per test, whether it passes a point if nothing is exchanged.
    passed: Vec<Vec<bool>>,
    /// Per test, how often it passes points if nothing is exchanged.
    steps: Vec<u64>,
    /// Per test, whether its process may fork: it does nothing that another one would notice.
    forks: Vec<bool>,
    /// What the workers run in.
    _homes: Vec<(Workspace, Option<TemporaryDirectory>)>,
}

impl PointProgram {
    pub(super) fn new(
        places: Vec<PointPlace>,
        numbers: Vec<usize>,
        slots: usize,
        baseline: Baseline,
        workers: Vec<Mutex<Worker>>,
        homes: Vec<(Workspace, Option<TemporaryDirectory>)>,
    ) -> Self {
        let name = |place: &PointPlace, alternative: u32| {
            let (before, after) = (place.operator(0), place.operator(alternative));
            format!("{}:{}:{} {before} → {after}", place.file, place.line, place.column)
        };
        let mutants = |place: &PointPlace| {
            (1..=place.mutants() as u32).map(|alternative| name(place, alternative)).collect()
        };
        let points = Points::new(places.iter().map(mutants).collect::<Vec<Vec<String>>>());
        let tests = baseline.trusted();
        Self {
            points,
            places,
            baseline,
            tests,
            workers,
            dropped: 0,
            env: vec![],
            numbers,
            slots,
            passed: vec![],
            steps: vec![],
            forks: vec![],
            _homes: homes,
        }
    }

    /// Locks a worker, by its number.
    pub(super) fn worker(&self, number: usize) -> MutexGuard<'_, Worker> {
        self.workers[number].lock().expect("the lock is not poisoned")
    }

    /// Runs every test with nothing exchanged, to see which points it passes.
    pub(super) fn look(&mut self, events: &Events) -> Result<(), TestError> {
        events.enter(Phase::FindingPoints);
        let none = AlternativeSets::new(vec![AlternativeSet::original(); self.points.len()]);
        let masks = self.masks(&none);
        let (mut seen, mut stable) = (Vec::new(), Vec::new());
        for &test in &self.tests {
            let mut worker = self.worker(0);
            let mut look = |forks: Option<u64>| -> Result<Branch, RunError> {
                let limits = SplitLimits { steps: ANY_STEPS, forks };
                Ok(worker.once(self, test, &masks, limits, &events.progress)?.swap_remove(0))
            };
            let mut forks = true;
            let mut branch = look(Some(0))?;
            if branch.fails.is_none() {
                forks = false;
                branch = look(None)?;
            }
            let passed = self.numbers.iter().map(|number| branch.trace.passed[*number]).collect();
            stable.push(branch.fails == Some(false));
            seen.push((passed, branch.trace.steps, forks));
        }
        (self.passed, self.steps, self.forks) = seen.into_iter().collect();
        self.keep_tests(&stable, events);
        Ok(())
    }

    /// Leaves out tests that do not always say the same.
    pub(in super::super) fn keep_tests(&mut self, stable: &[bool], events: &Events) {
        for (test, _) in self.tests.iter().zip(stable).filter(|(_, stable)| !**stable) {
            let name = &self.baseline.tests[*test as usize].name;
            events.warn(format!(
                "{name} is unreliable: it does not always give the same result with no operator exchanged; it \
                 is ignored"
            ));
        }
        keep(&mut self.tests, stable);
        keep(&mut self.passed, stable);
        keep(&mut self.steps, stable);
        keep(&mut self.forks, stable);
    }

    /// Whether a test's process may fork where combinations part.
    pub fn forks(&self, test: usize) -> bool {
        self.forks[test]
    }

    /// How often a test may pass points before it is said to hang: the same on every machine, and long before
    /// its time is up.
    pub fn steps(&self, test: usize) -> u64 {
        self.steps[test].saturating_mul(MORE_STEPS).saturating_add(FREE_STEPS).min(ANY_STEPS)
    }

    /// Whether a test certainly does with these alternatives what it does with nothing exchanged.
    pub fn is_untouched(&self, test: usize, sets: &AlternativeSets) -> bool {
        self.passed[test]
            .iter()
            .zip(sets.iter())
            .all(|(passed, set)| !passed || (set.len() == 1 && set.contains(0)))
    }

    /// The masks that the program is given for a box.
    pub fn masks(&self, sets: &AlternativeSets) -> Vec<u64> {
        let mut masks = vec![0; self.slots];
        for ((place, number), set) in self.places.iter().zip(&self.numbers).zip(sets.iter()) {
            masks[*number] = set.iter().map(|alternative| 1 << place.bit(alternative)).sum();
        }
        masks
    }

    /// The box of masks.
    pub fn sets(&self, masks: &[u64]) -> AlternativeSets {
        let set = |(place, number): (&PointPlace, &usize)| {
            let bits = (0..place.operators.len() as u32).filter(|bit| masks[*number] >> bit & 1 == 1);
            bits.map(|bit| place.alternative(bit)).collect()
        };
        AlternativeSets::new(self.places.iter().zip(&self.numbers).map(set).collect())
    }

    /// The box of a single combination.
    pub fn combination(&self, mutants: &[u32]) -> AlternativeSets {
        let mut sets = AlternativeSets::new(vec![AlternativeSet::original(); self.points.len()]);
        for mutant in mutants {
            let point = self.points.point_of(*mutant) as usize;
            sets.put(point, [mutant - self.points.at(point).start + 1].into_iter().collect());
        }
        sets
    }

    /// What a combination does to the sources: by their places in the target, edits in order.
    pub fn edits(&self, mutants: &[u32]) -> BTreeMap<usize, Vec<TextEdit>> {
        let mut edits: BTreeMap<usize, Vec<TextEdit>> = BTreeMap::new();
        for mutant in mutants {
            let (place, alternative) = self.mutant(*mutant);
            edits.entry(place.source).or_default().extend(place.edits(alternative));
        }
        edits.values_mut().for_each(|edits| edits.sort_by_key(|edit| (edit.start, edit.end)));
        edits
    }

    /// Where a mutant is, and which alternative of that point it is.
    pub fn mutant(&self, mutant: u32) -> (&PointPlace, u32) {
        let point = self.points.point_of(mutant) as usize;
        (&self.places[point], mutant - self.points.at(point).start + 1)
    }

    /// Where the mutants are.
    pub fn mutant_places(&self) -> Places {
        let mut places = Places::new(self.points.mutants());
        for (point, place) in self.places.iter().enumerate() {
            for mutant in self.points.at(point) {
                places.put(mutant, &place.file, &place.function);
            }
        }
        places
    }

    /// The name of a test.
    pub fn test_name(&self, test: usize) -> &str {
        &self.baseline.tests[self.tests[test] as usize].name
    }

    /// The names of the first few of these tests, and how many more there are.
    pub fn some_names(&self, tests: &RoaringBitmap) -> String {
        let first = tests.iter().take(MOST_NAMES).map(|test| self.test_name(test as usize));
        let names = first.collect::<Vec<&str>>().join(", ");
        match tests.len().saturating_sub(MOST_NAMES as u64) {
            0 => names,
            more => format!("{names} and {more} more"),
        }
    }
}

/// Keeps what is in a place that is kept.
fn keep<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| *kept.next().expect("there is a place for each"));
}
