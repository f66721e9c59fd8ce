//! The funnel as a table and as JSON.

use serde_json::json;

use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::OperatorSet;

use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// The funnel as a table: what each filter rejected, of how many, and what was left.
pub fn funnel_table(funnel: &Funnel) -> String {
    let mut table = Table::new(&[
        ("filter", Align::Left),
        ("rejected", Align::Right),
        ("of those that came", Align::Right),
        ("left", Align::Right),
    ]);
    table.row(vec!["Candidates".into(), String::new(), String::new(), thousands(funnel.candidates)]);
    for (filter, row) in Filter::ALL.into_iter().zip(funnel.rows()) {
        table.row(vec![
            filter.title().into(),
            thousands(row.rejected),
            format!("{:.1} %", row.share * 100.0),
            thousands(row.left),
        ]);
    }
    table.to_string()
}

/// The funnels of a set as JSON.
pub fn funnel_json(set: &OperatorSet) -> serde_json::Value {
    let funnels = set.header.funnels.iter().map(|(direction, funnel)| {
        json!({
            "direction": direction,
            "candidates": funnel.candidates,
            "stages": funnel.rows(),
            "operators": funnel.kept(),
        })
    });
    json!({
        "format": 1,
        "name": set.header.name,
        "language": set.header.language,
        "corpus": set.header.census,
        "funnels": funnels.collect::<Vec<_>>(),
        "operators": set.operators.len(),
        "shifts": set.shifts.len(),
    })
}
