//! `wildcaught sshom`: builds a project with operators that can be exchanged, and searches.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use anyhow::bail;
use num_bigint::BigUint;

use crate::control::Events;
use crate::control::Phase;
use crate::engine::TestError;
use crate::insert::Inserter;
use crate::insert::find_points;
use crate::matrix::RunDir;
use crate::pipeline::sshom::points::PointProgram;
use crate::pipeline::sshom::points::build;
use crate::report::Align;
use crate::report::Table;
use crate::report::thousands;
use crate::runner::RunError;

use super::super::exit::Exit;
use super::super::mutate::relative;
use super::super::output::write_out;
use super::super::progress::catch_interrupt;
use super::super::settings::Settings;
use super::super::settings::settings;
use super::super::settings::with_settings;
use super::super::target::FitArg;
use super::super::target::FitArgs;
use super::super::target::Prepared;
use super::super::target::TargetArgs;
use super::super::target::prepare;
use super::super::watch::watch;
use super::args::SourceArgs;
use super::figures::Figures;
use super::found::Alone;
use super::found::Search;
use super::list::Listing;
use super::page::page;

/// Runs the command.
pub fn run(args: &SourceArgs) -> Result<Exit> {
    if args.max_order.is_some_and(|order| order < 2) {
        bail!("--max-order: a combination has at least 2 mutants");
    }
    let budget = args.budget.as_deref().map(duration).transpose()?;
    catch_interrupt()?;
    let settings = settings(&args.config)?;
    let prepared = prepare(&with_settings(&target(args), &settings))?;
    let Prepared { def, arsenal, target, fit, .. } = &prepared;
    let kinds = &def.file.switch.points.kind;
    if kinds.is_empty() {
        bail!("operators of {} cannot be exchanged while it runs; see [switch.points]", def.file.name);
    }
    if let Some(wrong) = args.kinds.iter().find(|name| kinds.iter().all(|kind| kind.name != **name)) {
        bail!("--kinds: no kind {wrong:?}; there are relational, arithmetic and logical");
    }
    let inserter = Inserter { def, arsenal, target, fit: fit.clone() };
    let paths: Vec<PathBuf> =
        target.files.iter().map(|file| relative(&file.path, &settings.root)).collect::<Result<_>>()?;
    if args.dry_run {
        write_out(None, &points(&inserter, &paths, &args.kinds).to_string())?;
        return Ok(Exit::Fine);
    }
    let events = Events::default();
    let job = Job { args, settings: &settings, inserter: &inserter, paths: &paths, budget, events: &events };
    match watch(&events, args.quiet, || job.run()) {
        Ok((text, exit)) => {
            write_out(None, &text)?;
            Ok(exit)
        }
        Err(error) if matches!(error.downcast_ref(), Some(RunError::Stopped)) => Ok(Exit::Interrupted),
        Err(error) => match error.downcast::<TestError>() {
            Ok(TestError::Run(RunError::Stopped)) => Ok(Exit::Interrupted),
            Ok(TestError::Baseline(why)) => {
                anstream::eprintln!("error: {why}");
                Ok(Exit::Baseline)
            }
            Ok(error) => Err(error.into()),
            Err(error) => Err(error),
        },
    }
}

/// A search from beginning to end.
struct Job<'a> {
    args: &'a SourceArgs,
    settings: &'a Settings,
    inserter: &'a Inserter<'a>,
    paths: &'a [PathBuf],
    budget: Option<Duration>,
    events: &'a Events,
}

