//! What mutants say and who executes what, together.
//!
//! MUSE is right at once where a mutant repairs something, and says nothing where none does; Metallaxis speaks where
//! mutants change how tests fail; a spectrum always says something, but rarely the last word. The mean of all
//! three, each from 0 to 1 among the statements that failing tests execute, has the strengths of each.

use super::LocalizeError;
use super::Method;
use super::MethodWish;
use super::Scores;
use super::Subject;
use super::metallaxis::metallaxis;
use super::muse::muse;

/// The formula that stands for the spectrum.
const FORMULA: &str = "ochiai";

/// The mean of MUSE, Metallaxis and Ochiai.
pub fn blend(subject: &Subject) -> Result<Scores, LocalizeError> {
    let muse = muse(subject);
    let spectrum = Method::called(FORMULA)?.scores(subject, MethodWish::default())?;
    let parts = [&muse.values, &metallaxis(subject).values, &spectrum.values].map(|values| {
        let executed = spectrum.executed.iter().map(|at| values[*at]);
        let (low, high) = executed
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let scaled = |value: &f64| if high > low { (value - low) / (high - low) } else { 0.0 };
        values.iter().map(scaled).collect::<Vec<f64>>()
    });
    let mut values = vec![0.0; muse.values.len()];
    for at in &spectrum.executed {
        values[*at] = parts.iter().map(|part| part[*at]).sum::<f64>() / parts.len() as f64;
    }
    Ok(Scores { values, ..muse })
}
