//! Merges raw tallies, without thresholds and idioms.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::harvest::Tally;
use crate::harvest::read_raw;
use crate::harvest::write_raw;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::job::check_same_kind;

/// Puts tallies together into one.
pub fn merge_tallies(paths: &[PathBuf], output: Option<&Path>) -> Result<Exit> {
    let mut all: Option<Tally> = None;
    for path in paths {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let tally = read_raw(&text, &name)?;
        match &mut all {
            None => all = Some(tally),
            Some(known) => {
                check_same_kind(known, &tally, &name)?;
                known.merge(tally);
            }
        }
    }
    let Some(mut all) = all else { bail!("no tally to merge: name raw tallies (*.tally)") };
    write_out(output, &write_raw(&mut all))?;
    Ok(Exit::Fine)
}