impl Job<'_> {
    fn run(&self) -> Result<(String, Exit)> {
        let Self { args, events, .. } = *self;
        let jobs = self.settings.jobs(args.jobs);
        let project =
            self.settings.project(&RunDir::lock(&self.settings.out(&args.out))?, &events.progress)?;
        let mut program = build(&project, self.inserter, self.paths, &args.kinds, jobs, events)?;
        announce(args, &program);
        let alone = Alone::test(&mut program, self.budget, events)?;
        let search = Search { args, program: &program, events, budget: self.budget };
        let mut found = Vec::new();
        for one in search.searches() {
            found.push(search.run(one, &alone)?);
        }
        let figures = Figures::new(&found[0].solution, Some(&program.mutant_places()), args.strict)?;
        let mut listing = Listing {
            args,
            program: &program,
            target: self.inserter.target,
            paths: self.paths,
            alone: &alone,
            found: &found,
            figures,
            differing: None,
        };
        if args.verify && !events.progress.stopped() {
            events.enter(Phase::Verifying);
            listing.verify(&project, jobs)?;
        }
        if let Some(directory) = &args.patches {
            listing.write_patches(directory)?;
        }
        if let Some(file) = &args.svg {
            write_out(Some(file), &listing.curves())?;
        }
        if let Some(file) = &args.html {
            write_out(Some(file), &page(&listing))?;
        }
        let exit = match &listing.differing {
            _ if events.progress.stopped() => Exit::Interrupted,
            Some(differing) if !differing.is_empty() => Exit::Findings,
            _ if listing.figures.count() == BigUint::ZERO => Exit::Incomplete,
            _ => Exit::Fine,
        };
        Ok((if args.json { listing.json()? } else { listing.text() }, exit))
    }
}

/// The points of each file, and their mutants.
fn points(inserter: &Inserter, paths: &[PathBuf], kinds: &[String]) -> Table {
    let mut table = Table::new(&[("points", Align::Right), ("mutants", Align::Right), ("file", Align::Left)]);
    let (target, all) = (inserter.target, &inserter.def.file.switch.points.kind);
    let mut put = |points: usize, mutants: usize, file: String| {
        table.row(vec![thousands(points as u64), thousands(mutants as u64), file]);
    };
    let mut sum = (0, 0);
    for (file, path) in paths.iter().enumerate() {
        let found = find_points(inserter.def, target.view(file), &target.allowed[file]);
        let wanted = |kind: &&usize| kinds.is_empty() || kinds.contains(&all[**kind].name);
        let kinds: Vec<usize> =
            found.iter().filter_map(|point| point.kinds.iter().find(wanted).copied()).collect();
        let mutants: usize = kinds.iter().map(|kind| all[*kind].operators.len() - 1).sum();
        put(kinds.len(), mutants, path.display().to_string());
        sum = (sum.0 + kinds.len(), sum.1 + mutants);
    }
    put(sum.0, sum.1, "in all".into());
    table
}

fn announce(args: &SourceArgs, program: &PointProgram) {
    if program.dropped > 0 {
        anstream::eprintln!("note: {} places look like operators, but compile in no way", program.dropped);
    }
    if !args.quiet {
        anstream::eprintln!(
            "{} mutants at {} points, {} tests",
            program.points.mutants(),
            program.points.len(),
            program.tests.len()
        );
    }
}

/// What was typed, as commands that insert mutants have it.
fn target(args: &SourceArgs) -> TargetArgs {
    let fit =
        FitArgs { fit: FitArg::Sane, without: vec![], min_viable: None, min_repos: 0, min_fix_share: 0.0 };
    TargetArgs {
        paths: args.paths.clone(),
        ops: vec![],
        language: args.language.clone(),
        fit,
        files: args.files.clone(),
    }
}

/// Reads `90s`, `30m` or `2h`.
fn duration(text: &str) -> Result<Duration> {
    let unit = text.chars().last().and_then(|unit| match unit {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3600.0),
        _ => None,
    });
    let number = text.get(..text.len().saturating_sub(1)).and_then(|number| number.parse::<f64>().ok());
    match (number, unit) {
        (Some(number), Some(unit)) if number > 0.0 && number.is_finite() => {
            Ok(Duration::from_secs_f64(number * unit))
        }
        _ => bail!("--budget: {text:?} is no time; write 90s, 30m or 2h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_number_and_a_unit() {
        assert_eq!(duration("90s").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("1.5h").unwrap(), Duration::from_secs(5400));
        for wrong in ["", "30", "m", "-1s", "é", "0s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
