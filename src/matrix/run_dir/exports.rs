//! What was written from results: a project in which such a file lies is still the same project.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::files::Beneath;

use super::error::RunDirError;

/// The list, in a directory of results: a number for the content of each export, the latest last.
const EXPORTS: &str = "exports";
/// Exports that are remembered.
const MOST: usize = 1000;

/// Notes a document that was written from the results in a directory. Where there are none, nothing is noted.
pub fn note_export(out: &Path, document: &[u8]) -> Result<(), RunDirError> {
    let new = number(document);
    if !out.is_dir() || exports(out).contains(&new) {
        return Ok(());
    }
    let known = fs::read_to_string(out.join(EXPORTS)).unwrap_or_default();
    let mut lines: Vec<&str> = known.lines().chain([new.as_str()]).collect();
    lines.drain(..lines.len().saturating_sub(MOST));
    Beneath::open(out)
        .and_then(|here| here.write(Path::new(EXPORTS), (lines.join("\n") + "\n").as_bytes()))
        .map_err(RunDirError::io(&out.join(EXPORTS)))
}

/// The numbers of what was written.
pub fn exports(out: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(out.join(EXPORTS)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// A number for a document.
pub fn number(document: &[u8]) -> String {
    format!("{:016x}", xxh3_64(document))
}
