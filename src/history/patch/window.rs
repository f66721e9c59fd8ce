//! Cuts a stream into windows that end where a file's diff or a commit ends, and windows into pieces.
//!
//! In: anything that can be read. Out: windows in order, which laid end to end are the input. Invariant: no
//! cut falls into a hunk or a commit's message, so every piece can be read without the others.

use std::io;
use std::io::Read;

use memchr::memmem;

use super::header;
use super::hunk;
use super::walk;
use super::walk::Item;
use super::walk::Walker;

/// Reads window after window.
pub struct Windows<R> {
    input: R,
    /// What was read behind the last cut.
    rest: Vec<u8>,
    size: usize,
    ended: bool,
}

impl<R: Read> Windows<R> {
    /// Windows of about `size` bytes; longer where one file's diff is.
    pub fn new(input: R, size: usize) -> Self {
        Self { input, rest: Vec::new(), size: size.max(1), ended: false }
    }

    /// The next window; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut window = std::mem::take(&mut self.rest);
        let mut size = self.size;
        loop {
            self.fill(&mut window, size)?;
            if self.ended {
                return Ok(Some(window).filter(|window| !window.is_empty()));
            }
            if let Some(cut) = last_cut(&window) {
                self.rest = window.split_off(cut);
                return Ok(Some(window));
            }
            size = size.saturating_mul(2);
        }
    }

    fn fill(&mut self, window: &mut Vec<u8>, size: usize) -> io::Result<()> {
        let missing = size.saturating_sub(window.len());
        window.reserve_exact(missing);
        let read = self.input.by_ref().take(missing as u64).read_to_end(window)?;
        self.ended = read < missing;
        Ok(())
    }
}

/// The last place where a window may be cut, other than its beginning.
fn last_cut(window: &[u8]) -> Option<usize> {
    let inside = |cut: &usize| *cut > 0;
    let command = last_line(window, walk::DIFF, |_| true).filter(inside);
    command.or_else(|| last_plain_cut(window).filter(inside))
}

/// The same for diffs without command lines, where `--- x` may as well be a removed `-- x`: only going
/// through the hunks tells.
fn last_plain_cut(window: &[u8]) -> Option<usize> {
    let mut walker = Walker::new(window, 0);
    let mut last = None;
    while let Some((at, item)) = walker.next() {
        match item {
            Item::Files { headed: false, .. } => last = Some(at),
            Item::Commit => {
                last = Some(at);
                header::take(&mut walker.lines);
            }
            Item::Hunk(counts) => {
                hunk::walk(&mut walker.lines, counts, |_, _| {});
            }
            _ => {}
        }
    }
    last
}

/// Cuts a window into about `count` pieces at command lines.
pub fn pieces(window: &[u8], count: usize) -> Vec<&[u8]> {
    let size = window.len() / count.max(1) + 1;
    let finder = memmem::Finder::new(b"\ndiff -");
    let mut pieces = Vec::with_capacity(count);
    let mut rest = window;
    while let Some(newline) = rest.get(size..).and_then(|tail| finder.find(tail)) {
        let (piece, after) = rest.split_at(size + newline + 1);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Where the last commit header of a piece begins.
pub fn last_header(piece: &[u8]) -> Option<usize> {
    let is_header = |rest: &[u8]| header::begins(rest);
    let log = last_line(piece, b"commit ", is_header);
    let from = log.unwrap_or(0);
    last_line(&piece[from..], b"From ", is_header).map(|mail| from + mail).or(log)
}

/// The last line that begins with `start` and passes the test. Looks at stretches from the end, each twice
/// as long as the one before, since searching forward is much faster than searching backward.
fn last_line(text: &[u8], start: &[u8], test: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let needle = [b"\n", start].concat();
    let finder = memmem::Finder::new(&needle);
    let (mut from, mut to, mut length) = (text.len(), text.len(), 1 << 16);
    while from > 0 {
        from = from.saturating_sub(length);
        let found = finder.find_iter(&text[from..to]).map(|newline| from + newline + 1);
        if let Some(last) = found.filter(|&at| test(&text[at..])).last() {
            return Some(last);
        }
        to = (from + needle.len()).min(text.len());
        length *= 2;
    }
    (text.starts_with(start) && test(text)).then_some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(text: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut windows = Windows::new(text, size);
        std::iter::from_fn(|| windows.next().unwrap()).collect()
    }

    #[test]
    fn windows_end_between_files_and_lose_nothing() {
        let file = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
        let text = file.repeat(40);
        for size in [1, 60, 100, 1000, 100_000] {
            let windows = windows(text.as_bytes(), size);
            assert_eq!(windows.concat(), text.as_bytes());
            assert!(
                windows.iter().all(|window| window.starts_with(b"diff") && window.len() % file.len() == 0)
            );
        }
    }

    #[test]
    fn lines_that_look_like_a_file_header_do_not_cut_a_hunk() {
        let file = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- no header\n+++ no header\n@@ -9 +9 @@\n-a\n+b\n";
        let text = file.repeat(40);
        for size in [1, 50, 100, 1000] {
            let windows = windows(text.as_bytes(), size);
            assert_eq!(windows.concat(), text.as_bytes());
            assert!(windows.len() > 1);
            assert!(
                windows.iter().all(|window| window.starts_with(b"--- a") && window.len() % file.len() == 0)
            );
        }
    }

    #[test]
    fn a_diff_longer_than_the_window_stays_whole() {
        let long = format!("diff --git a/x b/x\n{}", "+x\n".repeat(5000));
        let text = format!("{long}{long}");
        assert_eq!(windows(text.as_bytes(), 64), [long.as_bytes(), long.as_bytes()]);
    }

    #[test]
    fn the_last_header_is_found_however_far_back() {
        let header = "commit 0123456\nAuthor: A\n\n    x\n\n";
        for length in [0, 10, 70_000, 300_000] {
            let text = format!("{header}{header}{}\ncommit 0123456 is prose\n", "y".repeat(length));
            assert_eq!(last_header(text.as_bytes()), Some(header.len()));
        }
        let both = format!("{header}From a Mon Sep 17 00:00:00 2001\nFrom: a\n");
        assert_eq!(last_header(both.as_bytes()), Some(header.len()));
        assert_eq!((last_header(b""), last_header(header.as_bytes())), (None, Some(0)));
    }
}
