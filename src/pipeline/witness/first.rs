//! The first run: whether the given program shows a fault at all, how, and what it executes.

use std::time::Duration;
use std::time::Instant;

use crate::analysis::witness::Trace;
use crate::control::Events;
use crate::control::Phase;

use super::coverage::BrokenProgram;
use super::elements::ElementTable;
use super::error::WitnessError;
use super::judge::Failure;
use super::judge::Judge;
use super::judge::Judged;
use super::request::CoverageSource;
use super::request::Expected;
use super::request::Oracle;
use super::request::WitnessRequest;

/// How the given program fails, what it executes, and how long all of that took.
pub struct First {
    pub failure: Failure,
    pub trace: Trace,
    /// Functions that it was in when it crashed or was ended, the innermost first.
    pub stack: Vec<String>,
    pub took: Duration,
}

/// Runs the given program: with less of the sandbox if it does not fail, with signals caught if it crashes, hangs or
/// leaves no coverage.
pub fn first_run(
    request: &WitnessRequest,
    broken: &mut BrokenProgram,
    events: &Events,
    table: &mut ElementTable,
) -> Result<First, WitnessError> {
    events.enter(Phase::RunningProgram);
    let mut first = run_once(request, broken, events, table);
    if matches!(first, Err(WitnessError::Unjudged { .. } | WitnessError::Passes { .. }))
        && request.containment.share_temporary(true)
    {
        first = run_once(request, broken, events, table);
        if first.is_ok() {
            events.inform(
                "programs may write to /tmp and /dev/shm, since otherwise the failing program does not fail",
            );
        }
    }
    let ends_early = |first: &First| matches!(first.failure, Failure::Crash(_) | Failure::Hang);
    if first.as_ref().is_ok_and(|first| first.as_ref().is_none_or(ends_early)) {
        match broken.catch_crashes() {
            Ok(()) => first = run_once(request, broken, events, table),
            // Without, it is not known where it crashes, which is no reason to give up.
            Err(error) if matches!(first, Ok(Some(_))) => {
                events.warn(format!("cannot record where the program crashes: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    warn_of_reference(request, broken, events)?;
    first?.ok_or(WitnessError::NoCoverage { remedy: remedy(&request.coverage) })
}

/// Says where the reference itself fails with the given program: it is seldom meant to.
fn warn_of_reference(
    request: &WitnessRequest,
    broken: &BrokenProgram,
    events: &Events,
) -> Result<(), WitnessError> {
    let judge = judge(request, broken, events, request.timeout)?;
    if let Some(ended) = judge.reference_fails() {
        events.warn(format!(
            "the reference ends with {ended} on {}, and programs are compared with that; check the command of \
             --reference",
            request.name
        ));
    }
    Ok(())
}

/// What to do where a run leaves no coverage.
fn remedy(coverage: &CoverageSource) -> &'static str {
    match coverage {
        CoverageSource::Gcov => {
            "build the compiler or interpreter with `gcc --coverage` and keep its .gcno files where they were \
             made, or use --coverage reach, --coverage llvm or --coverage-command"
        }
        CoverageSource::Llvm { .. } => {
            "build the compiler or interpreter with `clang -fprofile-instr-generate -fcoverage-mapping`"
        }
        CoverageSource::Command(_) => "check that --coverage-command prints something after a run",
        CoverageSource::Reach { .. } => {
            "commands run in a copy of --sources: in --run, write a path relative to it, not an absolute one"
        }
    }
}

/// Runs the given program once; none if it leaves no coverage.
fn run_once(
    request: &WitnessRequest,
    broken: &BrokenProgram,
    events: &Events,
    table: &mut ElementTable,
) -> Result<Option<First>, WitnessError> {
    let judge = judge(request, broken, events, request.timeout)?;
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
                Oracle::Run { expected: Expected::Output(_), .. } => "it prints the expected output",
                Oracle::Run { .. } => "it behaves like the reference",
            };
            return Err(WitnessError::Passes { name: name(), why });
        }
    };
    let Some(executed) = tried.executed else { return Ok(None) };
    let trace = table.trace(&executed)?;
    let shown = table.check(&trace)?;
    Ok(shown.then_some(First { failure, trace, stack: tried.stack, took }))
}

/// A judge that knows how the reference ends with the given program.
pub fn judge<'a>(
    request: &'a WitnessRequest<'a>,
    broken: &'a BrokenProgram,
    events: &'a Events,
    timeout: Duration,
) -> Result<Judge<'a>, WitnessError> {
    let mut judge = Judge::new(request, broken, &events.progress)?;
    judge.timeout = timeout;
    judge.learn_reference()?;
    Ok(judge)
}
