//! Builds a program with all edits in it, and makes workers that run it.

use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::BuildError;
use crate::engine::Driver;
use crate::engine::TestError;
use crate::engine::Workbench;
use crate::exec::Verdict;
use crate::insert::slots::Slot;
use crate::insert::slots::SlotRequest;
use crate::insert::slots::find_slots;
use crate::lex::TokenKind;
use crate::pipeline::Subject;
use crate::runner::ANY_PASSES;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Thrift;
use crate::runner::VALUES_VARIABLE;
use crate::runner::ValuesFile;

use super::candidates::SlotCandidates;
use super::expected::expected_texts;
use super::narrow::narrowed;
use super::program::SlotProgram;
use super::request::RepairRequest;
use super::worker::SlotWorker;

/// A run may evaluate conditions ten times as often as the original does,
const MORE_PASSES: u64 = 10;
/// and this often in addition.
const FREE_PASSES: u64 = 5_000;
/// Texts of a program that are compared with what its tests expect.
const MOST_LITERALS: usize = 200;

/// Slots of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotCount {
    pub slots: usize,
    pub alternatives: usize,
}

/// Finds the slots of a target.
fn slots_of(subject: &Subject, request: &RepairRequest) -> Vec<Slot> {
    let mut texts = expected_texts(subject.project, subject.inserter.def);
    texts.share_out(&literals_of(subject));
    let wanted = SlotRequest {
        def: subject.inserter.def,
        target: subject.inserter.target,
        families: &request.families,
        texts: &texts,
    };
    (0..subject.inserter.target.files.len()).flat_map(|file| find_slots(&wanted, file)).collect()
}

/// The texts between quotes in the files of a target, each once.
fn literals_of(subject: &Subject) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for file in &subject.inserter.target.files {
        let strings = (0..file.tokens.len()).filter(|at| file.tokens[*at].kind == TokenKind::String);
        for literal in strings.map(|at| String::from_utf8_lossy(file.token(at)).into_owned()) {
            if !all.contains(&literal) && all.len() < MOST_LITERALS {
                all.push(literal);
            }
        }
    }
    all
}

/// How many slots each file has, and how many alternatives stand there, those that do not compile with them.
pub fn count_slots(subject: &Subject, request: &RepairRequest) -> Vec<SlotCount> {
    let mut counts = vec![SlotCount::default(); subject.inserter.target.files.len()];
    for slot in slots_of(subject, request) {
        counts[slot.file].slots += 1;
        counts[slot.file].alternatives += slot.alternatives.len();
    }
    counts
}

/// Builds a project with all edits that compile, and runs its tests once.
pub fn build(subject: &Subject, request: &RepairRequest, events: &Events) -> Result<SlotProgram, TestError> {
    let Subject { project, inserter, .. } = *subject;
    let slots = narrowed(subject, slots_of(subject, request), request.jobs, events)?;
    let mut candidates = SlotCandidates::new(inserter, slots);
    let bench = Workbench::set_up(project, inserter.def, candidates.units(), events)?;
    let mut baseline = bench.baseline_with_fault()?;
    if baseline.failing(project.config).is_empty() {
        let why = "all tests pass, so there is nothing to repair; add a test that fails";
        return Err(TestError::Baseline(why.into()));
    }
    let said = build_slots(subject, &bench, &mut candidates)?;
    let (mut workers, copies) = make_workers(&bench, request.jobs, &said, &mut baseline)?;
    let known = |test: &u32| project.config.tests.known_failing.matches(&baseline.tests[*test as usize].name);
    let failing: Vec<u32> = baseline.broken().into_iter().filter(|test| !known(test)).collect();
    let passing = baseline.trusted();
    if failing.is_empty() {
        let why = "the failing tests are unreliable: some pass in the program with all edits built in and \
            switched off";
        return Err(TestError::Baseline(why.into()));
    }
    let reached = reach(&mut workers[0], &baseline, candidates.units(), events)?;
    let passed = workers[0].values.passed().map_err(RunError::io("a file to talk with the program"))?;
    let (workspace, scratch) = bench.into_directories();
    let mut homes: Vec<_> = copies.into_iter().map(|copy| (copy, None)).collect();
    homes.push((workspace, Some(scratch)));
    Ok(SlotProgram {
        unviable: candidates.unviable,
        slots: candidates.all,
        baseline,
        failing,
        passing,
        reached,
        most_passes: passed.saturating_mul(MORE_PASSES).saturating_add(FREE_PASSES).min(ANY_PASSES),
        workers: workers.into_iter().map(Mutex::new).collect(),
        _homes: homes,
    })
}

