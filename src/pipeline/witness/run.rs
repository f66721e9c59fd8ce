//! The whole search: the failing program is run, reduced and mutated, and what runs executed is compared.

use std::fs;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use crate::analysis::witness::Reducer;
use crate::analysis::witness::Runs;
use crate::analysis::witness::Trace;
use crate::analysis::witness::rank;
use crate::control::Events;
use crate::control::Phase;

use super::atlas::Atlas;
use super::coverage::Collector;
use super::error::WitnessError;
use super::hunt::BATCH;
use super::hunt::Hunt;
use super::hunt::Seen;
use super::judge::Failure;
use super::judge::Judge;
use super::judge::Judged;
use super::request::Expected;
use super::request::Oracle;
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
    events.enter(Phase::RunningProgram);
    let mut collector = Collector::new(&request.coverage);
    let mut atlas = Atlas::new(&request.sources);
    let mut first = first_run(request, &collector, events, &mut atlas);
    if matches!(first, Err(WitnessError::Unjudged { .. } | WitnessError::Passes { .. }))
        && request.containment.share_temporary(true)
    {
        first = first_run(request, &collector, events, &mut atlas);
        if first.is_ok() {
            events.inform("programs may write to /tmp and /dev/shm: without, the failing program does not fail");
        }
    }
    let first = match first? {
        First::Traced(first) => first,
        First::Silent => {
            collector.catch_crashes()?;
            let First::Traced(first) = first_run(request, &collector, events, &mut atlas)? else {
                return Err(WitnessError::NoCounters);
            };
            events.inform("the failing program ends without writing its coverage: its signals are caught");
            first
        }
    };
    let (failure, trace, took) = first;
    let timeout = match failure {
        Failure::Hang => request.timeout,
        _ => request.timeout.min(took.mul_f64(PATIENCE).max(LEAST_TIME)),
    };
    let judges = (0..request.jobs.max(1)).map(|_| judge(request, &collector, events, timeout));
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
    Ok(finish(hunt, tests, cut, begun))
}

/// What came of running the given program first.
enum First {
    /// How it fails, what it executes, and how long all of that took.
    Traced((Failure, Trace, Duration)),
    /// It left no coverage.
    Silent,
}

fn first_run(
    request: &WitnessRequest,
    collector: &Collector,
    events: &Events,
    atlas: &mut Atlas,
) -> Result<First, WitnessError> {
    let judge = judge(request, collector, events, request.timeout)?;
    let begun = Instant::now();
    let tried = judge.run_text(&request.text)?;
    let took = begun.elapsed();
    let name = || request.name.clone();
    let failure = match tried.judged {
        Judged::Fails(failure) => failure,
        Judged::Unjudged(why) => return Err(WitnessError::Unjudged { name: name(), why }),
        Judged::Passes => {
            let why = match &request.oracle {
                Oracle::Script(_) => "the oracle ends with exit code 0",
                Oracle::Run { expected: Expected::Success, .. } => "it ends with exit code 0",
                Oracle::Run { expected: Expected::Output(_), .. } => "it prints what is expected",
                Oracle::Run { .. } => "it does as the reference does",
            };
            return Err(WitnessError::Passes { name: name(), why });
        }
    };
    let Some(executed) = tried.executed else { return Ok(First::Silent) };
    let trace = atlas.trace(&executed)?;
    atlas.check(&trace)?;
    Ok(First::Traced((failure, trace, took)))
}

/// A judge that knows how the reference ends with the given program.
fn judge<'a>(
    request: &'a WitnessRequest<'a>,
    collector: &'a Collector,
    events: &'a Events,
    timeout: Duration,
) -> Result<Judge<'a>, WitnessError> {
    let mut judge = Judge::new(request, collector, &events.progress)?;
    judge.timeout = timeout;
    judge.reference = judge.reference_of(&request.text)?;
    Ok(judge)
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

fn finish(mut hunt: Hunt, tests: Vec<Variation>, cut: bool, begun: Instant) -> WitnessResult {
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
        cut,
        took: begun.elapsed(),
    }
}
