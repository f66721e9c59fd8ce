//! Tables of Markdown as a terminal shows them: in columns if they fit into a line, else a paragraph per row.

use crate::report::Align;
use crate::report::Table;

/// Letters of a line that people read with ease; beyond, columns would be broken by the terminal.
const WIDTH: usize = 110;

/// The rows of a table; the second one, under the heads, is only a rule.
pub(super) fn table(rows: &[String]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
    let Some((heads, [_, body @ ..])) = cells.split_first() else { return String::new() };
    let columns = columns(heads, body);
    if columns.lines().all(|line| line.chars().count() <= WIDTH) { columns } else { paragraphs(heads, body) }
}

/// The cells of a row; `\|` is a bar in a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|').replace("\\|", "\0");
    let row = row.strip_suffix('|').unwrap_or(&row);
    row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

fn columns(heads: &[String], body: &[Vec<String>]) -> String {
    let heads: Vec<(&str, Align)> = heads.iter().map(|head| (head.as_str(), Align::Left)).collect();
    let mut table = Table::new(&heads);
    body.iter().for_each(|row| table.row(row.clone()));
    table.to_string()
}

/// The first cell of each row, and below it the others with their heads.
fn paragraphs(heads: &[String], body: &[Vec<String>]) -> String {
    let mut text = String::new();
    for row in body {
        text += &format!("* {}\n", row.first().map_or("", String::as_str));
        let others = heads.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
        others.for_each(|(head, cell)| text += &format!("    {head}: {cell}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        table(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_narrow_table_has_columns_and_a_wide_one_paragraphs() {
        assert_eq!(shown("| a | b |\n|---|---|\n| one | x \\| y |"), "a    b\none  x | y\n");
        let wide = "w".repeat(WIDTH);
        assert_eq!(
            shown(&format!("| a | b |\n|---|---|\n| one | {wide} |")),
            format!("* one\n    b: {wide}\n")
        );
    }
}
