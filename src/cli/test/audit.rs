//! The result of an audit, as text.

use std::fmt::Write;

use crate::matrix::KillMatrix;
use crate::report::Align;
use crate::report::AuditFigures;
use crate::report::Table;
use crate::report::counted;

/// Agreement per fate, and every disagreement.
pub fn audit_text(figures: &AuditFigures, matrix: &KillMatrix) -> String {
    let AuditFigures { tried, agreed, fates, verdicts, .. } = figures;
    if *tried == 0 {
        return "\naudit: there is no verdict to check\n".to_owned();
    }
    let share = 100.0 * *agreed as f64 / *tried as f64;
    let count = counted(*tried as u64, "verdict");
    let mut text =
        format!("\naudit: {count} checked in the original project, {agreed} agree ({share:.1} %)\n");
    let (left, right) = (Align::Left, Align::Right);
    let mut table = Table::new(&[("tried", right), ("agree", right), ("run twice", right), ("", left)]);
    for row in fates {
        let numbers = [row.tried, row.agreed, row.repeated].map(|number| number.to_string());
        table.row(numbers.into_iter().chain([row.fate.name().to_owned()]).collect());
    }
    let _ = write!(text, "{table}");
    for verdict in verdicts.iter().filter(|verdict| !verdict.agrees) {
        let row = matrix.mutants.iter().find(|row| row.id == verdict.id);
        let place = row.map_or_else(String::new, |row| {
            format!("{}:{}  {} → {}", row.file, row.line, row.before, row.after)
        });
        let (id, fate, plain) = (&verdict.id, verdict.fate.name(), verdict.plain.name());
        let _ = writeln!(
            text,
            "\n{id} {fate} here, but {plain} in the original project (tried twice)\n  {place}"
        );
        for line in verdict.message.lines() {
            let _ = writeln!(text, "  | {line}");
        }
    }
    text
}
