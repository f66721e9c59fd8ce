//! `coupling --test`: from arguments to a request, fix by fix.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use anyhow::Result;

use crate::cli::exit::Exit;
use crate::cli::output::as_json;
use crate::cli::output::print_text;
use crate::cli::output::write_out;
use crate::cli::progress;
use crate::cli::sandbox::contain;
use crate::cli::settings::duration;
use crate::cli::settings::outer;
use crate::control::Events;
use crate::control::Progress;
use crate::control::Shard;
use crate::exec::SandboxPolicy;
use crate::harness::Config;
use crate::langdef::LangDef;
use crate::pipeline::coupling::CouplingRequest;
use crate::pipeline::coupling::FixLimits;
use crate::pipeline::coupling::Subject;
use crate::pipeline::coupling::tested::FoundFix;
use crate::pipeline::coupling::tested::FoundFixes;
use crate::pipeline::coupling::tested::KeptFixes;
use crate::pipeline::coupling::tested::TestedCoupling;
use crate::pipeline::coupling::tested::TestedFix;
use crate::pipeline::coupling::tested::TestedRequest;
use crate::report::CouplingTestDocument;
use crate::text::one_line;

use super::args::CouplingArgs;
use super::tested_page::page;
use super::tested_show::found_line;
use super::tested_show::list;
use super::tested_show::result_line;
use super::tested_show::summary;

/// Runs the command.
pub fn run(
    args: &CouplingArgs,
    def: &LangDef,
    coupling: CouplingRequest,
    subjects: &[Subject],
    shard: Option<Shard>,
    incomplete: bool,
) -> Result<Exit> {
    let typed = &args.tested;
    let config = typed.config.as_ref().map(|path| {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok::<_, anyhow::Error>(Config::parse(&text, &path.display().to_string())?)
    });
    let config = config.transpose()?;
    let budget = typed.budget.as_deref().map(|text| duration("--budget", text)).transpose()?;
    let usual = SandboxPolicy::default();
    let sandbox = typed.sandbox.over(config.as_ref().map_or(&usual, |config| &config.sandbox));
    let containment = if typed.dry_run { None } else { Some(contain(&sandbox, args.quiet)?) };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let limits = FixLimits { with_test: false, ..coupling.limits };
    let coupling = CouplingRequest { limits, ..coupling };
    let kept = |directory: &PathBuf| {
        KeptFixes::new(directory, &coupling, config.as_ref(), typed.most).for_part(shard)
    };
    let request = TestedRequest {
        kept: typed.keep.as_ref().map(kept),
        coupling,
        config: config.as_ref(),
        sandbox: &sandbox,
        outer: outer(),
        most: typed.most,
        each: duration("--each", &typed.each)?,
        jobs: typed.jobs.unwrap_or_else(cores).max(1),
    };
    let columns = request.coupling.columns.iter().map(|column| column.name.clone());
    let mut all = TestedCoupling { columns: columns.collect(), ..TestedCoupling::default() };
    all.protection = containment.map(|containment| containment.protection().clone());
    let end = budget.map(|budget| Instant::now() + budget);
    let mut part = Part { shard, found: 0, known: 0 };
    for subject in subjects {
        let mut found = find(&request, subject, args.quiet, &mut all)?;
        part.choose(subject, &mut found);
        if typed.dry_run {
            show_found(subject, &found)?;
            continue;
        }
        part.known += measure_all(&request, &found, end, args.quiet, &mut all);
    }
    match shard {
        Some(shard) if !typed.dry_run => Ok(part.finish(shard, &all, incomplete)),
        _ => finish(args, def, &all, incomplete),
    }
}

/// The fixes of one part of the work.
struct Part {
    shard: Option<Shard>,
    /// Fixes of all parts.
    found: usize,
    /// Those of this part that earlier runs measured.
    known: usize,
}

impl Part {
    /// Leaves only the fixes of this part.
    fn choose(&mut self, subject: &Subject, found: &mut FoundFixes) {
        self.found += found.fixes.len();
        if let Some(shard) = self.shard {
            found.fixes.retain(|fix| shard.owns(&format!("{} {}", subject.name, fix.commit)));
        }
    }

