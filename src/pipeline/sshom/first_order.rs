//! The first step: all mutants are tested one by one.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fixedbitset::FixedBitSet;

use crate::analysis::sshom::FirstOrder;
use crate::analysis::sshom::SplitError;
use crate::analysis::sshom::killed_alone;
use crate::control::Events;
use crate::control::Phase;
use crate::runner::RunError;

use super::budget::TimeLimit;
use super::points::PointProgram;
use super::points::PointStop;
use super::points::RunCounts;
use super::points::SearchBound;
use super::points::Splitting;
use super::points::take_turns;

/// What is known of mutants one by one.
pub struct FirstOrderResult {
    /// For each mutant, the tests that kill it.
    pub first: FirstOrder,
    /// For each test, the mutants that it kills.
    pub kills: Vec<FixedBitSet>,
    /// Runs of a test.
    pub runs: u64,
    pub took: Duration,
    /// Whether all were tested; if not, nothing is known.
    pub finished: bool,
}

/// Tests all mutants one by one. Tests that fail with nothing exchanged are left out of the program.
pub fn test_first_order(
    program: &mut PointProgram,
    budget: Option<Duration>,
    events: &Events,
) -> Result<FirstOrderResult, RunError> {
    let tell = |how_far: String| events.at(Phase::TestingFirstOrder, how_far);
    let (runs, cut, time) = (RunCounts::default(), AtomicBool::new(false), TimeLimit::start(budget));
    let progress = &events.progress;
    let bound = SearchBound {
        max_order: None,
        cut: &cut,
        max_leaves: None,
        time,
        progress,
        tell: &tell,
        runs: &runs,
    };
    let kills = kills_by_test(program, bound, events)?;
    let finished = kills.is_some();
    let none = || vec![FixedBitSet::with_capacity(program.points.mutants()); program.tests.len()];
    let kills = kills.unwrap_or_else(none);
    let first = by_mutant(program, &kills);
    Ok(FirstOrderResult { first, kills, runs: runs.all(), took: time.elapsed(), finished })
}

/// For each test, the mutants that it kills alone; none if time ran out.
fn kills_by_test(
    program: &mut PointProgram,
    bound: SearchBound,
    events: &Events,
) -> Result<Option<Vec<FixedBitSet>>, RunError> {
    let done = AtomicUsize::new(0);
    let kills = take_turns(program, bound, program.tests.len(), |splitting, test| {
        (bound.tell)(format!("{} of {} tests", done.fetch_add(1, Ordering::Relaxed), program.tests.len()));
        killed_by(program, splitting, test)
    })?;
    let Some(kills) = kills.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let kept: Vec<bool> = kills.iter().map(Option::is_some).collect();
    program.keep_tests(&kept, events);
    Ok(Some(kills.into_iter().flatten().collect()))
}

/// The mutants that a test kills alone; none if it fails with nothing exchanged, twice.
fn killed_by(
    program: &PointProgram,
    splitting: &mut Splitting,
    test: usize,
) -> Result<Option<FixedBitSet>, PointStop> {
    let mut killed = killed_alone(&program.points, test, splitting);
    // Once may be an accident.
    if matches!(killed, Err(SplitError::Baseline { .. })) {
        killed = killed_alone(&program.points, test, splitting);
    }
    match killed {
        Ok(killed) => Ok(Some(killed)),
        Err(SplitError::Baseline { .. }) => Ok(None),
        Err(SplitError::Stop(stop)) => Err(stop),
    }
}

/// For each mutant, the tests that kill it.
fn by_mutant(program: &PointProgram, kills: &[FixedBitSet]) -> FirstOrder {
    let points = program.points.clone();
    let of = |mutant: usize| {
        let killers = (0..).zip(kills).filter(|(_, killed)| killed.contains(mutant));
        killers.map(|(test, _): (u32, _)| test).collect()
    };
    let kills = (0..points.mutants()).map(of).collect();
    FirstOrder { points, kills, places: Some(program.mutant_places()) }
}
