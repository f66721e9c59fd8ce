//! The whole search: the failing program is run, reduced and mutated, and what runs executed is compared.

use std::fs;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use crate::analysis::witness::Reducer;
use crate::analysis::witness::Runs;
use crate::analysis::witness::rank;
use crate::control::Events;
use crate::control::Phase;

use super::atlas::Atlas;
use super::bisect::FirstBad;
use super::bisect::bisect;
use super::coverage::Broken;
use super::error::WitnessError;
use super::first::First;
use super::first::first_run;
use super::first::judge;
use super::hunt::BATCH;
use super::hunt::Hunt;
use super::hunt::Seen;
use super::judge::Failure;
use super::judge::Judged;
use super::request::WitnessRequest;
use super::result::Origin;
use super::result::Variation;
use super::result::WitnessResult;
use super::search::search;

/// The share of the budget that reducing may take.
const REDUCING: f64 = 0.4;
/// Programs that are tried to make the failing one smaller, for each mutant that may be tried.
const REDUCTION_TRIES: usize = 3;
/// How much longer than the failing program's a run may take, and the least that it may.
const PATIENCE: f64 = 10.0;
const LEAST_TIME: Duration = Duration::from_millis(500);
/// Endings of files with the output that a developers' test expects.
const EXPECTED: [&str; 4] = ["expect", "expected", "out", "txt"];

/// Finds out which part is broken. If somebody asks to stop, the result is what is known until then.
pub fn run(request: &WitnessRequest, events: &Events) -> Result<WitnessResult, WitnessError> {
    let begun = Instant::now();
    let mut broken = Broken::new(request, events)?;
    let mut atlas = Atlas::new(&request.sources);
    let First { failure, trace, took } = first_run(request, &mut broken, events, &mut atlas)?;
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
    let mut hunt = Hunt::new(request, events, judges, atlas, (failure, trace));
    let worked = look(&mut hunt);
    match worked {
        Ok(()) | Err(WitnessError::Stopped) => {}
        Err(error) => return Err(error),
    }
    let cut = hunt.is_over();
    let tests = match run_tests(&mut hunt) {
        Err(WitnessError::Stopped) => vec![],
        tests => tests?,
    };
    Ok(finish(hunt, tests, first_bad, cut, begun))
}

/// Reduces and mutates.
fn look(hunt: &mut Hunt) -> Result<(), WitnessError> {
    let text = match hunt.request.reduce {
        true => reduce(hunt)?,
        false => hunt.request.text.clone(),
    };
    // What is looked into stands first.
    if let Some(at) = hunt.failing.iter().position(|known| known.text == text) {
        hunt.failing.swap(0, at);
    }
    hunt.events.enter(Phase::SearchingWitnesses);
    search(hunt, &text)
}

/// Makes the failing program smaller; steps that pass are witnesses.
fn reduce(hunt: &mut Hunt) -> Result<Vec<u8>, WitnessError> {
    hunt.events.enter(Phase::Reducing);
    let mut reducer = Reducer::new(hunt.request.def, &hunt.request.text);
    let until = Instant::now() + hunt.request.budget.mul_f64(REDUCING);
    let mut left = hunt.request.tries * REDUCTION_TRIES;
    while left > 0 && Instant::now() < until && !hunt.events.progress.stopped() {
        let proposals = reducer.proposals(BATCH);
        if proposals.is_empty() {
            break;
        }
        let fresh: Vec<bool> = proposals.iter().map(|text| hunt.is_new(text)).collect();
        let texts: Vec<_> = proposals.iter().zip(&fresh).filter(|(_, fresh)| **fresh).collect();
        let texts: Vec<_> = texts.into_iter().map(|(text, _)| (text.clone(), Origin::Reduction)).collect();
        left = left.saturating_sub(texts.len());
        let mut seen = hunt.try_all(texts)?.into_iter();
        let fails: Vec<bool> = fresh.iter().map(|fresh| *fresh && seen.next() == Some(Seen::Fails)).collect();
        match fails.iter().position(|fails| *fails) {
            Some(at) => reducer.answer(at, Some(proposals[at].clone())),
            None => reducer.answer(proposals.len(), None),
        }
        hunt.events.at(Phase::Reducing, format!("{} bytes left", reducer.text().len()));
    }
    Ok(reducer.text().to_vec())
}

/// Runs the developers' programs; those that pass.
fn run_tests(hunt: &mut Hunt) -> Result<Vec<Variation>, WitnessError> {
    let paths = &hunt.request.tests;
    if paths.is_empty() {
        return Ok(vec![]);
    }
    hunt.events.enter(Phase::RunningDeveloperTests);
    let tried = hunt.turns(paths.len(), |judge, turn| judge.run_file(&paths[turn], expected(&paths[turn])))?;
    let mut tests = Vec::new();
    for (path, tried) in paths.iter().zip(tried) {
        hunt.counts.runs += 1;
        if tried.judged != Judged::Passes {
            hunt.counts.tests_left_out += 1;
            continue;
        }
        if let Some(trace) = hunt.trace(&tried)? {
            let origin = Origin::Test(path.display().to_string());
            tests.push(Variation { origin, text: vec![], trace });
        }
    }
    Ok(tests)
}

/// The output that stands beside a developers' test.
fn expected(test: &Path) -> Option<Vec<u8>> {
    EXPECTED.iter().find_map(|ending| fs::read(test.with_extension(ending)).ok())
}

fn finish(
    mut hunt: Hunt,
    tests: Vec<Variation>,
    first_bad: Option<FirstBad>,
    cut: bool,
    begun: Instant,
) -> WitnessResult {
    let failing = hunt.failing[0].trace.clone();
    hunt.witnesses.sort_by(|a, b| {
        failing.arc_distance(&a.trace).total_cmp(&failing.arc_distance(&b.trace))
    });
    let traces = |all: &[Variation]| all.iter().map(|known| known.trace.clone()).collect::<Vec<_>>();
    let (failing, witnesses, passing) = (traces(&hunt.failing), traces(&hunt.witnesses), traces(&tests));
    let runs = Runs { failing: &failing, witnesses: &witnesses, tests: &passing };
    let ranking = rank(&hunt.atlas.elements, &runs, hunt.request.formula, hunt.request.by);
    WitnessResult {
        failure: hunt.failure,
        reduced: hunt.failing[0].text.clone(),
        elements: hunt.atlas.elements,
        ranking,
        failing: hunt.failing,
        witnesses: hunt.witnesses,
        neutral: hunt.neutral,
        tests,
        counts: hunt.counts,
        first_bad,
        cut,
        took: begun.elapsed(),
    }
}
