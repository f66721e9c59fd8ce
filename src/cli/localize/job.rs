//! `wildcaught localize`: arguments to an input, the input to rankings, rankings to text, page or JSON.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use crate::analysis::localize::Method;
use crate::control::Shard;
use crate::matrix::Fate;
use crate::pipeline::ALL_SETS;
use crate::pipeline::localize::FaultSource;
use crate::pipeline::localize::GatherEnd;
use crate::pipeline::localize::Gathered;
use crate::pipeline::localize::InputFiles;
use crate::pipeline::localize::Localization;
use crate::pipeline::localize::LocalizeInput;
use crate::pipeline::localize::RankRequest;
use crate::pipeline::localize::chosen_methods;
use crate::report::Align;
use crate::report::EffectFigures;
use crate::report::LocalizeDocument;
use crate::report::Table;
use crate::report::counted;
use crate::report::shortcoming_text;

use super::super::exit::Exit;
use super::super::gather::Gather;
use super::super::output::as_json;
use super::super::output::print_text;
use super::super::output::write_out;
use super::super::output::write_result;
use super::super::settings::duration;
use super::super::settings::settings;
use super::args::LocalizeArgs;
use super::args::TruthArgs;
use super::args::ViewArgs;
use super::audit::effects_text;
use super::compare;
use super::page;
use super::show;
use super::source::changed_lines;

/// Runs the command.
pub fn run(args: &LocalizeArgs) -> Result<Exit> {
    if args.methods {
        return list_methods();
    }
    if !args.compare.is_empty() {
        return compare::run(&args.compare, args.view.compared(), args.view.json);
    }
    let mut view = args.view.clone();
    let input = match from_files(args) {
        Some(files) => LocalizeInput::read(&files)?,
        None => match from_source(args, &mut view)? {
            Ok(input) => input,
            Err(exit) => return Ok(exit),
        },
    };
    let faults = fault_source(&args.truth);
    let faults = faults.map(|source| source.read(&input.spectrum, view.root())).transpose()?;
    let request = RankRequest {
        input: &input,
        methods: chosen_methods(&view.method, input.changes.is_some())?,
        by: view.by.into(),
        test: args.tests.test.as_deref(),
        faults: faults.as_deref(),
    };
    shown(&request.run()?, &view, &args.run.out)
}

/// The files that the arguments name; none if mutants are to be run.
fn from_files(args: &LocalizeArgs) -> Option<InputFiles<'_>> {
    Some(InputFiles {
        matrix: args.matrix.as_deref()?,
        failing: args.tests.failing.as_deref(),
        coverage: args.tests.coverage.as_deref(),
        mutant_coverage: args.tests.mutant_coverage.as_deref(),
        root: args.view.root(),
    })
}

/// Runs the mutants of a project in which tests fail.
fn from_source(args: &LocalizeArgs, view: &mut ViewArgs) -> Result<Result<LocalizeInput, Exit>> {
    let settings = settings(&args.run.config)?;
    view.root.get_or_insert_with(|| settings.root.clone());
    let mut target = args.target.clone();
    if target.ops.is_empty() {
        // Classic ones reach most statements; what was mined from fixes repairs more.
        target.ops.push(ALL_SETS.into());
    }
    let methods = chosen_methods(&view.method, false)?;
    let gather = Gather {
        args: &args.run,
        target: &target,
        settings: &settings,
        operators: &[],
        mutants: methods.iter().any(|method| method.asks_mutants()),
        thorough: methods.iter().any(|method| method.needs_all_tests()),
        audit: args.audit,
        shard: args.part.shard()?,
        max: args.max.map(|max| max as usize),
        budget: args.budget.as_deref().map(|text| duration("--budget", text)).transpose()?,
        partial: args.part.shard()?.is_none(),
    };
    if let Some(shard) = gather.shard {
        return Ok(gather.run()?.and_then(|gathered| Err(tell_part(&gathered, shard))));
    }
    Ok(gather.run()?.map(|gathered| LocalizeInput::from_run(gathered, view.root())))
}

/// Says that a part was run: what all of them show, who puts them together says.
fn tell_part(gathered: &Gathered, shard: Shard) -> Exit {
    let matrix = &gathered.matrix;
    let ran = counted(matrix.mutants.len() as u64, "mutant");
    tell!(
        "part {shard}: {ran} run; to rank, run `wildcaught merge` on all parts, then `wildcaught localize \
         --matrix DIR`"
    );
    match matrix.counts().contains_key(&Fate::Untested) {
        true => Exit::Incomplete,
        false => Exit::Fine,
    }
}

fn fault_source(args: &TruthArgs) -> Option<FaultSource<'_>> {
    let list = args.faults.as_deref().map(FaultSource::List);
    let diff = args.fix_diff.as_deref().map(FaultSource::Diff);
    list.or(diff).or(args.fixed.as_deref().map(FaultSource::Fixed))
}

/// Prints the warnings and the result.
fn shown(result: &Localization, view: &ViewArgs, out: &Path) -> Result<Exit> {
    let Localization { found, shortcomings, .. } = result;
    let audit = EffectFigures::of(result);
    for shortcoming in shortcomings {
        tell!("warning: {}", shortcoming_text(shortcoming));
    }
    if let Some(file) = &view.html {
        write_result(out, Some(file), &page::page(found, view))?;
    }
    if view.json {
        let top = view.limit().unwrap_or(usize::MAX);
        let document = LocalizeDocument::new(result, top, &|row| changed_lines(row, view.root()));
        write_result(out, None, &as_json(&document)?)?;
    } else {
        let audit = audit.as_ref().map(effects_text).unwrap_or_default();
        print_text(&(show::text(found, view) + &audit))?;
    }
    Ok(match audit {
        _ if result.ran.is_some_and(|ran| ran.end == GatherEnd::Stopped) => Exit::Interrupted,
        Some(audit) if audit.agreed < audit.tried => Exit::Disagreement,
        _ if shortcomings.is_empty() => Exit::Fine,
        _ => Exit::Incomplete,
    })
}

fn list_methods() -> Result<Exit> {
    let mut table = Table::new(&[("method", Align::Left), ("goes by", Align::Left)]);
    Method::all().for_each(|method| table.row(vec![method.name().to_owned(), method.says().to_owned()]));
    let mut text = table.to_string();
    let _ = writeln!(
        text,
        "\nef, ep: number of failing and passing tests that execute a statement; nf, np: number that do not. \
         0/0 counts as 0."
    );
    write_out(None, &text)?;
    Ok(Exit::Fine)
}
