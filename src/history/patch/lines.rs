//! A cursor that goes through text line by line.

use memchr::memchr;

/// Lines with their ends; a last line may lack one.
#[derive(Clone)]
pub struct PatchLines<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> PatchLines<'t> {
    pub fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, at }
    }

    /// Where the next line begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Everything from the next line on.
    pub fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    /// The text between two places.
    pub fn between(&self, start: usize, end: usize) -> &'t [u8] {
        &self.text[start..end]
    }

    /// The next line, not taken.
    pub fn peek(&self) -> &'t [u8] {
        let rest = self.rest();
        &rest[..memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)]
    }

    /// Takes the next line; empty at the end.
    pub fn take(&mut self) -> &'t [u8] {
        let line = self.peek();
        self.at += line.len();
        line
    }
}

/// A line without its end, be it `\n` or `\r\n`.
pub fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
