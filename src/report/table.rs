//! Plain tables for terminals.

use std::fmt;

use crate::text::one_line;

/// How a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Rows of cells under headings; columns are as wide as their widest cell.
pub struct Table {
    pub(super) columns: Vec<(String, Align)>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        Self {
            columns: columns.iter().map(|(name, align)| ((*name).into(), *align)).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row; missing cells are empty.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let cells = cells.map(|cell| one_line(cell).chars().count());
            cells.chain([self.columns[column].0.chars().count()]).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let widths = self.widths();
        let headings: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        for row in std::iter::once(&headings).chain(&self.rows) {
            let mut line = String::new();
            for (index, (_, align)) in self.columns.iter().enumerate() {
                let cell = one_line(row.get(index).map_or("", String::as_str));
                let gap = " ".repeat(widths[index].saturating_sub(cell.chars().count()));
                let (before, after) = if *align == Align::Right { (&gap[..], "") } else { ("", &gap[..]) };
                line.push_str(&format!("{before}{cell}{after}  "));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number and what is counted: `1 test`, `2,000 tests`.
pub fn counted(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {what}{ending}", thousands(number))
}

/// A number with its thousands apart: 20,063,907.
pub fn thousands(number: u64) -> String {
    apart(&number.to_string())
}

/// The same for a number too large for others, by its digits.
pub fn apart(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([7, 999, 1000, 20_063_907].map(thousands), ["7", "999", "1,000", "20,063,907"]);
    }

    #[test]
    fn a_cell_stays_in_its_line() {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(vec!["a\nscore 100 %".into(), "1".into()]);
        assert_eq!(table.to_string(), "name            n\na\\nscore 100 %  1\n");
    }

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&[("name", Align::Left), ("n", Align::Right)]);
        table.row(vec!["größe".into(), "12".into()]);
        assert_eq!(table.to_string(), "name    n\ngröße  12\n");
    }
}
