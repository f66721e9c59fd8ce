//! A half-open range of bytes.

use std::ops::Range;

/// Bytes `start..end` of some text. 32 bits are enough for files up to 4 GiB; readers refuse larger ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= u32::MAX as usize);
        Self { start: start as u32, end: end as u32 }
    }

    /// The span as a range that indexes a slice.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The bytes of `text` that this span covers.
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.range()]
    }

    /// Whether the position lies inside, ends excluded: a cut there would cut this span in two.
    pub fn splits_at(self, position: usize) -> bool {
        (self.start as usize) < position && position < self.end as usize
    }
}
