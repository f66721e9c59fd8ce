//! Annotations of GitHub Actions: lines that its runner reads.

use std::fmt::Write;

use crate::text::one_line;

use super::missed::Documented;

/// Annotations that a step may show.
const MOST: usize = 10;

/// A warning for each of the most worthwhile missed mutants.
pub fn annotations(documented: &Documented) -> String {
    let mut out = String::new();
    for one in documented.missed_at_most(MOST) {
        let (line, last) = (one.row.line.max(1), one.row.end_line.max(one.row.line).max(1));
        let title = property(&format!("mutant {} {}", one.row.id, one.fate.name()));
        let message = data(&format!("{}\n{}", one.message(), one.observe()));
        let file = property(&one.row.file);
        let _ = writeln!(out, "::warning file={file},line={line},endLine={last},title={title}::{message}");
    }
    let (open, _) = documented.counts();
    if open > MOST {
        let _ =
            writeln!(out, "::notice title=wildcaught::{} more missed mutants are in the report", open - MOST);
    }
    out
}

/// Text of a message: what would end the line is written otherwise.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| one_line(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
