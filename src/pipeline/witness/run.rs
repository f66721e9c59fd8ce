//! The whole search: the failing program is run, reduced and mutated, and what runs executed is compared.

use std::collections::BTreeSet;
use std::time::Duration;
use std::time::Instant;

use crate::analysis::witness::RankedPart;
use crate::analysis::witness::Runs;
use crate::analysis::witness::TracedFunction;
use crate::analysis::witness::rank;
use crate::control::Events;
use crate::control::Phase;

use super::bisect::FirstBad;
use super::bisect::bisect;
use super::coverage::BrokenProgram;
use super::elements::ElementTable;
use super::error::WitnessError;
use super::first::First;
use super::first::first_run;
use super::first::judge;
use super::judge::Failure;
use super::reduce::reduce;
use super::request::WitnessRequest;
use super::result::Variation;
use super::result::WitnessResult;
use super::search::search;
use super::state::SearchState;
use super::tests::run_tests;

/// How much longer than the failing program's a run may take, and the least that it may.
const PATIENCE: f64 = 10.0;
const LEAST_TIME: Duration = Duration::from_millis(500);

/// Finds out which part is broken. If asked to stop, the result is what is known until then.
pub fn run(request: &WitnessRequest, events: &Events) -> Result<WitnessResult, WitnessError> {
    let begun = Instant::now();
    let mut broken = BrokenProgram::new(request, events)?;
    let mut table = ElementTable::new(&request.sources);
    let First { failure, trace, stack, took } = first_run(request, &mut broken, events, &mut table)?;
    // First, since its ends may be wrong, which nobody wants to hear after minutes.
    let first_bad = match request.bisect.as_ref().map(|asked| bisect(request, asked, events)) {
        Some(Err(WitnessError::Stopped)) | None => None,
        Some(found) => Some(found?),
    };
    let timeout = match failure {
        Failure::Hang => request.timeout,
        _ => request.timeout.min(took.mul_f64(PATIENCE).max(LEAST_TIME)),
    };
    let judges = (0..request.jobs.max(1)).map(|_| judge(request, &broken, events, timeout));
    let judges = judges.collect::<Result<Vec<_>, _>>()?;
    let mut state = SearchState::new(request, events, judges, table, (failure, trace, stack));
    let tests = run_tests(&mut state)?;
    match look(&mut state) {
        Ok(()) | Err(WitnessError::Stopped) => {}
        Err(error) => return Err(error),
    }
    let cut = state.is_over() && !events.progress.stopped();
    Ok(finish(state, tests, first_bad, cut, begun))
}

/// Reduces and mutates.
fn look(state: &mut SearchState) -> Result<(), WitnessError> {
    let text = match state.request.reduce {
        true => reduce(state)?,
        false => state.request.text.clone(),
    };
    // What is looked into stands first.
    if let Some(at) = state.failing.iter().position(|known| known.text == text) {
        state.failing.swap(0, at);
    }
    state.events.enter(Phase::SearchingWitnesses);
    search(state, &text)
}

fn finish(
    mut state: SearchState,
    tests: Vec<Variation>,
    first_bad: Option<FirstBad>,
    cut: bool,
    begun: Instant,
) -> WitnessResult {
    let failing = state.failing[0].trace.clone();
    state.witnesses.sort_by(|a, b| failing.arc_distance(&a.trace).total_cmp(&failing.arc_distance(&b.trace)));
    WitnessResult {
        ranking: ranking(&state, &tests, first_bad.as_ref()),
        failure: state.failure,
        reduced: state.failing[0].text.clone(),
        elements: state.table.elements,
        failing: state.failing,
        witnesses: state.witnesses,
        neutral: state.neutral,
        others: state.others,
        tests,
        counts: state.counts,
        first_bad,
        cut,
        took: begun.elapsed(),
    }
}

fn ranking(state: &SearchState, tests: &[Variation], first_bad: Option<&FirstBad>) -> Vec<RankedPart> {
    let elements = &state.table.elements;
    let traces = |all: &[Variation]| all.iter().map(|known| known.trace.clone()).collect::<Vec<_>>();
    let numbered = |wanted: &dyn Fn(&TracedFunction) -> bool| {
        let found = (0_u32..).zip(&elements.functions).filter(|(_, known)| wanted(known));
        found.map(|(number, _)| number).collect::<Vec<_>>()
    };
    let stack = state.failing[0].stack.iter();
    let mut stack: Vec<u32> = stack.flat_map(|name| numbered(&|known| known.name == *name)).collect();
    let mut seen = BTreeSet::new();
    stack.retain(|function| seen.insert(*function));
    let changes = first_bad.into_iter().flat_map(|found| &found.changes);
    let changed: Vec<u32> = changes
        .flat_map(|(file, name)| numbered(&|known| known.file == *file && known.name == *name))
        .collect();
    let runs = Runs {
        failing: &traces(&state.failing),
        witnesses: &traces(&state.witnesses),
        neutral: &traces(&state.neutral),
        tests: &traces(tests),
        stack: &stack,
        changed: &changed,
    };
    rank(elements, &runs, state.request.formula, state.request.by)
}
