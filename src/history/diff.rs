//! Which lines differ between two versions of a file.
//!
//! In: two texts. Out: [`Block`]s in order, each a run of whole lines on either side.

use imara_diff::Algorithm;
use imara_diff::Diff;
use imara_diff::InternedInput;
use imara_diff::sources::byte_lines;
use memchr::memchr;
use memchr::memrchr;

use crate::text::Span;

/// One contiguous run of removed and added lines; either side may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub before: Span,
    pub after: Span,
}

/// Lines of common text kept at either end, so that a block that could stand in several places can be
/// slid to where a person would put it.
const SLACK_LINES: usize = 12;

/// Finds the blocks between two versions.
pub fn blocks(before: &[u8], after: &[u8]) -> Vec<Block> {
    let head = common_head(before, after);
    let tail = common_tail(&before[head..], &after[head..]);
    let old = &before[head..before.len() - tail];
    let new = &after[head..after.len() - tail];
    let input = InternedInput::new(byte_lines(old), byte_lines(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut old_lines = LineCursor::new(old, head);
    let mut new_lines = LineCursor::new(new, head);
    diff.hunks()
        .map(|hunk| Block {
            before: Span::new(old_lines.offset(hunk.before.start), old_lines.offset(hunk.before.end)),
            after: Span::new(new_lines.offset(hunk.after.start), new_lines.offset(hunk.after.end)),
        })
        .collect()
}

/// Turns ascending line numbers into offsets, reading the text once.
struct LineCursor<'a> {
    text: &'a [u8],
    base: usize,
    line: u32,
    at: usize,
}

impl<'a> LineCursor<'a> {
    fn new(text: &'a [u8], base: usize) -> Self {
        Self { text, base, line: 0, at: 0 }
    }

    fn offset(&mut self, line: u32) -> usize {
        while self.line < line {
            self.at = memchr(b'\n', &self.text[self.at..]).map_or(self.text.len(), |end| self.at + end + 1);
            self.line += 1;
        }
        self.base + self.at
    }
}

/// Bytes of common whole lines at the beginning, less the slack.
fn common_head(before: &[u8], after: &[u8]) -> usize {
    let mut end = equal_prefix(before, after);
    for _ in 0..=SLACK_LINES {
        end = memrchr(b'\n', &before[..end]).unwrap_or(0);
    }
    if end == 0 { 0 } else { end + 1 }
}

/// Bytes of common whole lines at the end, less the slack.
fn common_tail(before: &[u8], after: &[u8]) -> usize {
    let length = equal_suffix(before, after);
    let mut start = before.len() - length;
    for _ in 0..=SLACK_LINES {
        start = memchr(b'\n', &before[start..]).map_or(before.len(), |newline| start + newline + 1);
    }
    before.len() - start
}

/// Bytes compared at a time; most of a file is the same as before.
const STRIDE: usize = 512;

fn equal_prefix(a: &[u8], b: &[u8]) -> usize {
    let strides = a.chunks_exact(STRIDE).zip(b.chunks_exact(STRIDE)).take_while(|(x, y)| x == y).count();
    let from = strides * STRIDE;
    from + a[from..].iter().zip(&b[from..]).take_while(|(x, y)| x == y).count()
}

fn equal_suffix(a: &[u8], b: &[u8]) -> usize {
    let strides = a.rchunks_exact(STRIDE).zip(b.rchunks_exact(STRIDE)).take_while(|(x, y)| x == y).count();
    let from = strides * STRIDE;
    let left = (&a[..a.len() - from], &b[..b.len() - from]);
    from + left.0.iter().rev().zip(left.1.iter().rev()).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'a>(before: &'a str, after: &'a str) -> Vec<(&'a str, &'a str)> {
        blocks(before.as_bytes(), after.as_bytes())
            .into_iter()
            .map(|block| (&before[block.before.range()], &after[block.after.range()]))
            .collect()
    }

    #[test]
    fn blocks_are_whole_lines_and_context_ends_them() {
        assert_eq!(texts("a\nb\nc\nd\n", "a\nB\nc\nD\n"), [("b\n", "B\n"), ("d\n", "D\n")]);
        assert_eq!(texts("a\nb", "a\nb\nc"), [("b", "b\nc")]);
        assert_eq!(texts("", "x\n"), [("", "x\n")]);
        assert_eq!(texts("x\n", "x\n"), []);
    }

    #[test]
    fn long_common_ends_are_not_looked_at_again() {
        let head = "same line\n".repeat(500);
        let (before, after) = (format!("{head}old\n{head}"), format!("{head}new\n{head}"));
        assert_eq!(texts(&before, &after), [("old\n", "new\n")]);
    }
}
