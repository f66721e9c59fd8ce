//! All mutants as a table.

use crate::matrix::Cells;

use super::missed::Documented;

const HEADS: [&str; 12] = [
    "id", "fate", "accepted", "file", "line", "column", "function", "operator", "words", "before", "after",
    "tests",
];

/// A header, then a row per mutant; quoted as RFC 4180 says.
pub fn csv(documented: &Documented) -> String {
    let mut table = Cells::default();
    HEADS.iter().for_each(|name| table.field(name));
    table.end_row();
    for at in 0..documented.matrix.mutants.len() as u32 {
        let one = documented.one(at);
        let accepted = if one.accepted { "yes" } else { "" };
        let (line, column, tests) =
            (one.row.line.to_string(), one.row.column.to_string(), one.tests.len().to_string());
        let fields = [
            one.row.id.as_str(),
            one.fate.name(),
            accepted,
            &one.row.file,
            &line,
            &column,
            one.function.unwrap_or_default(),
            &one.row.operator,
            &one.words,
            &one.row.before,
            &one.row.after,
            &tests,
        ];
        fields.into_iter().for_each(|field| table.field(field));
        table.end_row();
    }
    table.text
}
