//! From byte offsets to lines and columns.

use memchr::memchr_iter;

/// Where every line of a text starts.
pub struct LineIndex {
    starts: Vec<u32>,
}

/// A line and a column, both counted from 1; the column counts bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl LineIndex {
    /// Finds the line starts of `text`. A line ends after `\n`; `\r` belongs to the line it ends.
    pub fn new(text: &[u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text).map(|newline| newline as u32 + 1));
        Self { starts }
    }

    /// The line and column of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        Place { line, column: offset - self.starts[line - 1] as usize + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns() {
        let index = LineIndex::new(b"ab\r\nc\n\nd");
        let at = |offset| {
            let place = index.place(offset);
            (place.line, place.column)
        };
        assert_eq!([at(0), at(3), at(4), at(6), at(7)], [(1, 1), (1, 4), (2, 1), (3, 1), (4, 1)]);
    }
}
