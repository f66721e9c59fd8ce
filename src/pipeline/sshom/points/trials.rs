//! Searches in a program with points, by several workers.
//!
//! In: a program and bounds. Out: what was found, the same whatever the number of workers unless time runs
//! out, and whether that is all there is.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use fixedbitset::FixedBitSet;
use roaring::RoaringBitmap;

use crate::analysis::sshom::FirstOrder;
use crate::analysis::sshom::Found;
use crate::analysis::sshom::Report;
use crate::analysis::sshom::Search;
use crate::analysis::sshom::SplitError;
use crate::analysis::sshom::killed_alone;
use crate::runner::RunError;

use super::program::PointProgram;
use super::worker::Bound;
use super::worker::PointStop;
use super::worker::Splitting;
use crate::control::Events;

/// Combinations that are asked for at a time, whatever the number of workers.
const BATCH: u64 = 16;

/// What a search that tries one after the other came to.
pub struct SomeFound {
    pub report: Report,
    /// When each was found.
    pub after: Vec<Duration>,
    /// Whether it was ended before there was nothing left to try.
    pub stopped: bool,
}

/// For each test, the mutants that it kills alone; none if time ran out. Tests that fail with nothing exchanged
/// are forgotten.
pub fn first_order(
    program: &mut PointProgram,
    bound: Bound,
    events: &Events,
) -> Result<Option<Vec<FixedBitSet>>, RunError> {
    let done = AtomicUsize::new(0);
    let kills = each(program, bound, program.tests.len(), |splitting, test| {
        (bound.tell)(format!("{} of {} tests", done.fetch_add(1, Ordering::Relaxed), program.tests.len()));
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
    })?;
    let Some(kills) = kills.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
    let kept: Vec<bool> = kills.iter().map(Option::is_some).collect();
    program.keep_tests(&kept, events);
    Ok(Some(kills.into_iter().flatten().collect()))
}

/// Tries what a search says, at most so many. With `early`, what cannot be strongly subsuming any more is not
/// run further.
pub fn search_some(
    program: &PointProgram,
    search: &mut dyn Search,
    first: &FirstOrder,
    early: bool,
    most: u64,
    bound: Bound,
) -> Result<SomeFound, RunError> {
    let mut done = SomeFound { report: Report::default(), after: vec![], stopped: true };
    loop {
        let report = &mut done.report;
        (bound.tell)(format!("{} found among {} tried", report.found.len(), report.tried));
        let left = most - report.tried;
        if left == 0 {
            return Ok(done);
        }
        let wanted = search.ask(left.min(BATCH) as usize);
        if wanted.is_empty() {
            report.exhausted = true;
            done.stopped = false;
            return Ok(done);
        }
        let kills = each(program, bound, wanted.len(), |splitting, at| {
            kills(program, splitting, first, &wanted[at], early)
        })?;
        for (mutants, kills) in wanted.into_iter().zip(kills) {
            let Some(kills) = kills else { return Ok(done) };
            report.tried += 1;
            search.tell(&mutants, &kills);
            if let Some(subsumption) = first.judge(&mutants, &kills) {
                report.found.push(Found { mutants, subsumption, kills, tried: report.tried });
                done.after.push(bound.begun.elapsed());
            }
        }
    }
}

/// The tests that fail with a combination. Those that kill some of its mutants come first, as one that kills the
/// combination settles it, then those that kill none, then those that kill all.
fn kills(
    program: &PointProgram,
    splitting: &mut Splitting,
    first: &FirstOrder,
    mutants: &[u32],
    early: bool,
) -> Result<RoaringBitmap, PointStop> {
    let sets = program.combination(mutants);
    let (shared, united) = (first.shared(mutants), first.united(mutants));
    let all: RoaringBitmap = (0..program.tests.len() as u32).collect();
    let mut kills = RoaringBitmap::new();
    for test in (&united - &shared).iter().chain(&all - &united).chain(&shared) {
        if splitting.fails(test as usize, &sets)? {
            kills.insert(test);
            if early && !shared.contains(test) {
                break;
            }
        }
    }
    Ok(kills)
}

/// Shares turns among the workers; none for those for which time ran out.
fn each<T: Send>(
    program: &PointProgram,
    bound: Bound,
    turns: usize,
    work: impl Fn(&mut Splitting, usize) -> Result<T, PointStop> + Sync,
) -> Result<Vec<Option<T>>, RunError> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..turns).map(|_| None).collect());
    let worker = |place: usize| -> Result<(), RunError> {
        let mut worker = program.workers[place].lock().expect("no worker panics with the lock");
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= turns || bound.progress.stopped() {
                return Ok(());
            }
            let mut splitting = Splitting { program, worker: &mut worker, bound, leaves: &AtomicU64::new(0) };
            match work(&mut splitting, turn) {
                Ok(made) => {
                    done.lock().expect("no worker panics with the lock")[turn] = Some(made);
                }
                Err(PointStop::Leaves) => {}
                Err(PointStop::Time) => next.store(turns, Ordering::Relaxed),
                Err(PointStop::Run(error)) => {
                    next.store(turns, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    if program.workers.len() == 1 || turns == 1 {
        worker(0)?;
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..program.workers.len().min(turns))
                .map(|place| scope.spawn(move || worker(place)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })?;
    }
    Ok(done.into_inner().expect("no worker panics with the lock"))
}
