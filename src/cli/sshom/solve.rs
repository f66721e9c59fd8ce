//! `wildcaught sshom solve`.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use num_bigint::BigUint;

use crate::analysis::sshom::Limits;
use crate::analysis::sshom::Places;
use crate::analysis::sshom::Points;
use crate::analysis::sshom::SolutionFigures;
use crate::analysis::sshom::SolveError;
use crate::analysis::sshom::Source;
use crate::analysis::sshom::read_places;
use crate::analysis::sshom::read_problem;
use crate::analysis::sshom::solve;
use crate::control::Progress;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::super::progress;
use super::args::SolveArgs;
use super::show::SolutionView;
use super::which;

/// Runs the command.
pub fn run(args: &SolveArgs) -> Result<Exit> {
    if args.max_order.is_some_and(|order| order < 2) {
        bail!("--max-order: a combination has at least 2 mutants");
    }
    progress::catch_interrupt()?;
    let source = Source {
        conditions: &args.conditions,
        groups: args.groups.as_deref(),
        first: args.first_variable,
        max_nodes: args.max_nodes,
    };
    let progress = Progress::default();
    let (problem, own) =
        progress::watch(&progress, "reading", "files", args.quiet, || read_problem(&source, &progress))?;
    let places = match &args.places {
        Some(path) => Some(places(path, &problem.points)?),
        None => own,
    };
    let limits = Limits { max_order: args.max_order, max_nodes: args.max_nodes };
    let progress = Progress::default();
    let solved =
        progress::watch(&progress, "solving", "tests", args.quiet, || solve(&problem, &limits, &progress));
    let solution = match solved {
        Err(SolveError::Stopped) => return Ok(Exit::Interrupted),
        solved => solved?,
    };
    if let Some(missing) = places.as_ref().and_then(|places| solution.without_place(places)) {
        let name = problem.points.name(missing.mutant);
        bail!("mutant `{name}` is in an SSHOM, but no place is given for it; add it, or leave places out");
    }
    let figures = SolutionFigures::new(&solution, places.as_ref(), which(args.strict))?;
    let view = SolutionView { args, problem: &problem, solution: &solution, figures };
    write_out(None, &if args.json { view.json()? } else { view.text() })?;
    Ok(if view.figures.count() == BigUint::ZERO { Exit::Incomplete } else { Exit::Fine })
}

fn places(path: &Path, points: &Points) -> Result<Places> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let read = read_places(&path.display().to_string(), &text, points)?;
    if read.unknown > 0 {
        let lines = counted(read.unknown as u64, "line");
        anstream::eprintln!("note: {}: {lines} of mutants that are in no group", path.display());
    }
    Ok(read.places)
}
