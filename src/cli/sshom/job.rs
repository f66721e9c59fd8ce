//! `wildcaught sshom`: from arguments to a request, and from its result to what is shown.

use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;
use num_bigint::BigUint;

use crate::control::Events;
use crate::engine::TestError;
use crate::insert::Inserter;
use crate::langdef::LangDef;
use crate::matrix::RunDir;
use crate::pipeline::Subject;
use crate::pipeline::sshom;
use crate::pipeline::sshom::SshomError;
use crate::pipeline::sshom::SshomRequest;
use crate::pipeline::sshom::SshomResult;
use crate::pipeline::sshom::points::PointCandidates;
use crate::pipeline::sshom::points::PointCount;
use crate::pipeline::sshom::points::PointProgram;
use crate::pipeline::sshom::points::build;
use crate::report::Align;
use crate::report::Table;
use crate::report::counted;
use crate::report::documents::SshomDocument;
use crate::report::thousands;
use crate::runner::RunError;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_out;
use super::super::progress::catch_interrupt;
use super::super::sandbox::contain;
use super::super::settings::duration;
use super::super::settings::results;
use super::super::settings::settings;
use super::super::settings::with_settings;
use super::super::target::FitArg;
use super::super::target::FitArgs;
use super::super::target::TargetArgs;
use super::super::target::prepare;
use super::super::watch::watch;
use super::args::ProgramArgs;
use super::page::page;
use super::view::ResultView;
use super::which;
use crate::pipeline::Prepared;

/// Runs the command.
pub fn run(args: &ProgramArgs) -> Result<Exit> {
    let request = request(args)?;
    catch_interrupt()?;
    let settings = settings(&args.config)?;
    let prepared = prepare(&with_settings(&target(args), &settings))?;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    check_kinds(args, def)?;
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let paths = settings.paths(target)?;
    if args.dry_run {
        let counts = PointCandidates::find(&inserter, &paths, &args.kinds).count();
        print_text(&count_table(&paths, &counts).to_string())?;
        return Ok(Exit::Fine);
    }
    let events = Events::default();
    let directory = RunDir::lock(&results(&args.out))?;
    let containment = contain(&args.sandbox.over(&settings.config.sandbox), args.quiet)?;
    let project = settings.project(&directory, containment, &events.progress)?;
    let subject = Subject { project: &project, inserter: &inserter, paths: &paths };
    match watch(&events, args.quiet, || search(args, &request, &subject, settings.jobs(args.jobs), &events)) {
        Ok((text, exit)) => {
            print_text(&text)?;
            Ok(exit)
        }
        Err(error) => failed(error),
    }
}

/// What was typed, as a request.
fn request(args: &ProgramArgs) -> Result<SshomRequest> {
    if args.max_order.is_some_and(|order| order < 2) {
        bail!("--max-order must be at least 2");
    }
    Ok(SshomRequest {
        searches: args.search.iter().map(|search| (*search).into()).collect(),
        budget: args.budget.as_deref().map(|text| duration("--budget", text)).transpose()?,
        max_looked: args.max_looked,
        max_order: args.max_order,
        which: which(args.strict),
        seed: args.seed,
        list: (args.list > 0).then_some(args.list),
        verify: args.verify,
    })
}

fn check_kinds(args: &ProgramArgs, def: &LangDef) -> Result<()> {
    let kinds = &def.file.switch.points.kind;
    if kinds.is_empty() {
        bail!("sshom does not support {}: its language definition has no [switch.points]", def.file.name);
    }
    if let Some(wrong) = args.kinds.iter().find(|name| kinds.iter().all(|kind| kind.name != **name)) {
        bail!("--kinds: unknown kind {wrong:?}; known are relational, arithmetic and logical");
    }
    Ok(())
}

/// Builds, searches, and writes all files that were asked for; gives what is printed.
fn search(
    args: &ProgramArgs,
    request: &SshomRequest,
    subject: &Subject,
    jobs: usize,
    events: &Events,
) -> Result<(String, Exit)> {
    let mut program = build(subject, &args.kinds, jobs, events).map_err(SshomError::from)?;
    announce(args, &program);
    let result = sshom::run(request, subject, &mut program, events)?;
    let view = ResultView { subject, program: &program, result: &result };
    if let Some(directory) = &args.patches {
        view.write_patches(directory)?;
    }
    if let Some(file) = &args.svg {
        write_out(Some(file), &view.curves())?;
    }
    if let Some(file) = &args.html {
        write_out(Some(file), &page(&view))?;
    }
    let text = match args.json {
        true => as_json(&SshomDocument::new(&result, &program, subject.project.containment.protection()))?,
        false => view.text(),
    };
    Ok((text, exit(&result, events)))
}

fn exit(result: &SshomResult, events: &Events) -> Exit {
    match &result.differing {
        _ if events.progress.stopped() => Exit::Interrupted,
        Some(differing) if !differing.is_empty() => Exit::Findings,
        _ if result.figures.count() == BigUint::ZERO => Exit::Incomplete,
        _ => Exit::Fine,
    }
}

/// What a search without a result exits with.
fn failed(error: anyhow::Error) -> Result<Exit> {
    match error.downcast_ref() {
        Some(SshomError::Test(TestError::Run(RunError::Stopped))) => Ok(Exit::Interrupted),
        Some(SshomError::Test(TestError::Baseline(why))) => {
            tell!("error: {why}");
            Ok(Exit::Baseline)
        }
        _ => Err(error),
    }
}

/// The points of each file, and their mutants.
fn count_table(paths: &[PathBuf], counts: &[PointCount]) -> Table {
    let mut table = Table::new(&[("points", Align::Right), ("mutants", Align::Right), ("file", Align::Left)]);
    let mut put = |count: PointCount, file: String| {
        table.row(vec![thousands(count.points as u64), thousands(count.mutants as u64), file]);
    };
    let mut all = PointCount::default();
    for (count, path) in counts.iter().zip(paths) {
        put(*count, path.display().to_string());
        all = PointCount { points: all.points + count.points, mutants: all.mutants + count.mutants };
    }
    put(all, "in all".into());
    table
}

fn announce(args: &ProgramArgs, program: &PointProgram) {
    if program.dropped > 0 {
        tell!("note: {} places look like operators, but no exchange there compiles", program.dropped);
    }
    if !args.quiet {
        tell!(
            "{} at {}, {}",
            counted(program.points.mutants() as u64, "mutant"),
            counted(program.points.len() as u64, "point"),
            counted(program.tests.len() as u64, "test")
        );
    }
}

/// What was typed, as commands that insert mutants have it.
fn target(args: &ProgramArgs) -> TargetArgs {
    let fit = FitArgs::of(FitArg::Sane);
    TargetArgs {
        paths: args.paths.clone(),
        ops: vec![],
        language: args.language.clone(),
        fit,
        files: args.files.clone(),
    }
}
