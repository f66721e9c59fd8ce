//! `wildcaught ops diff`: what only one of two sets has.

use std::path::Path;

use anyhow::Result;

use crate::operator::Evidence;
use crate::operator::Operator;
use crate::operator::SetDiff;
use crate::operator::Shift;
use crate::operator::diff;
use crate::operator::diff_shifts;
use crate::operator::operator_text;
use crate::operator::shift_text;
use crate::report::Align;
use crate::report::Table;
use crate::report::thousands;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::source;

/// Runs the command.
pub fn run(first: &Path, second: &Path) -> Result<Exit> {
    let sets = source::read_all([first, second])?;
    let operators = diff(&sets[0], &sets[1]);
    let shifts = diff_shifts(&sets[0], &sets[1]);
    let mut lines =
        Table::new(&[("", Align::Left), ("count", Align::Right), ("operator or shift", Align::Left)]);
    list(&mut lines, &operators, |operator| (&operator.evidence, operator_text(operator)));
    list(&mut lines, &shifts, |shift| (&shift.evidence, shift_text(shift)));
    let same = operators.is_same() && shifts.is_same();
    let mut text = if same { String::new() } else { format!("{lines}\n") };
    text.push_str(&totals(&source::name(first), &source::name(second), &operators, &shifts).to_string());
    print_text(&text)?;
    Ok(if same { Exit::Fine } else { Exit::Findings })
}

fn list<'a, T>(lines: &mut Table, found: &SetDiff<'a, T>, shown: impl Fn(&'a T) -> (&'a Evidence, String)) {
    for (sign, side) in [("-", &found.only_first), ("+", &found.only_second)] {
        for item in side {
            let (evidence, text) = shown(item);
            lines.row(vec![sign.into(), thousands(evidence.count), text]);
        }
    }
}

fn totals(first: &str, second: &str, operators: &SetDiff<Operator>, shifts: &SetDiff<Shift>) -> Table {
    let mut table = Table::new(&[("", Align::Left), ("operators", Align::Right), ("shifts", Align::Right)]);
    let other_counts = (
        operators.both.iter().filter(|(a, b)| a.evidence.count != b.evidence.count).count(),
        shifts.both.iter().filter(|(a, b)| a.evidence.count != b.evidence.count).count(),
    );
    for (what, (operators, shifts)) in [
        (format!("- only in {first}"), (operators.only_first.len(), shifts.only_first.len())),
        (format!("+ only in {second}"), (operators.only_second.len(), shifts.only_second.len())),
        ("= in both".into(), (operators.both.len(), shifts.both.len())),
        ("  of these, with other counts".into(), other_counts),
    ] {
        table.row(vec![what, thousands(operators as u64), thousands(shifts as u64)]);
    }
    table
}
