//! How likely a mutant is a fault that programmers make.
//!
//! In: the operators that make a mutant, from general to specific, what was drawn for it, and its chance to compile.
//! Out: an estimate of how often such a fault stands at such a place: seen in fixes against standing unharmed. Each
//! more specific operator corrects what the more general one says, the more the more is known of it.

use crate::operator::Evidence;

use super::arsenal::Arsenal;
use super::mutants::Mutant;

/// Fixes that a more general operator's estimate weighs.
const PRIOR_FIXES: f64 = 3.0;
/// The estimate for what nobody was seen to make: operators written by hand.
const UNSEEN: f64 = 1e-4;

/// How likely a mutant is a fault that programmers make, among all places like it.
pub fn likelihood(mutant: &Mutant, arsenal: &Arsenal) -> f64 {
    let mut known: smallvec::SmallVec<[(u64, u64); 8]> = mutant
        .entries
        .iter()
        .map(|entry| arsenal.entries[*entry as usize].evidence())
        .filter(|evidence| evidence.matches > 0)
        .map(|evidence| (evidence.matches, evidence.fixes))
        .collect();
    known.sort_unstable_by(|a, b| b.cmp(a));
    let rate = known.iter().fold(None, |rate: Option<f64>, &(matches, fixes)| {
        let prior = rate.unwrap_or(UNSEEN);
        Some((fixes as f64 + PRIOR_FIXES) / (matches as f64 + PRIOR_FIXES / prior))
    });
    rate.unwrap_or(UNSEEN) * f64::from(mutant.draw) * f64::from(mutant.viability)
}

/// How likely a candidate must be to be tried where an operator draws: less is no likelier than what nobody makes.
pub fn least_draw(evidence: &Evidence) -> f32 {
    evidence.rate().map_or(0.0, |rate| (UNSEEN / rate.max(UNSEEN)) as f32)
}

/// The places of mutants in a list, the likeliest first; equals keep their order.
pub fn likeliest_first(mutants: &[Mutant], arsenal: &Arsenal) -> Vec<usize> {
    let likely: Vec<f64> = mutants.iter().map(|mutant| likelihood(mutant, arsenal)).collect();
    let mut order: Vec<usize> = (0..mutants.len()).collect();
    order.sort_by(|a, b| likely[*b].total_cmp(&likely[*a]));
    order
}
