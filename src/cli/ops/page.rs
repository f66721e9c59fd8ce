//! An operator set as a page for browsers: the funnel it came from, and every operator in words.

use crate::operator::OperatorSet;
use crate::report::EntryText;
use crate::report::Page;
use crate::report::SetStats;
use crate::report::sankey;

/// Operators and shifts that are shown unless the user says how many.
const MOST: usize = 2000;

/// The page.
pub fn page(set: &OperatorSet, name: &str, top: Option<usize>) -> String {
    let mut page = Page::new(&format!("Operators: {name}"));
    for (direction, funnel) in &set.header.funnels {
        page.heading(&format!("Funnel, {direction}"));
        page.picture(&sankey(funnel, &format!("{name}, read {direction}")));
    }
    let entries: Vec<EntryText> = EntryText::all(set).collect();
    page.heading("Operators");
    let shown = top.unwrap_or(MOST).min(entries.len());
    if shown < entries.len() {
        page.text(&format!("Shows the first {shown} of {}; --top N shows more.", entries.len()));
    }
    for entry in &entries[..shown] {
        page.fold(&summary(entry), false, |page| page.lines(&entry.to_string()));
    }
    page.heading("Figures");
    page.lines(&SetStats::of(set).to_string());
    page.finish()
}

/// An operator in a line: what it does in words, and in notation.
fn summary(entry: &EntryText) -> String {
    format!("{} — {}", entry.words().replace('`', ""), entry.text())
}
