//! Metallaxis: mutants that behave towards tests as the fault does are near it.

use super::Scores;
use super::Subject;

/// A mutant scores `k_f / √(|f| · (k_f + k_p))`, k_f and k_p being the failing and passing tests whose result
/// it changes; a statement scores what its best mutant does, and 0 without one.
///
/// A change is any change of the result. The matrix knows pass, failure, crash and time-out; where a matrix
/// from elsewhere knows only pass and failure, it is a change between these.
pub fn metallaxis(subject: &Subject) -> Scores {
    let failing = subject.failing.len() as f64;
    let score = |mutant: &usize| {
        let changes = &subject.changes[*mutant];
        let by_failing = (changes.repaired.len() + changes.otherwise.len()) as f64;
        let by_passing = changes.broken.len() as f64;
        if by_failing == 0.0 { 0.0 } else { by_failing / (failing * (by_failing + by_passing)).sqrt() }
    };
    let best = |mutants: &[usize]| mutants.iter().map(score).fold(0.0, f64::max);
    let values = subject.spectrum.statements.iter().map(|statement| best(&statement.mutants)).collect();
    Scores { values, facts: Vec::new(), test: None, executed: Vec::new() }
}
