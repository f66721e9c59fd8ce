//! `wildcaught ops filter`: keeps a part of a set.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::operator::Keep;
use crate::operator::OperatorSet;
use crate::operator::filter;
use crate::operator::write_set;

use super::super::args::ThinArgs;
use super::super::exit::Exit;
use super::super::output::write_out;
use super::super::target::check_share;
use super::source;

/// Runs the command.
pub fn run(args: &ThinArgs) -> Result<Exit> {
    check_share("--min-fix-share", args.min_fix_share)?;
    check_share("--min-viable", args.min_viable)?;
    let mut set = source::read(&args.set)?;
    let keep = Keep {
        min_count: args.min_count,
        min_repos: args.min_repos,
        min_fix_share: args.min_fix_share,
        min_viable: args.min_viable,
        top: args.top,
    };
    filter(&mut set, &keep);
    if let Some(name) = &args.name {
        set.header.name.clone_from(name);
    }
    write_out(args.output.as_deref(), &write_set(&set))?;
    if set.operators.is_empty() && set.shifts.is_empty() {
        tell!(
            "warning: the result is empty: nothing of {} is left; {}",
            source::name(&args.set),
            remedy(&set, &keep)
        );
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Fine)
}

/// What to do if nothing is left.
fn remedy(set: &OperatorSet, keep: &Keep) -> String {
    let repositories: BTreeSet<&str> = set.header.sources.iter().map(|source| &source.name[..]).collect();
    let (known, wanted) = (repositories.len(), keep.min_repos);
    if (1..wanted).contains(&known) {
        return format!(
            "it was mined from {known} repositories, fewer than --min-repos {wanted}; lower --min-repos"
        );
    }
    "lower the limits".into()
}
