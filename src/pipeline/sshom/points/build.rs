//! Builds a program with points, and makes workers that run it.

use std::sync::Mutex;

use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::BuildError;
use crate::engine::Driver;
use crate::engine::TestError;
use crate::engine::Workbench;
use crate::runner::RunError;
use crate::runner::SPLIT_VARIABLE;
use crate::runner::SplitFile;
use crate::workspace::Workspace;

use super::super::super::subject::Subject;
use super::candidates::PointCandidates;
use super::place::PointPlace;
use super::program::PointProgram;
use super::worker::Worker;

/// Builds a project with all points that compile, and runs its tests once. `kinds` are the kinds of points that are
/// wanted, all if there are none.
pub fn build(
    subject: &Subject,
    kinds: &[String],
    jobs: usize,
    events: &Events,
) -> Result<PointProgram, TestError> {
    let Subject { project, inserter, paths } = *subject;
    let mut candidates = PointCandidates::find(inserter, paths, kinds);
    let mut bench = Workbench::set_up(project, inserter.def, candidates.len(), events)?;
    overflow_the_same_way(&mut bench);
    let mut baseline = bench.baseline()?;
    let said = build_points(subject, &bench, &mut candidates)?;
    let places = candidates.places();
    let split = SplitSize { slots: candidates.len(), mutants: places.iter().map(PointPlace::mutants).sum() };
    let (workers, copies) = make_workers(&bench, jobs, &said, &mut baseline, split)?;
    let env = std::mem::take(&mut bench.runtime_env);
    let (workspace, scratch) = bench.into_directories();
    let mut homes: Vec<_> = copies.into_iter().map(|copy| (copy, None)).collect();
    homes.push((workspace, Some(scratch)));
    let mut program = PointProgram::new(places, candidates.kept(), split.slots, baseline, workers, homes);
    program.env = env;
    program.dropped = candidates.dropped();
    program.look(events)?;
    if program.tests.is_empty() {
        let why = "no test passes reliably with no operator exchanged, so nothing can be found";
        return Err(TestError::Baseline(why.into()));
    }
    Ok(program)
}

/// Makes numbers that overflow do the same every time.
fn overflow_the_same_way(bench: &mut Workbench) {
    if let Some((_, flags)) = bench.runtime_env.iter_mut().find(|(key, _)| key == "WILDCAUGHT_CFLAGS") {
        flags.push_str(" -fwrapv");
    }
    bench.env = bench.project.env(&bench.runtime_env, 0);
}

/// Builds the points that compile; gives what the build said.
fn build_points(
    subject: &Subject,
    bench: &Workbench,
    candidates: &mut PointCandidates,
) -> Result<Vec<u8>, TestError> {
    let Some(runtime) = &bench.runtime else {
        return Err(TestError::Baseline("sshom does not support this language".into()));
    };
    let Subject { inserter, paths, .. } = *subject;
    let driver = Driver { bench, runtime, inserter, paths, phase: Phase::BuildingPoints };
    match driver.build(candidates) {
        Ok(finished) => Ok(finished.said),
        Err(BuildError::Run(error)) => Err(error.into()),
        Err(BuildError::Hopeless(said)) => Err(TestError::Baseline(format!(
            "the project does not build with exchangeable operators:\n{said}"
        ))),
    }
}

/// How large the file is that a worker and a program share.
#[derive(Clone, Copy)]
struct SplitSize {
    /// How many numbers the points have.
    slots: usize,
    mutants: usize,
}

/// Workers, and the copies that they run in.
type WorkersAndCopies = (Vec<Mutex<Worker>>, Vec<Workspace>);

/// Makes workers. Tests that fail because of the points alone are ignored from then on.
fn make_workers(
    bench: &Workbench,
    jobs: usize,
    said: &[u8],
    baseline: &mut Baseline,
    size: SplitSize,
) -> Result<WorkersAndCopies, TestError> {
    let split = |_| {
        SplitFile::create(size.slots, size.mutants).map_err(RunError::io("a file to talk with the program"))
    };
    let splits = (0..jobs.max(1)).map(split).collect::<Result<Vec<_>, _>>()?;
    let path = |number: usize| splits[number].path().display().to_string();
    let mut made =
        bench.runners(jobs, said, baseline, |number| vec![(SPLIT_VARIABLE.to_owned(), path(number))])?;
    bench.events.enter(Phase::TestingPoints);
    let when = "when operators are exchangeable but not exchanged";
    bench.compare_unchanged(&mut *made.runners[0], baseline, when)?.map_err(TestError::Baseline)?;
    let workers = made.runners.into_iter().zip(splits);
    let workers = workers.map(|(runner, split)| Mutex::new(Worker { runner, split })).collect();
    Ok((workers, made.copies))
}
