//! Makes the failing program smaller, as long as it still fails.

use std::time::Instant;

use crate::analysis::witness::Reducer;
use crate::control::Phase;

use super::error::WitnessError;
use super::result::Origin;
use super::state::BATCH;
use super::state::SearchState;
use super::state::Seen;

/// The share of the budget after which nothing more is cut out.
const REDUCING: f64 = 0.6;
/// Programs that are tried to make the failing one smaller, for each mutant that may be tried.
const REDUCTION_TRIES: usize = 3;

/// Makes the failing program smaller; steps that pass are witnesses.
pub fn reduce(state: &mut SearchState) -> Result<Vec<u8>, WitnessError> {
    state.events.enter(Phase::Reducing);
    let mut reducer = Reducer::new(state.request.def, &state.request.keep, &state.request.text);
    let until = state.until(REDUCING);
    let mut left = state.request.tries * REDUCTION_TRIES;
    while left > 0 && Instant::now() < until && !state.events.progress.stopped() {
        let proposals = reducer.proposals(BATCH);
        if proposals.is_empty() {
            break;
        }
        let fresh: Vec<bool> = proposals.iter().map(|text| state.is_new(text)).collect();
        let texts: Vec<_> = proposals.iter().zip(&fresh).filter(|(_, fresh)| **fresh).collect();
        let texts: Vec<_> = texts.into_iter().map(|(text, _)| (text.clone(), Origin::Reduction)).collect();
        left = left.saturating_sub(texts.len());
        let mut seen = state.try_all(texts)?.into_iter();
        let fails: Vec<bool> = fresh.iter().map(|fresh| *fresh && seen.next() == Some(Seen::Fails)).collect();
        match fails.iter().position(|fails| *fails) {
            Some(at) => reducer.answer(at, Some(proposals[at].clone())),
            None => reducer.answer(proposals.len(), None),
        }
        state.events.at(Phase::Reducing, format!("{} bytes left", reducer.text().len()));
    }
    Ok(reducer.text().to_vec())
}
