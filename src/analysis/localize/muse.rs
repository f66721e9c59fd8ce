//! MUSE and MUSEUM: mutating the faulty statement makes failing tests pass, mutating a correct one makes
//! passing tests fail.

use super::Scores;
use super::Subject;

/// Results that all mutants together change.
struct Flips {
    /// From failing to passing.
    f2p: f64,
    /// From passing to failing.
    p2f: f64,
}

/// MUSE, equation 1 of its paper:
///
/// `μ(s) = 1/|mut(s)| · Σ ( |f(s) ∩ p_m| / |f| − α · |p(s) ∩ f_m| / |p| )`, `α = f2p/|f| · |p|/p2f`
///
/// over mutants that change some result, of statements that a failing test executes. α makes both terms the
/// same on the average, so that 0 is the score of an average statement: what has no such mutant gets it.
/// Statements that no failing test executes get the minimum. α is 0 where no passing test ever fails.
pub fn muse(subject: &Subject) -> Scores {
    let flips = flips(subject);
    let (failing, passing) = (subject.failing.len() as f64, subject.passing.len() as f64);
    let alpha = if flips.p2f == 0.0 { 0.0 } else { flips.f2p / failing * passing / flips.p2f };
    let score = |statement: usize| {
        let mut terms = Vec::new();
        each_mutant(subject, statement, |repaired, broken| {
            let second = if passing == 0.0 { 0.0 } else { broken / passing };
            terms.push(repaired / failing - alpha * second);
        });
        if terms.is_empty() { 0.0 } else { terms.iter().sum::<f64>() / terms.len() as f64 }
    };
    let facts = vec![("alpha", alpha), ("f2p", flips.f2p), ("p2f", flips.p2f)];
    Scores { values: with_minimum(subject, score), facts, test: None, executed: Vec::new() }
}

/// MUSEUM, the variant for many languages and few failing tests:
///
/// `Σ ( |f(s) ∩ p_m| / (f2p + 1) − |p(s) ∩ f_m| / (p2f + 1) ) / (|mut(s)| + 1)`
///
/// over the same mutants as MUSE.
pub fn museum(subject: &Subject) -> Scores {
    let flips = flips(subject);
    let score = |statement: usize| {
        let (mut sum, mut mutants) = (0.0, 0.0);
        each_mutant(subject, statement, |repaired, broken| {
            sum += repaired / (flips.f2p + 1.0) - broken / (flips.p2f + 1.0);
            mutants += 1.0;
        });
        sum / (mutants + 1.0)
    };
    let facts = vec![("f2p", flips.f2p), ("p2f", flips.p2f)];
    Scores { values: with_minimum(subject, score), facts, test: None, executed: Vec::new() }
}

/// Hands the tests that each mutant of a statement repairs and breaks to `visit`, of those that execute it.
fn each_mutant(subject: &Subject, statement: usize, mut visit: impl FnMut(f64, f64)) {
    let statement = &subject.spectrum.statements[statement];
    for changes in statement.mutants.iter().map(|mutant| &subject.changes[*mutant]) {
        if changes.flips() {
            let repaired = changes.repaired.intersection_len(&statement.covered);
            let broken = changes.broken.intersection_len(&statement.covered);
            visit(repaired as f64, broken as f64);
        }
    }
}

fn flips(subject: &Subject) -> Flips {
    let mut flips = Flips { f2p: 0.0, p2f: 0.0 };
    let statements = subject.spectrum.statements.iter().enumerate();
    for (_, statement) in statements.filter(|(at, _)| subject.is_target(*at)) {
        for mutant in &statement.mutants {
            flips.f2p += subject.changes[*mutant].repaired.len() as f64;
            flips.p2f += subject.changes[*mutant].broken.len() as f64;
        }
    }
    flips
}

/// Scores of statements that a failing test executes; the others get the least of those.
fn with_minimum(subject: &Subject, score: impl Fn(usize) -> f64) -> Vec<f64> {
    let scores = (0..subject.spectrum.statements.len()).map(|at| subject.is_target(at).then(|| score(at)));
    let scores: Vec<Option<f64>> = scores.collect();
    let least = scores.iter().flatten().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    scores.into_iter().map(|score| score.unwrap_or(least)).collect()
}
