//! The result of an audit of repairs, as text.

use std::fmt::Write;

use crate::report::Align;
use crate::report::EffectFigures;
use crate::report::Table;
use crate::report::counted;
use crate::text::one_line;

/// Agreement per kind, and every disagreement.
pub fn effects_text(figures: &EffectFigures) -> String {
    let EffectFigures { tried, agreed, repaired, broken, mutants } = figures;
    if *tried == 0 {
        return "\naudit: nothing to check, since no mutant repairs or breaks a test\n".to_owned();
    }
    let count = counted(*tried as u64, "mutant");
    let mut text = format!("\naudit: {count} checked in the original project, {agreed} agree\n");
    let right = Align::Right;
    let mut table = Table::new(&[("tests", right), ("agree", right), ("", Align::Left)]);
    for (tests, kind) in [(repaired, "repaired"), (broken, "broken")] {
        table.row(vec![tests.tried.to_string(), tests.agreed.to_string(), kind.to_owned()]);
    }
    let _ = write!(text, "{table}");
    for one in mutants.iter().filter(|one| !one.agrees) {
        let place = format!("{} at {}:{}", one.id, one_line(&one.file), one.line);
        if !one.builds {
            let _ = writeln!(text, "\n{place} does not build in the original project (tried twice)");
            continue;
        }
        for (names, kind) in [(&one.not_repaired, "repair"), (&one.not_broken, "break")] {
            if let Some(first) = names.first() {
                let (first, count) = (one_line(first), counted(names.len() as u64, "test"));
                let _ = writeln!(
                    text,
                    "\n{place} does not {kind} {count} in the original project (tried twice): {first}"
                );
            }
        }
    }
    text
}
