//! One change: a block of lines before and after, with as much of its surroundings as is known.

use std::ops::Range;

use crate::text::Span;

use super::ResumePoints;
use super::resume_points::line_start;

/// What is known of the commit a change belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Hexadecimal id; empty where patch text does not say.
    pub id: String,
    /// Seconds since 1970 when it was written; none where patch text does not say.
    pub time: Option<i64>,
    /// The author's address: with the time, it tells a cherry-picked change from a similar one.
    pub author: Vec<u8>,
    /// The message describes a fix.
    pub fix: bool,
}

/// How much of a side's surroundings is known.
#[derive(Clone, Copy, Debug)]
pub enum Known<'a> {
    /// The whole file, and where in it a lexer may begin.
    File(&'a ResumePoints),
    /// A few lines around the block, and nothing of what stands before them.
    Hunk,
}

/// One side of a change.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The file, or the part of it that the patch shows.
    pub text: &'a [u8],
    /// The changed lines in it.
    pub block: Span,
    pub known: Known<'a>,
}

impl<'a> Side<'a> {
    /// The changed lines.
    pub fn lines(&self) -> &'a [u8] {
        self.block.of(self.text)
    }

    /// Where to begin lexing so that the line at `at` is seen right, or as right as can be.
    pub fn resume_point(&self, at: usize) -> usize {
        match self.known {
            Known::File(ground) => ground.resume_point(self.text, at),
            Known::Hunk => line_start(self.text, at),
        }
    }

    /// The block as a range that indexes the text.
    pub fn range(&self) -> Range<usize> {
        self.block.range()
    }
}

/// A contiguous block of removed and added lines.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub path: &'a [u8],
    pub before: Side<'a>,
    pub after: Side<'a>,
}

/// Takes changes as they are read. Readers run several collectors at once, one per thread.
pub trait Collector: Send {
    fn take(&mut self, commit: &Commit, change: &Change);
}
