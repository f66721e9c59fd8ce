//! From arguments to a request, from the result to the terminal.

use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::cli::exit::Exit;
use crate::cli::harvest::choose_language;
use crate::cli::harvest::fetch_all;
use crate::cli::harvest::git_options;
use crate::cli::ops::source;
use crate::cli::output::as_json;
use crate::cli::output::print_text;
use crate::cli::output::write_out;
use crate::cli::progress;
use crate::cli::sources;
use crate::cli::sources::NamedSource;
use crate::cli::sources::SourceOrigin;
use crate::cli::target::fit;
use crate::cli::target::model_wish;
use crate::control::Progress;
use crate::control::Shard;
use crate::history::identify;
use crate::langdef::LangDef;
use crate::operator::OperatorSet;
use crate::pipeline::coupling::Coupling;
use crate::pipeline::coupling::CouplingRequest;
use crate::pipeline::coupling::FixLimits;
use crate::pipeline::coupling::Subject;
use crate::pipeline::coupling::columns;
use crate::pipeline::shipped_set;
use crate::report::CouplingDocument;

use super::args::CouplingArgs;
use super::page::page;
use super::show::list;
use super::show::summary;
use super::tested;

/// Runs the command.
pub fn run(args: &CouplingArgs) -> Result<Exit> {
    progress::catch_interrupt()?;
    let shard = part(args)?;
    let typed = if args.sources.is_empty() { vec![".".to_owned()] } else { args.sources.clone() };
    let mut named = sources::parse(&typed, &[], &[])?;
    let (interrupted, incomplete) = fetch_all(&mut named, &args.history, args.quiet, |_| false)?;
    if interrupted {
        return Ok(Exit::Interrupted);
    }
    sources::name_repositories(&mut named, |path| identify(path, None).ok().and_then(|who| who.origin));
    let def = choose_language(&args.language, args.history.branch.as_deref(), &named)?;
    let subjects = named.into_iter().map(subject).collect::<Result<Vec<_>>>()?;
    let columns = columns(&sets(args, &def)?, &def)?;
    let mut usual = fit(&args.fit)?;
    if let Some(wish) = model_wish(&args.fit) {
        usual = usual.learned_for(def.name(), wish)?;
    }
    let request = CouplingRequest {
        def: &def,
        git: &git_options(&args.history, &def)?,
        columns: &columns,
        fit: &usual,
        limits: FixLimits {
            lines: args.fixes.lines,
            most: args.fixes.fixes,
            with_test: args.fixes.with_test,
            around: args.fixes.around,
        },
    };
    if args.tested.test {
        return tested::run(args, &def, request, &subjects, shard, incomplete);
    }
    let coupling = gather(&request, &subjects, args.quiet)?;
    coupling.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    show(args, &coupling, &def)?;
    Ok(match (coupling.stopped, incomplete || coupling.fixes.is_empty() || !coupling.warnings.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Incomplete,
        (false, false) => Exit::Fine,
    })
}

/// The requested part of the fixes.
fn part(args: &CouplingArgs) -> Result<Option<Shard>> {
    let Some(shard) = args.tested.shard.shard()? else { return Ok(None) };
    if !args.tested.test || args.tested.keep.is_none() {
        bail!("--shard {shard} needs --test and --keep DIR: the results of all parts are merged there");
    }
    if args.json || args.list || args.html.is_some() {
        bail!(
            "--shard {shard} only writes results to --keep DIR; run all parts without --json, --list and \
             --html, then run the same command without --shard to merge them"
        );
    }
    Ok(Some(shard))
}

/// Asks repository by repository, with a bar for each.
fn gather(request: &CouplingRequest, subjects: &[Subject], quiet: bool) -> Result<Coupling> {
    let mut all = Coupling::new(request.columns.iter().map(|column| column.name.clone()));
    for subject in subjects {
        let progress = Progress::default();
        progress::watch(&progress, &subject.name, "fixes", quiet, || {
            request.run(subject, &progress, &mut all)
        })?;
        if progress.stopped() {
            break;
        }
    }
    Ok(all)
}

fn subject(source: NamedSource) -> Result<Subject> {
    match source.origin {
        SourceOrigin::Repository(path) => Ok(Subject { name: source.name, path }),
        _ => bail!("{}: not a git repository; coupling reads the history of one", source.name),
    }
}

/// The sets that are compared: those that are named, or all shipped ones.
fn sets(args: &CouplingArgs, def: &LangDef) -> Result<Vec<OperatorSet>> {
    if args.ops.is_empty() {
        let mut sets = vec![shipped_set("classic", def.name())?];
        sets.extend(shipped_set("wild", def.name()));
        return Ok(sets);
    }
    let one = |name: &String| match Path::new(name).is_file() {
        true => source::read(Path::new(name)),
        false => Ok(shipped_set(name, def.name())?),
    };
    args.ops.iter().map(one).collect()
}

fn show(args: &CouplingArgs, coupling: &Coupling, def: &LangDef) -> Result<()> {
    if args.html.is_some() {
        write_out(args.html.as_deref(), &page(coupling, &def.file.title))?;
    }
    if args.json {
        let document = CouplingDocument::new(coupling, def.name());
        return write_out(None, &as_json(&document)?);
    }
    let mut text = summary(coupling, &def.file.title);
    if args.list {
        text.push('\n');
        text.push_str(&list(coupling));
    }
    print_text(&text)
}
