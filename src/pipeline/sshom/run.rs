//! The whole search, from mutants one by one to what was verified.

use std::sync::atomic::AtomicBool;

use rustc_hash::FxHashMap;

use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SolutionFigures;
use crate::control::Events;
use crate::control::Phase;

use super::super::subject::Subject;
use super::brute_force;
use super::budget::TimeLimit;
use super::completeness::Completeness;
use super::context::SearchContext;
use super::error::SshomError;
use super::first_order::FirstOrderResult;
use super::first_order::test_first_order;
use super::genetic;
use super::points::PointProgram;
use super::points::RunCounts;
use super::points::SearchBound;
use super::prioritized;
use super::request::SearchKind;
use super::request::SshomRequest;
use super::result::Findings;
use super::result::Killers;
use super::result::SearchResult;
use super::result::SshomResult;
use super::variational;
use super::verify::verify;

/// Searches a program that was built from `subject`. If asked to stop, the result is what was found until
/// then, and says so.
pub fn run(
    request: &SshomRequest,
    subject: &Subject,
    program: &mut PointProgram,
    events: &Events,
) -> Result<SshomResult, SshomError> {
    let first_order = test_first_order(program, request.budget, events)?;
    let searches = request.chosen(program.points.mutants());
    let search = |kind| search(kind, request, program, &first_order, events);
    let searches = searches.into_iter().map(search).collect::<Result<Vec<_>, _>>()?;
    let places = program.mutant_places();
    let figures = SolutionFigures::new(&searches[0].findings.solution, Some(&places), request.which)?;
    let (which, list) = (request.which, request.list);
    let mut result = SshomResult { first_order, searches, figures, differing: None, which, list };
    if request.verify && !events.progress.stopped() {
        events.enter(Phase::Verifying);
        result.differing = Some(verify(&result, subject, program)?);
    }
    Ok(result)
}

/// Makes one search.
fn search(
    kind: SearchKind,
    request: &SshomRequest,
    program: &PointProgram,
    first_order: &FirstOrderResult,
    events: &Events,
) -> Result<SearchResult, SshomError> {
    let tell = |how_far: String| events.at(Phase::Searching, format!("{}, {how_far}", kind.name()));
    let (runs, cut) = (RunCounts::default(), AtomicBool::new(false));
    let time = TimeLimit::start(request.budget.map(|budget| budget.saturating_sub(first_order.took)));
    let bound = SearchBound {
        max_order: request.max_order,
        cut: &cut,
        max_leaves: request.max_looked,
        time,
        progress: &events.progress,
        tell: &tell,
        runs: &runs,
    };
    let context = SearchContext { request, program, first_order, bound };
    let mut findings = match kind {
        _ if !first_order.finished => nothing(&context)?,
        SearchKind::Variational => variational::search(&context)?,
        SearchKind::Prioritized => prioritized::search(&context)?,
        SearchKind::Genetic => genetic::search(&context)?,
        SearchKind::BruteForce => brute_force::search(&context)?,
    };
    findings.curve.iter_mut().for_each(|(after, _)| *after += first_order.took);
    let took = first_order.took + time.elapsed();
    Ok(SearchResult { kind, findings, runs: runs.all(), forks: runs.forks(), took })
}

/// What is found if there was no time to test all mutants one by one.
fn nothing(context: &SearchContext) -> Result<Findings, SshomError> {
    Ok(Findings {
        solution: Solution::listed(context.first_order.kills.clone(), vec![], vec![])?,
        killers: Killers::Listed(FxHashMap::default()),
        completeness: Completeness::NotSearched(context.ended()),
        whole: None,
        looked: 0,
        curve: vec![],
    })
}
