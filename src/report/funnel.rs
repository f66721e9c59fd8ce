//! The funnel as a table.

use crate::operator::Funnel;

use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// The funnel as a table: what each filter rejected, of how many, and what was left.
pub fn funnel_table(funnel: &Funnel) -> String {
    let mut table = Table::new(&[
        ("filter", Align::Left),
        ("rejected", Align::Right),
        ("share of remaining", Align::Right),
        ("left", Align::Right),
    ]);
    table.row(vec!["Candidates".into(), String::new(), String::new(), thousands(funnel.candidates)]);
    for (filter, row) in funnel.shown().zip(funnel.rows()) {
        table.row(vec![
            filter.title().into(),
            thousands(row.rejected),
            format!("{:.1} %", row.share * 100.0),
            thousands(row.left),
        ]);
    }
    table.to_string()
}
