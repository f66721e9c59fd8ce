//! Places as browsers and editors count them.

use crate::text::LineIndex;

/// Lines of a text, with columns in UTF-16 units.
pub struct Utf16Lines<'a> {
    text: &'a [u8],
    index: LineIndex,
}

impl<'a> Utf16Lines<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, index: LineIndex::new(text) }
    }

    /// The line from 1 and the column from 0 of a byte; none past the end.
    pub fn place(&self, byte: u64) -> Option<(u32, u32)> {
        let at = usize::try_from(byte).ok().filter(|at| *at <= self.text.len())?;
        let place = self.index.place(at);
        let before = String::from_utf8_lossy(&self.text[at + 1 - place.column..at]);
        Some((place.line as u32, before.encode_utf16().count() as u32))
    }
}
