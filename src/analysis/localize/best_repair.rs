//! The best mutant of a statement: it repairs failing tests and breaks few passing ones.

use super::Scores;
use super::Subject;
use crate::analysis::Changes;

/// A mutant scores `r / √(F · (r + b))`: r failing tests that pass under it, b passing tests that fail under it, F all
/// failing tests. A statement scores what its best mutant does, and 0 without one. 1 is a mutant that repairs all and
/// breaks none.
///
/// It is Ochiai's formula with repairs for executions. MUSE takes the mean over the mutants of a statement, in which
/// one that repairs is lost among many that break.
pub fn best_repair(subject: &Subject) -> Scores {
    let failing = subject.failing.len() as f64;
    let score = |mutant: &usize| {
        let changes = &subject.changes[*mutant];
        let (repaired, broken) = (changes.repaired.len() as f64, changes.broken.len() as f64);
        if repaired == 0.0 { 0.0 } else { repaired / (failing * (repaired + broken)).sqrt() }
    };
    let best = |mutants: &[usize]| mutants.iter().map(score).fold(0.0, f64::max);
    let values = subject.spectrum.statements.iter().map(|statement| best(&statement.mutants)).collect();
    Scores { values, facts: Vec::new(), test: None, executed: Vec::new() }
}

/// Whether a mutant of a statement repairs all failing tests and breaks none.
pub fn is_repaired(subject: &Subject, statement: usize) -> bool {
    let whole = |changes: &Changes| changes.repairs() && changes.repaired == subject.failing;
    subject.spectrum.statements[statement].mutants.iter().any(|mutant| whole(&subject.changes[*mutant]))
}
