//! Combines evidence from mutants with coverage.
//!
//! MUSE weighs all mutants of a statement against each other, the best repair looks at one, and a spectrum says
//! something where no mutant repairs anything. The mean of all three, each from 0 to 1 among the statements that
//! failing tests execute, has the strengths of each. A statement of which a mutant repairs all failing tests and
//! breaks none comes before all others.

use super::LocalizeError;
use super::Method;
use super::MethodWish;
use super::Scores;
use super::Subject;
use super::best_repair::best_repair;
use super::best_repair::is_repaired;
use super::muse::muse;

/// The formula that stands for the spectrum.
const FORMULA: &str = "ochiai";

/// The mean of MUSE, the best repair and Ochiai, and 1 more where all is repaired.
pub fn blend(subject: &Subject) -> Result<Scores, LocalizeError> {
    let muse = muse(subject);
    let spectrum = Method::called(FORMULA)?.scores(subject, MethodWish::default())?;
    let parts = [&muse.values, &best_repair(subject).values, &spectrum.values].map(|values| {
        let executed = spectrum.executed.iter().map(|at| values[*at]);
        let (low, high) = executed
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let scaled = |value: &f64| if high > low { (value - low) / (high - low) } else { 0.0 };
        values.iter().map(scaled).collect::<Vec<f64>>()
    });
    let mut values = vec![0.0; muse.values.len()];
    for at in &spectrum.executed {
        let mean = parts.iter().map(|part| part[*at]).sum::<f64>() / parts.len() as f64;
        values[*at] = mean + f64::from(u8::from(is_repaired(subject, *at)));
    }
    Ok(Scores { values, ..muse })
}
