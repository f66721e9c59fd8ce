//! `wildcaught ops show`: a line per operator, or one of them in full.

use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::operator::OperatorSet;
use crate::report::EntryText;
use crate::report::Listing;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::output::write_out;
use super::page::page;
use super::source;

/// How many candidates an error lists.
const CANDIDATES: usize = 10;

/// Runs the command.
pub fn run(path: &Path, id: Option<&str>, top: Option<usize>, html: Option<&Path>) -> Result<Exit> {
    let set = source::read(path)?;
    if let Some(file) = html {
        write_out(Some(file), &page(&set, &source::name(path), top))?;
        return Ok(Exit::Fine);
    }
    let text = match id {
        Some(id) => entry(&set, id, &source::name(path))?.to_string(),
        None => listing(&set, top.unwrap_or(usize::MAX)),
    };
    print_text(&text)?;
    Ok(Exit::Fine)
}

fn listing(set: &OperatorSet, top: usize) -> String {
    let mut tables = Vec::new();
    if !set.operators.is_empty() || set.shifts.is_empty() {
        tables.push(Listing::operators(set, top).to_string());
    }
    if !set.shifts.is_empty() {
        tables.push(Listing::shifts(set, top).to_string());
    }
    tables.join("\n")
}

/// The one entry whose id begins so.
fn entry<'a>(set: &'a OperatorSet, prefix: &str, name: &str) -> Result<EntryText<'a>> {
    let prefix = prefix.to_ascii_lowercase();
    let mut found: Vec<EntryText> =
        EntryText::all(set).filter(|entry| entry.id().starts_with(&prefix)).collect();
    found.dedup_by_key(|entry| entry.id());
    if found.len() == 1 {
        return Ok(found.remove(0));
    }
    if found.is_empty() {
        bail!(
            "{name} has no operator or shift whose id begins with {prefix:?}; `ops show` without an id lists them"
        );
    }
    let more = found.len().saturating_sub(CANDIDATES);
    let mut list: Vec<String> =
        found.iter().take(CANDIDATES).map(|entry| format!("  {}  {}", entry.id(), entry.text())).collect();
    if more > 0 {
        list.push(format!("  and {more} more"));
    }
    bail!("{prefix:?} matches {} ids of {name}; add more digits:\n{}", found.len(), list.join("\n"));
}
