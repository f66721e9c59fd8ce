//! `wildcaught ops stats`: the figures of a set.

use std::path::Path;

use anyhow::Result;

use crate::report::SetStats;

use super::super::exit::Exit;
use super::super::output::write_json;
use super::super::output::write_out;
use super::source;

/// Runs the command.
pub fn run(path: &Path, json: bool) -> Result<Exit> {
    let set = source::read(path)?;
    let stats = SetStats::of(&set);
    match json {
        true => write_json(&stats.document())?,
        false => write_out(None, &stats.to_string())?,
    }
    Ok(Exit::Fine)
}
