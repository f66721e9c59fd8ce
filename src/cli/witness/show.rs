//! A ranking on the terminal.

use std::fmt::Write;

use crate::report::Align;
use crate::report::Table;
use crate::report::documents::FirstBadDocument;
use crate::report::documents::SuspectDocument;
use crate::report::documents::WitnessDocument;
use crate::report::thousands;
use crate::text::one_line;

/// Lines of the reduced program that are shown.
const MOST_LINES: usize = 20;
/// Names that are shown of a list.
const MOST_NAMES: usize = 12;
/// Ranges of lines that are shown.
const MOST_RANGES: usize = 4;
/// Digits of a commit's id that are shown.
const SHORT: usize = 10;

/// The ranking, the evidence, and what was tried.
pub fn text(document: &WitnessDocument, top: usize) -> String {
    let mut out = format!("{}: {}\n", one_line(&document.program), document.failure);
    out += &format!("{}:\n", reduced_to(document));
    let lines: Vec<&str> = document.reduced.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().take(MOST_LINES).for_each(|line| out += &format!("    {}\n", one_line(line)));
    if lines.len() > MOST_LINES {
        out += &format!("    … {} more lines (--reduced FILE writes them)\n", lines.len() - MOST_LINES);
    }
    let _ = writeln!(out, "\n{}", ranking(document, top));
    if let Some(found) = &document.first_bad {
        let _ = writeln!(out, "{}\n", first_bad(found));
    }
    if let Some(nearest) = &document.nearest {
        let _ =
            writeln!(out, "this change makes the failure disappear ({}):\n{}", nearest.origin, nearest.diff);
        if !nearest.only_failing.is_empty() {
            let _ =
                writeln!(out, "only the failing program executes code in {}\n", few(&nearest.only_failing));
        }
    }
    out + &tried(document) + "\n"
}

/// How much of the program is needed.
pub fn reduced_to(document: &WitnessDocument) -> String {
    let (left, all) = (thousands(document.reduced.len() as u64), thousands(document.bytes as u64));
    format!("{left} of {all} bytes are enough to trigger it")
}

/// The most suspicious parts, with what speaks against each.
pub fn ranking(document: &WitnessDocument, top: usize) -> Table {
    let by_function = document.ranking.first().is_some_and(|part| part.line > 0);
    let mut columns = vec![("rank", Align::Right), ("score", Align::Right), ("place", Align::Left)];
    columns.extend(by_function.then_some(("function", Align::Left)));
    columns.push(("evidence", Align::Left));
    let mut table = Table::new(&columns);
    for part in document.ranking.iter().take(top) {
        let place = if part.line > 0 { format!("{}:{}", part.file, part.line) } else { part.file.clone() };
        let mut row = vec![part.rank.to_string(), format!("{:.3}", part.score), place];
        row.extend(by_function.then(|| part.name.clone()));
        row.push(evidence(part));
        table.row(row);
    }
    table
}

/// What speaks against a part, in words.
pub fn evidence(part: &SuspectDocument) -> String {
    let mut said = Vec::new();
    if part.changed {
        said.push("changed by the first bad commit".to_owned());
    }
    if part.on_stack > 0 {
        said.push(format!("frame {} of the crash", part.on_stack));
    }
    if !part.lines.is_empty() {
        let word = if part.lines.len() == 1 { "line" } else { "lines" };
        said.push(format!("{word} {}", ranges(&part.lines)));
    }
    said.join("; ")
}

/// The commit that brought the fault, in words.
pub fn first_bad(found: &FirstBadDocument) -> String {
    let id = &found.commit[..found.commit.len().min(SHORT)];
    let mut said =
        format!("first bad commit: {id} {} ({} revisions built)", one_line(&found.subject), found.tried);
    if !found.or.is_empty() {
        said += &format!("\n  or an earlier one that could not be tested: {}", found.or.join(", "));
    }
    if !found.changes.is_empty() {
        said += &format!("\n  it changes {}", few(&found.changes));
    }
    said
}

/// What was run.
pub fn tried(document: &WitnessDocument) -> String {
    let counts = &document.counts;
    let number = |count: usize| thousands(count as u64);
    format!(
        "{} runs in {:.1} s: {} to reduce the program, {} mutants; {} variations pass ({} distinct witnesses), \
         {} fail in the same way, {} in another, {} cannot be judged; {} programs of the developers{}",
        number(counts.runs),
        document.seconds,
        number(counts.reduction),
        number(counts.mutants),
        number(counts.passing),
        number(document.witnesses),
        number(counts.failing),
        number(counts.otherwise),
        number(counts.unjudged),
        number(document.tests),
        if document.cut { "; the search ended after --budget" } else { "" },
    )
}

/// The first names of a list.
fn few(names: &[String]) -> String {
    let shown =
        names.iter().take(MOST_NAMES).map(|name| one_line(name).into_owned()).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Numbers as ranges: `3-5, 9`; at most a few.
fn ranges(lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let shown: Vec<String> = ranges
        .iter()
        .take(MOST_RANGES)
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    shown.join(", ") + if ranges.len() > MOST_RANGES { ", …" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_a_row_are_one_range() {
        assert_eq!(ranges(&[3, 4, 5, 9]), "3-5, 9");
        assert_eq!(ranges(&[1, 3, 5, 7, 9]), "1, 3, 5, 7, …");
    }
}
