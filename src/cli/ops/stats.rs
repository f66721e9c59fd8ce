//! `wildcaught ops stats`: the figures of a set.

use std::path::Path;

use anyhow::Result;

use crate::report::SetStats;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_json;
use super::source;

/// Runs the command.
pub fn run(path: &Path, json: bool) -> Result<Exit> {
    let set = source::read(path)?;
    let stats = SetStats::of(&set);
    match json {
        true => write_json(&stats.document())?,
        false => print_text(&stats.to_string())?,
    }
    Ok(Exit::Fine)
}
