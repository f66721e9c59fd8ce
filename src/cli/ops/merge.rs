//! `wildcaught ops merge`: merges sets.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use crate::operator::MergeError;
use crate::operator::OperatorSet;
use crate::operator::Source;
use crate::operator::merge;
use crate::operator::repository_names;
use crate::operator::same_kind;
use crate::operator::write_set;

use super::super::args::MergeArgs;
use super::super::exit::Exit;
use super::super::output::write_out;
use super::source;

/// Runs the command.
pub fn run(args: &MergeArgs) -> Result<Exit> {
    let sets = source::read_all(args.sets.iter().map(PathBuf::as_path))?;
    check_kinds(&args.sets, &sets)?;
    warn_of_common_sources(&args.sets, &sets);
    let Some(mut merged) = merge(sets)? else { return Ok(Exit::Usage) };
    if let Some(name) = &args.name {
        merged.header.name.clone_from(name);
    }
    write_out(args.output.as_deref(), &write_set(&merged))?;
    Ok(Exit::Fine)
}

/// The files are what the user knows the sets by.
fn check_kinds(paths: &[PathBuf], sets: &[OperatorSet]) -> Result<(), MergeError> {
    for (path, set) in paths.iter().zip(sets) {
        same_kind(&sets[0], set).map_err(|error| MergeError {
            first: source::name(&paths[0]),
            second: source::name(path),
            ..error
        })?;
    }
    Ok(())
}

fn warn_of_common_sources(paths: &[PathBuf], sets: &[OperatorSet]) {
    let all: Vec<Source> = sets.iter().flat_map(|set| set.header.sources.iter().cloned()).collect();
    let mut names = repository_names(&all).into_iter();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (path, set) in paths.iter().zip(sets) {
        let own: BTreeSet<String> = names.by_ref().take(set.header.sources.len()).collect();
        for name in own.intersection(&seen) {
            tell!(
                "warning: {}: source {name} is also in an earlier set, so its changes count twice; merge sets \
                 of different sources",
                source::name(path)
            );
        }
        seen.extend(own);
    }
}
