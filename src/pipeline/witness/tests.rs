//! Runs the developers' programs.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::control::Phase;

use super::error::WitnessError;
use super::judge::Judge;
use super::judge::Judged;
use super::result::Origin;
use super::result::Variation;
use super::state::SearchState;

/// Endings of files with the output that a developers' test expects.
const EXPECTED: [&str; 4] = ["expect", "expected", "out", "txt"];
/// The share of the budget that they may take.
const TESTING: f64 = 0.3;
/// Programs that are run before the time is looked at.
const CHUNK: usize = 10;

/// Runs the developers' programs; those that pass.
pub fn run_tests(state: &mut SearchState) -> Result<Vec<Variation>, WitnessError> {
    let paths = &state.request.tests;
    if paths.is_empty() {
        return Ok(vec![]);
    }
    state.events.enter(Phase::RunningDeveloperTests);
    let until = state.until(TESTING);
    let mut tests = Vec::new();
    let mut chunks = paths.chunks(CHUNK);
    while let Some(paths) = chunks.next() {
        if Instant::now() >= until {
            state.counts.tests_not_run = paths.len() + chunks.map(<[_]>::len).sum::<usize>();
            break;
        }
        let run = |judge: &Judge, turn: usize| judge.run_file(&paths[turn], expected(&paths[turn]));
        let tried = match state.turns(paths.len(), run) {
            // What was run until then is worth keeping.
            Err(WitnessError::Stopped) => return Ok(tests),
            tried => tried?,
        };
        for (path, tried) in paths.iter().zip(tried) {
            state.counts.runs += 1;
            if tried.judged != Judged::Passes {
                state.counts.tests_left_out += 1;
            } else if let Some(trace) = state.trace(&tried)? {
                let origin = Origin::Test(path.display().to_string());
                tests.push(Variation { origin, text: vec![], trace, stack: vec![] });
            }
        }
    }
    warn(state, tests.len());
    Ok(tests)
}

/// Says where the developers' programs are of little use.
fn warn(state: &SearchState, used: usize) {
    let (left_out, not_run) = (state.counts.tests_left_out, state.counts.tests_not_run);
    if used == 0 {
        state.events.warn(format!(
            "none of {left_out} programs of --tests passes, so they are not used; check that the command works with \
             each of them as {{file}} and writes only to {{dir}}"
        ));
    } else if not_run > 0 {
        state.events.warn(format!(
            "{not_run} programs of --tests did not run, since they get only {:.0} % of --budget; raise --budget",
            TESTING * 100.0
        ));
    }
}

/// The output that stands beside a developers' test.
fn expected(test: &Path) -> Option<Vec<u8>> {
    EXPECTED.iter().find_map(|ending| fs::read(test.with_extension(ending)).ok())
}
