//! A ranking on the terminal.

use std::fmt::Write;

use crate::report::Align;
use crate::report::Table;
use crate::report::documents::WitnessDocument;
use crate::report::thousands;
use crate::text::one_line;

/// The ranking, the evidence, and what was tried.
pub fn text(document: &WitnessDocument, top: usize) -> String {
    let mut out = String::new();
    let counts = &document.counts;
    let _ = writeln!(
        out,
        "{}: {}\n{} of {} bytes are enough to show it\n",
        one_line(&document.program),
        document.failure,
        thousands(document.reduced.len() as u64),
        thousands(document.bytes as u64)
    );
    let mut table = Table::new(&[
        ("rank", Align::Right),
        ("score", Align::Right),
        ("place", Align::Left),
        ("what", Align::Left),
    ]);
    for part in document.ranking.iter().take(top) {
        let place = if part.line > 0 { format!("{}:{}", part.file, part.line) } else { part.file.clone() };
        table.row(vec![part.rank.to_string(), format!("{:.3}", part.score), place, part.name.clone()]);
    }
    let _ = writeln!(out, "{table}");
    if let Some(nearest) = &document.nearest {
        let _ = writeln!(out, "this change makes the fault go away ({}):\n{}", nearest.origin, nearest.diff);
        if !nearest.only_failing.is_empty() {
            let _ = writeln!(out, "only the failing program executes {}\n", nearest.only_failing.join(", "));
        }
    }
    let _ = writeln!(
        out,
        "{} runs: {} to make it smaller, {} mutants ({} pass, {} fail alike, {} otherwise, {} not judged); {} witnesses, {} programs \
         of the developers",
        thousands(counts.runs as u64),
        thousands(counts.reduction as u64),
        thousands(counts.mutants as u64),
        thousands(counts.passing as u64),
        thousands(counts.failing as u64),
        thousands(counts.otherwise as u64),
        thousands(counts.unjudged as u64),
        thousands(document.witnesses as u64),
        thousands(document.tests as u64)
    );
    out
}
