//! `wildcaught repair`: from arguments to a request, and from its result to what is shown.

use std::collections::BTreeSet;

use anyhow::Result;
use anyhow::bail;

use crate::control::Events;
use crate::engine::TestError;
use crate::insert::Inserter;
use crate::insert::slots::FAMILIES;
use crate::insert::slots::Family;
use crate::matrix::RunDir;
use crate::pipeline::Prepared;
use crate::pipeline::Subject;
use crate::pipeline::repair;
use crate::pipeline::repair::RepairError;
use crate::pipeline::repair::RepairRequest;
use crate::pipeline::repair::RepairResult;
use crate::report::documents::PatchDocument;
use crate::report::documents::RepairDocument;
use crate::runner::RunError;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_result;
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
use super::apply::keep;
use super::args::RepairArgs;
use super::page::page;
use super::show::count_table;
use super::show::ending;
use super::show::families;
use super::show::patch_text;
use super::show::text;

/// Runs the command.
pub fn run(args: &RepairArgs) -> Result<Exit> {
    if args.families == ["help"] {
        print_text(&families())?;
        return Ok(Exit::Fine);
    }
    let settings = settings(&args.config)?;
    let request = request(args, settings.jobs(args.jobs))?;
    catch_interrupt()?;
    let prepared = prepare(&with_settings(&target(args), &settings))?;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let paths = settings.paths(target)?;
    let events = Events::default();
    let directory = RunDir::lock(&results(&args.out))?;
    let containment = contain(&args.sandbox.over(&settings.config.sandbox), args.quiet)?;
    let project = settings.project(&directory, containment, &events.progress)?;
    let subject = Subject { project: &project, inserter: &inserter, paths: &paths };
    if args.dry_run {
        print_text(&count_table(&paths, &repair::count_slots(&subject, &request)).to_string())?;
        return Ok(Exit::Fine);
    }
    let mut first = |patch: &_| {
        if !args.quiet && !args.json {
            tell!("first patch:\n{}", patch_text(&PatchDocument::new(patch, 1, &subject)));
        }
    };
    let result = watch(&events, args.quiet, || repair::run(&request, &subject, &events, &mut first));
    let result = match result {
        Ok(result) => result,
        Err(error) => return failed(error),
    };
    let document = RepairDocument::new(&result, &subject);
    keep(directory.path(), &document)?;
    if let Some(file) = &args.html {
        let ending = ending(&document, &request, directory.path());
        write_result(&args.out, Some(file), &page(&document, &ending))?;
    }
    print_text(&if args.json { as_json(&document)? } else { text(&document, &request, directory.path()) })?;
    Ok(exit(&result, &events))
}

fn exit(result: &RepairResult, events: &Events) -> Exit {
    match result.patches.is_empty() {
        _ if events.progress.stopped() => Exit::Interrupted,
        true => Exit::Incomplete,
        false => Exit::Fine,
    }
}

/// What a repair without a result exits with.
fn failed(error: RepairError) -> Result<Exit> {
    match error {
        RepairError::Test(TestError::Run(RunError::Stopped)) => Ok(Exit::Interrupted),
        RepairError::Test(TestError::Baseline(why)) => {
            tell!("error: {why}");
            Ok(Exit::Baseline)
        }
        error => Err(error.into()),
    }
}

/// What was typed, as a request.
fn request(args: &RepairArgs, jobs: usize) -> Result<RepairRequest> {
    if args.degree == 0 || args.top == 0 {
        bail!("--degree and --top must be at least 1");
    }
    let family = |name: &String| match Family::of_name(name) {
        Some(family) => Ok(family),
        None => {
            let names: Vec<&str> = FAMILIES.iter().map(|row| row.name).collect();
            bail!("--families: unknown family {name:?}; known are {}", names.join(", "))
        }
    };
    Ok(RepairRequest {
        search: args.search.into(),
        budget: duration("--budget", &args.budget)?,
        degree: args.degree,
        top: args.top,
        families: args.families.iter().map(family).collect::<Result<BTreeSet<_>>>()?,
        all: args.all,
        held_out: args.held_out.clone(),
        seed: args.seed,
        jobs,
    })
}

/// What was typed, as commands that insert mutants have it.
fn target(args: &RepairArgs) -> TargetArgs {
    TargetArgs {
        paths: args.paths.clone(),
        ops: vec![],
        language: args.language.clone(),
        fit: FitArgs::of(FitArg::Sane),
        files: args.files.clone(),
    }
}
