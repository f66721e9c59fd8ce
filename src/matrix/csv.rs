//! Comma-separated fields as RFC 4180 has them.

use crate::exec::Verdict;

/// What stands in the table for what a test said, from the mildest to the worst.
pub(super) const LETTERS: [(Verdict, char); 4] =
    [(Verdict::Pass, 'P'), (Verdict::Fail, 'F'), (Verdict::Crash, 'C'), (Verdict::TimeOut, 'T')];

/// A table that grows field by field.
#[derive(Default)]
pub(crate) struct Cells {
    pub text: String,
    inside: bool,
}

impl Cells {
    pub fn field(&mut self, field: &str) {
        self.comma();
        if field.contains(['"', ',', '\r', '\n']) {
            self.text.push('"');
            self.text.push_str(&field.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(field);
        }
    }

    /// A field that needs no quotes.
    pub fn letter(&mut self, letter: char) {
        self.comma();
        self.text.push(letter);
    }

    pub fn end_row(&mut self) {
        self.text.push('\n');
        self.inside = false;
    }

    fn comma(&mut self) {
        if std::mem::replace(&mut self.inside, true) {
            self.text.push(',');
        }
    }
}

/// Reads rows, one at a time; knows on which line of the file it is.
pub(crate) struct Rows<'a> {
    rest: &'a str,
    line: usize,
}

/// A row and the line it starts on.
pub(crate) struct CsvRow {
    pub line: usize,
    pub fields: Vec<String>,
}

/// The line on which a quoted field starts that does not end.
pub(crate) struct OpenQuote(pub usize);

impl<'a> Rows<'a> {
    /// Reads this text, without the mark that some programs put first.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1 }
    }

    fn row(&mut self) -> Result<CsvRow, OpenQuote> {
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            fields.push(self.field()?);
            if let Some(rest) = self.rest.strip_prefix(',') {
                self.rest = rest;
                continue;
            }
            let rest = self.rest.strip_prefix('\r').unwrap_or(self.rest);
            self.rest = rest.strip_prefix('\n').unwrap_or(rest);
            self.line += 1;
            return Ok(CsvRow { line, fields });
        }
    }

    fn field(&mut self) -> Result<String, OpenQuote> {
        match self.rest.strip_prefix('"') {
            Some(rest) => self.quoted(rest),
            None => Ok(self.until_comma().to_owned()),
        }
    }

    /// A field that starts with a quote: up to the quote that is not doubled, and whatever follows it.
    fn quoted(&mut self, mut rest: &'a str) -> Result<String, OpenQuote> {
        let opened = self.line;
        let mut field = String::new();
        loop {
            let (part, after) = rest.split_once('"').ok_or(OpenQuote(opened))?;
            field.push_str(part);
            self.line += part.matches('\n').count();
            match after.strip_prefix('"') {
                Some(after) => {
                    field.push('"');
                    rest = after;
                }
                None => {
                    self.rest = after;
                    field.push_str(self.until_comma());
                    return Ok(field);
                }
            }
        }
    }

    fn until_comma(&mut self) -> &'a str {
        let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
        let field = &self.rest[..end];
        self.rest = &self.rest[end..];
        if self.rest.starts_with(',') { field } else { field.strip_suffix('\r').unwrap_or(field) }
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<CsvRow, OpenQuote>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let row = self.row();
        if row.is_err() {
            self.rest = "";
        }
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back_whatever_is_in_them() {
        let fields = ["", "a", "a,b", "say \"no\"", "two\r\nlines", " ", "\""];
        let mut cells = Cells::default();
        fields.iter().for_each(|field| cells.field(field));
        cells.end_row();
        cells.letter('P');
        cells.end_row();
        let rows: Vec<CsvRow> = Rows::new(&cells.text).map(|row| row.ok().unwrap()).collect();
        assert_eq!(rows[0].fields, fields);
        assert_eq!((rows[1].line, rows[1].fields.as_slice()), (3, ["P".to_owned()].as_slice()));
    }

    #[test]
    fn lines_may_end_as_they_like() {
        let rows: Vec<CsvRow> =
            Rows::new("\u{feff}a,b\r\n\"c\",d\r\ne,").map(|row| row.ok().unwrap()).collect();
        let fields: Vec<_> = rows.iter().map(|row| row.fields.join("|")).collect();
        assert_eq!(fields, ["a|b", "c|d", "e|"]);
        assert!(matches!(Rows::new("a\n\"b").last(), Some(Err(OpenQuote(2)))));
    }
}