/// Builds the edits that compile; gives what the build said.
fn build_slots(
    subject: &Subject,
    bench: &Workbench,
    candidates: &mut SlotCandidates,
) -> Result<Vec<u8>, TestError> {
    let Some(runtime) = &bench.runtime else {
        let name = &subject.inserter.def.file.name;
        return Err(TestError::Baseline(format!(
            "repair does not support {name}: its language definition has no [switch]"
        )));
    };
    let Subject { inserter, paths, .. } = *subject;
    let driver = Driver { bench, runtime, inserter, paths, phase: Phase::BuildingEdits };
    match driver.build(candidates) {
        Ok(finished) => Ok(finished.said),
        Err(BuildError::Run(error)) => Err(error.into()),
        Err(BuildError::Hopeless(said)) => {
            Err(TestError::Baseline(format!("the project does not build with edits inserted:\n{said}")))
        }
    }
}

/// Workers, and the copies that they run in.
type WorkersAndCopies = (Vec<SlotWorker>, Vec<crate::workspace::Workspace>);

/// Makes workers. Tests that say something else because of the switches alone are ignored from then on.
fn make_workers(
    bench: &Workbench,
    jobs: usize,
    said: &[u8],
    baseline: &mut Baseline,
) -> Result<WorkersAndCopies, TestError> {
    let file = |_| ValuesFile::create().map_err(RunError::io("a file to talk with the program"));
    let files = (0..jobs.max(1)).map(file).collect::<Result<Vec<_>, _>>()?;
    let path = |number: usize| files[number].path().display().to_string();
    let mut made =
        bench.runners(jobs, said, baseline, |number| vec![(VALUES_VARIABLE.to_owned(), path(number))])?;
    bench.events.enter(Phase::TestingEdits);
    let when = "when all edits are built in but switched off";
    bench.compare_unchanged(&mut *made.runners[0], baseline, when)?.map_err(TestError::Baseline)?;
    let workers = made.runners.into_iter().zip(files);
    Ok((workers.map(|(runner, values)| SlotWorker { runner, values }).collect(), made.copies))
}

/// Per unit, the tests that pass it. Afterwards, the worker's file says how often conditions were passed by tests that
/// end.
fn reach(
    worker: &mut SlotWorker,
    baseline: &Baseline,
    units: usize,
    events: &Events,
) -> Result<Vec<RoaringBitmap>, TestError> {
    /// How much slower tests are whose units are noted.
    const SLOWER: u32 = 10;
    events.enter(Phase::FindingReach);
    // What hangs is not given more time for it.
    let hangs = |test: &u32| baseline.tests[*test as usize].verdict == Verdict::TimeOut;
    let (hanging, ending): (Vec<u32>, Vec<u32>) = baseline.heard().into_iter().partition(hangs);
    let mut reached = vec![RoaringBitmap::new(); units];
    for (tests, slower) in [(hanging, 1), (ending, SLOWER)] {
        if tests.is_empty() {
            continue;
        }
        worker.values.clear(ANY_PASSES).map_err(RunError::io("a file to talk with the program"))?;
        let limits = baseline.limits.times(slower);
        let ran = worker.runner.run(&Request {
            on: "",
            tests: &tests,
            limits: &|test| limits.test(test),
            floor: limits.floor,
            work: limits.work,
            first_kill: false,
            reach: true,
            thrift: Thrift::None,
            progress: &events.progress,
        })?;
        for (test, passed) in ran.reached {
            for unit in passed {
                if let Some(tests) = reached.get_mut(unit as usize) {
                    tests.insert(test);
                }
            }
        }
    }
    Ok(reached)
}
