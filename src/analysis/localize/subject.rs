//! The input of all methods: failing tests, passing tests, and what mutants change about them.

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::matrix::KillMatrix;
use crate::matrix::Outcome;

use super::super::Changes;
use super::LocalizeError;
use super::Spectrum;
use super::SpectrumCounts;

/// A program with a fault, as its tests and mutants show it. Flaky tests are
/// neither failing nor passing.
pub struct Subject<'a> {
    pub matrix: &'a KillMatrix,
    pub spectrum: &'a Spectrum,
    pub failing: RoaringBitmap,
    pub passing: RoaringBitmap,
    /// Per mutant of the matrix.
    pub changes: Vec<Changes>,
}

impl<'a> Subject<'a> {
    /// All failing tests together.
    pub fn new(matrix: &'a KillMatrix, spectrum: &'a Spectrum) -> Result<Self, LocalizeError> {
        let (failing, passing) = sides(matrix);
        Self::of(matrix, spectrum, failing, passing)
    }

    /// One failing test alone, of which several faults may be the cause: other failing tests do not count.
    pub fn about(matrix: &'a KillMatrix, spectrum: &'a Spectrum, test: u32) -> Result<Self, LocalizeError> {
        let (failing, passing) = sides(matrix);
        let name =
            || matrix.tests.get(test as usize).map_or_else(|| test.to_string(), |test| test.name.clone());
        if !failing.contains(test) {
            return Err(LocalizeError::NotFailing(name()));
        }
        Self::of(matrix, spectrum, RoaringBitmap::from([test]), passing)
    }

    fn of(
        matrix: &'a KillMatrix,
        spectrum: &'a Spectrum,
        failing: RoaringBitmap,
        passing: RoaringBitmap,
    ) -> Result<Self, LocalizeError> {
        if failing.is_empty() {
            return Err(LocalizeError::NoFailingTest);
        }
        let mutants = 0..matrix.mutants.len();
        let changes = mutants.map(|mutant| Changes::of(matrix, mutant, &failing, &passing)).collect();
        Ok(Self { matrix, spectrum, failing, passing, changes })
    }

    /// How many tests execute a statement and do not, by what they say.
    pub fn counts(&self, statement: usize) -> SpectrumCounts {
        let covered = &self.spectrum.statements[statement].covered;
        let (ef, ep) = (covered.intersection_len(&self.failing), covered.intersection_len(&self.passing));
        let (nf, np) = (self.failing.len() - ef, self.passing.len() - ep);
        SpectrumCounts { ef: ef as f64, ep: ep as f64, nf: nf as f64, np: np as f64 }
    }

    /// Whether a failing test executes a statement: only those can be at fault.
    pub fn is_target(&self, statement: usize) -> bool {
        !self.spectrum.statements[statement].covered.is_disjoint(&self.failing)
    }

    /// How many statements a failing test executes.
    pub fn targets(&self) -> usize {
        (0..self.spectrum.statements.len()).filter(|statement| self.is_target(*statement)).count()
    }

    /// Mutants that were not run with some test that reaches them: what it would have said is not known.
    /// Where only repairs matter, those that repair nothing need no more tests.
    pub fn partial_mutants(&self, only_repairs: bool) -> PartialMutants {
        let known = self.matrix.outcomes.iter().flatten();
        let matters =
            |known: &&Outcome| !only_repairs || !(&(&known.ran & &self.failing) - &known.kills()).is_empty();
        let partial = known.filter(|known| !known.ran.is_empty() && !known.covered.is_subset(&known.ran));
        let mut found = PartialMutants::default();
        for known in partial {
            if known.timed_out.len() > 1 {
                found.hanging += 1;
            } else if matters(&known) {
                found.unfinished += 1;
            }
        }
        found.unrun = self.matrix.outcomes.iter().filter(|outcome| outcome.is_none()).count();
        found
    }
}

/// Mutants of which not everything is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartialMutants {
    /// They hang in more than one test, and were given up.
    pub hanging: usize,
    /// Passing tests were not asked.
    pub unfinished: usize,
    /// No test was asked.
    pub unrun: usize,
}

/// The failing and the passing tests.
pub fn sides(matrix: &KillMatrix) -> (RoaringBitmap, RoaringBitmap) {
    let reliable = (0..).zip(&matrix.tests).filter(|(_, test)| !test.flaky);
    let (mut failing, mut passing) = (RoaringBitmap::new(), RoaringBitmap::new());
    for (number, test) in reliable {
        let side = if test.verdict == Verdict::Pass { &mut passing } else { &mut failing };
        side.insert(number);
    }
    (failing, passing)
}
