//! `wildcaught test`: arguments → request → run → result.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;

use crate::control::Events;
use crate::engine::EngineChoice;
use crate::engine::Until;
use crate::insert::Description;
use crate::insert::Inserter;
use crate::insert::describe;
use crate::matrix::Earlier;
use crate::matrix::RunDir;
use crate::pipeline::TargetRequest;
use crate::pipeline::test::AuditChoice;
use crate::pipeline::test::MutantChoice;
use crate::pipeline::test::Remember;
use crate::pipeline::test::TestRequest;
use crate::report::RunNotes;
use crate::report::thousands;
use crate::runner::plain_line;
use crate::text::one_line;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::report::Finished;
use super::super::report::after_test;
use super::super::sandbox::contain;
use super::super::settings::Settings;
use super::super::settings::results;
use super::super::settings::settings;
use super::super::settings::with_settings;
use super::super::target::find_mutants;
use super::super::target::prepare;
use super::super::watch::ended;
use super::super::watch::watch;
use super::args::EngineArg;
use super::args::MatrixArg;
use super::args::TestArgs;
use super::gate::Gate;
use super::show::result;
use crate::pipeline::Prepared;

/// Mutants that a dry run lists.
const LISTED: usize = 10;

/// Runs the command.
pub fn run(args: &TestArgs) -> Result<Exit> {
    let settings = settings(&args.run.config)?;
    let prepared = prepare(&with_settings(&args.target, &settings))?;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let Some(all) = find_mutants(&inserter, args.run.quiet)? else { return Ok(Exit::Interrupted) };
    let choice = choice(args)?;
    let mutants = choice.mutants(&inserter, &all)?;
    if mutants.is_empty() {
        return Ok(nothing(args));
    }
    let there: usize = all.iter().map(|file| file.mutants.len()).sum();
    if !args.run.quiet {
        announce(&choice, &settings, mutants.len(), there);
    }
    if args.run.dry_run {
        let first = &mutants[..mutants.len().min(LISTED)];
        return dry_run(&settings, mutants.len(), &describe(&inserter, first), args.run.audit);
    }
    let paths = settings.paths(target)?;
    let sources = sources(args, &settings);
    let sources = sources.as_ref().map(|(whole, paths)| (whole.inserter(), &paths[..]));
    let events = Events::default();
    let out = RunDir::lock(&results(&args.run.out))?;
    let containment = contain(&args.run.sandbox.over(&settings.config.sandbox), args.run.quiet)?;
    let request = TestRequest {
        project: &settings.project(&out, containment, &events.progress)?,
        out: &out,
        inserter: &inserter,
        mutants,
        paths: &paths,
        sources: sources.as_ref().map(|(inserter, paths)| (inserter, *paths)),
        earlier: earlier(args, &choice),
        remember: remember(args),
        engine: engine(args),
        until: if args.run.matrix == MatrixArg::Full { Until::All } else { Until::FirstKill },
        jobs: settings.jobs(args.run.jobs),
        compare: !args.run.no_tce,
        keep: args.run.keep,
        audit: audit(args),
    };
    match ended(watch(&events, args.run.quiet, || request.run(&events)))? {
        Ok(tested) => {
            let mut notes = RunNotes::new(&inserter, &request.mutants);
            notes.seconds = tested.took.as_secs_f64();
            let whole = !choice.is_selected();
            let finished =
                Finished { root: &settings.root, out: out.path(), matrix: &tested.matrix, notes, whole };
            let kept = after_test(finished)?;
            let gate = Gate::new(args, &tested.matrix, &kept, whole)?;
            result(args, &settings.root, &tested, &gate)
        }
        Err(exit) => Ok(exit),
    }
}

/// All sources that the settings name, where the user named some of them; none if there are none.
fn sources(args: &TestArgs, settings: &Settings) -> Option<(Prepared, Vec<PathBuf>)> {
    let mut request = TargetRequest::of_settings(&settings.root, &settings.config);
    request.language = args.target.language.language.clone().or(request.language);
    let whole = (!args.target.paths.is_empty()).then(|| request.run().ok()).flatten()?;
    let paths = whole.inside(&settings.root);
    Some((whole, paths))
}

fn audit(args: &TestArgs) -> Option<AuditChoice> {
    let count = args.run.audit? as usize;
    Some(AuditChoice { count, seed: args.choice.seed })
}

fn choice(args: &TestArgs) -> Result<MutantChoice> {
    let shard = args.run.shard.as_deref().map(str::parse).transpose()?;
    Ok(MutantChoice { selection: args.choice.selection(), all: args.run.all, shard })
}

/// Where nothing can be tested, that may be what the user wanted to know.
fn nothing(args: &TestArgs) -> Exit {
    if args.target.files.in_diff.is_some() {
        tell!("nothing to test: the diff touches no line with a mutant");
        return Exit::Fine;
    }
    tell!("no mutant to test; `wildcaught mutate` says what became of every place");
    Exit::Incomplete
}

fn earlier(args: &TestArgs, choice: &MutantChoice) -> Earlier {
    match args.run.resume {
        true => Earlier::Resumed,
        false if choice.is_selected() => Earlier::Updated,
        false => Earlier::Replaced,
    }
}

fn remember(args: &TestArgs) -> Remember {
    match (args.run.fresh, args.run.survived) {
        (true, _) => Remember::Nothing,
        (_, true) => Remember::AllButMissed,
        _ => Remember::WhatHolds,
    }
}

fn engine(args: &TestArgs) -> EngineChoice {
    match args.run.engine {
        EngineArg::Auto => EngineChoice::Auto,
        EngineArg::Switch => EngineChoice::Switch,
        EngineArg::Classic => EngineChoice::Classic,
    }
}

fn announce(choice: &MutantChoice, settings: &Settings, chosen: usize, there: usize) {
    let drawn = if chosen == there {
        format!("{} mutants", thousands(there as u64))
    } else {
        format!("{} of {} mutants", thousands(chosen as u64), thousands(there as u64))
    };
    let more = if chosen < there && choice.is_default_draw() { "; --all tests every one" } else { "" };
    tell!("{drawn}, tested as {} says{more}", settings.from);
}

fn dry_run(settings: &Settings, mutants: usize, first: &[Description], audit: Option<u32>) -> Result<Exit> {
    let config = &settings.config;
    let build = config.build.command.as_deref().unwrap_or("(nothing, or javac)");
    let test = config.tests.style.command().unwrap_or(config.tests.style.name());
    let mut text = format!("build:   {build}\ntest:    {test}\nmutants: {}\n", thousands(mutants as u64));
    if let Some(count) = audit {
        let line = plain_line(config, &settings.root, &[]).ok().flatten();
        let line = line.unwrap_or_else(|| format!("each test of {}", config.tests.style.name()));
        let _ = writeln!(text, "audit:   {count} verdicts of each fate, in fresh copies, by: {line}");
    }
    for mutant in first {
        let place = format!("{}:{}", mutant.file.display(), mutant.line);
        let line = format!("  {}  {place}  {} → {}", mutant.id, mutant.before, mutant.after);
        let _ = writeln!(text, "{}", one_line(&line));
    }
    print_text(&text)?;
    Ok(Exit::Fine)
}
