//! `wildcaught ops stats`: the figures of a set.

use std::path::Path;

use anyhow::Result;

use crate::report::SetStats;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::source;

/// Runs the command.
pub fn run(path: &Path, json: bool) -> Result<Exit> {
    let set = source::read(path)?;
    let stats = SetStats::of(&set);
    let text = if json { format!("{:#}\n", stats.json()) } else { stats.to_string() };
    write_out(None, &text)?;
    Ok(Exit::Fine)
}
