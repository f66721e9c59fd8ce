//! `wildcaught sshom solve`.

use anyhow::Result;
use anyhow::bail;
use num_bigint::BigUint;

use crate::analysis::sshom::SolveError;
use crate::analysis::sshom::SolveLimits;
use crate::control::Progress;
use crate::pipeline::sshom::ConditionFiles;
use crate::pipeline::sshom::ConditionsError;
use crate::pipeline::sshom::read_conditions;
use crate::pipeline::sshom::solve_conditions;
use crate::report::counted;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::progress;
use super::args::SolveArgs;
use super::show::SolutionView;
use super::which;

/// Runs the command.
pub fn run(args: &SolveArgs) -> Result<Exit> {
    if args.max_order.is_some_and(|order| order < 2) {
        bail!("--max-order must be at least 2");
    }
    progress::catch_interrupt()?;
    let files = ConditionFiles {
        conditions: &args.conditions,
        groups: args.groups.as_deref(),
        places: args.places.as_deref(),
        first: args.first_variable,
        max_nodes: args.max_nodes,
    };
    let progress = Progress::default();
    let read =
        progress::watch(&progress, "reading", "files", args.quiet, || read_conditions(&files, &progress))?;
    if let (Some(path), true) = (&args.places, read.unknown_places > 0) {
        let lines = counted(read.unknown_places as u64, "line");
        tell!("note: {}: skipped {lines} about mutants that are in no group", path.display());
    }
    let limits = SolveLimits { max_order: args.max_order, max_nodes: args.max_nodes };
    let progress = Progress::default();
    let solved = progress::watch(&progress, "solving", "tests", args.quiet, || {
        solve_conditions(&read, &limits, which(args.strict), &progress)
    });
    let solved = match solved {
        Err(ConditionsError::Unsolved(SolveError::Stopped)) => return Ok(Exit::Interrupted),
        solved => solved?,
    };
    let view = SolutionView { args, problem: &read.problem, solved: &solved };
    print_text(&if args.json { view.json()? } else { view.text() })?;
    Ok(if solved.figures.count() == BigUint::ZERO { Exit::Incomplete } else { Exit::Fine })
}