    /// Prints their results.
    fn finish(&self, shard: Shard, all: &TestedCoupling, incomplete: bool) -> Exit {
        all.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
        let (Self { found, known, .. }, mine) = (self, all.fixes.len() + all.not_reached);
        tell!(
            "part {shard}: {mine} of {found} fixes; {} measured now, {known} known before, {} not reached\n\
             to merge all parts, run the same command without --shard",
            all.fixes.len() - known,
            all.not_reached
        );
        exit(all, incomplete || *found == 0)
    }
}

fn find<'s>(
    request: &TestedRequest,
    subject: &'s Subject,
    quiet: bool,
    all: &mut TestedCoupling,
) -> Result<FoundFixes<'s>> {
    let progress = Progress::default();
    let found =
        progress::watch(&progress, &subject.name, "fixes", quiet, || request.find(subject, &progress, all));
    Ok(found?)
}

/// Measures fix after fix, until the time is up or the user wants no more. What is known takes no time; returns how
/// many.
fn measure_all(
    request: &TestedRequest,
    found: &FoundFixes,
    end: Option<Instant>,
    quiet: bool,
    all: &mut TestedCoupling,
) -> usize {
    let count = found.fixes.len();
    let mut already = 0;
    for (number, fix) in found.fixes.iter().enumerate() {
        let known = request.known(found, fix);
        already += usize::from(known.is_some());
        let over = end.is_some_and(|end| Instant::now() >= end) || all.stopped;
        let tested = match known {
            Some(known) => Some((known, " (known)")),
            None if over => None,
            None => measure(request, found, fix, &label(number, count, fix), quiet, all),
        };
        let Some((tested, known)) = tested else {
            all.not_reached += 1;
            continue;
        };
        if !quiet {
            tell!("{}{known}", result_line(&tested, &all.columns));
        }
        all.fixes.push(tested);
    }
    already
}

/// Measures a fix and keeps the result, with a bar; none if the user wants no more.
fn measure(
    request: &TestedRequest,
    found: &FoundFixes,
    fix: &FoundFix,
    label: &str,
    quiet: bool,
    all: &mut TestedCoupling,
) -> Option<(TestedFix, &'static str)> {
    let events = Events::default();
    let tested =
        progress::watch(&events.progress, label, "mutants", quiet, || request.measure(found, fix, &events));
    let Some(tested) = tested else {
        all.stopped = true;
        return None;
    };
    if let Err(error) = request.keep(&tested) {
        let place = format!("{} {:.10}", tested.repository, tested.commit);
        all.warnings.push(format!(
            "{place}: the result could not be stored and will be measured again in later runs: {error}"
        ));
    }
    Some((tested, ""))
}

fn label(number: usize, count: usize, fix: &FoundFix) -> String {
    let place = format!("{}:{}", fix.path, fix.line);
    format!("{}/{count} {:.10} {}", number + 1, fix.commit, one_line(&place))
}

fn show_found(subject: &Subject, found: &FoundFixes) -> Result<()> {
    let mut text = String::new();
    for fix in &found.fixes {
        text.push_str(&found_line(&subject.name, fix));
        text.push('\n');
    }
    print_text(&text)
}

fn finish(args: &CouplingArgs, def: &LangDef, all: &TestedCoupling, incomplete: bool) -> Result<Exit> {
    all.warnings.iter().for_each(|warning| tell!("warning: {warning}"));
    if !args.tested.dry_run {
        show(args, def, all)?;
    }
    let nothing = all.fixes.is_empty() && !args.tested.dry_run;
    Ok(exit(all, incomplete || nothing))
}

fn exit(all: &TestedCoupling, incomplete: bool) -> Exit {
    match (all.stopped, incomplete || !all.warnings.is_empty() || all.not_reached > 0) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Incomplete,
        (false, false) => Exit::Fine,
    }
}

fn show(args: &CouplingArgs, def: &LangDef, all: &TestedCoupling) -> Result<()> {
    if args.html.is_some() {
        write_out(args.html.as_deref(), &page(all, &def.file.title))?;
    }
    if args.json {
        return write_out(None, &as_json(&CouplingTestDocument::new(all, def.name()))?);
    }
    let mut text = summary(all, &def.file.title);
    if args.list {
        text.push('\n');
        text.push_str(&list(all));
    }
    print_text(&text)
}
