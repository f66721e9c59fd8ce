//! Reads one piece of patch text into changes.

use std::borrow::Cow;

use crate::control::Progress;
use crate::history::Census;
use crate::history::Change;
use crate::history::Collector;
use crate::history::CommitSelection;
use crate::history::FixWords;
use crate::history::Known;
use crate::history::Side;
use crate::history::select::Unwanted;
use crate::langdef::LangDef;
use crate::text::Span;

use super::header;
use super::header::PatchHeader;
use super::hunk;
use super::hunk::Edges;
use super::hunk::End;
use super::hunk::Hunk;
use super::hunk::HunkCounts;
use super::path;
use super::walk::Item;
use super::walk::Walker;

/// Options of a reading.
#[derive(Clone, Copy)]
pub struct PatchWish<'a> {
    pub def: &'a LangDef,
    pub selection: &'a CommitSelection,
    pub fixes: &'a FixWords,
    pub progress: &'a Progress,
}

/// A part of the text that begins outside any hunk, and the commit that was spoken of last before it.
pub struct PatchPiece<'t> {
    pub text: &'t [u8],
    pub header: PatchHeader,
}

/// What is to be done with the hunks of the current file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// No file was named yet.
    Open,
    Read,
    Skip,
}

/// Hands a piece's changes to a collector.
pub struct PieceReader<'a, 't, C> {
    wish: PatchWish<'a>,
    walker: Walker<'t>,
    header: PatchHeader,
    path: Cow<'t, [u8]>,
    verdict: Verdict,
    hunk: Hunk,
    census: Census,
    collector: &'a mut C,
}

impl<'a, 't, C: Collector> PieceReader<'a, 't, C> {
    pub fn new(wish: PatchWish<'a>, piece: PatchPiece<'t>, collector: &'a mut C) -> Self {
        Self {
            wish,
            walker: Walker::new(piece.text, 0),
            header: piece.header,
            path: Cow::Borrowed(b""),
            verdict: Verdict::Open,
            hunk: Hunk::default(),
            census: Census::default(),
            collector,
        }
    }

    /// Reads to the end of the piece, or until the reading is to stop.
    pub fn read(mut self) -> Census {
        let mut seen = 0;
        while let Some((at, item)) = self.walker.next() {
            if matches!(item, Item::Diff(_) | Item::Files { .. }) {
                self.advance(&mut seen, at);
                if self.wish.progress.stopped() {
                    return self.census;
                }
            }
            self.see(item);
        }
        let end = self.walker.lines.at();
        self.advance(&mut seen, end);
        self.census
    }

    fn advance(&mut self, seen: &mut usize, at: usize) {
        let bytes = (at - *seen) as u64;
        self.wish.progress.advance(bytes * 1024);
        self.census.bytes += bytes;
        *seen = at;
    }

    fn see(&mut self, item: Item<'t>) {
        match item {
            Item::Commit => {
                self.header = header::take(&mut self.walker.lines).judge(self.wish.fixes);
                self.verdict = Verdict::Open;
                self.census.merges += u64::from(self.header.merge);
                self.census.commits += u64::from(!self.header.merge);
            }
            Item::Diff(path) => {
                self.path = path.unwrap_or_default();
                self.verdict = if self.header.merge { Verdict::Skip } else { Verdict::Open };
            }
            Item::Combined => {
                // A commit that says it is a merge was counted as one already.
                self.census.merges += u64::from(!self.header.merge);
                self.verdict = Verdict::Skip;
            }
            Item::Files { old, new, headed } => self.see_files(&old, new, headed),
            Item::OneSided => self.skip_file(|census| &mut census.added_or_removed),
            Item::Binary => self.skip_file(|census| &mut census.unfit),
            Item::Hunk(counts) => self.see_hunk(counts),
            Item::Foreign => self.census.malformed += u64::from(self.verdict != Verdict::Skip),
        }
    }

    /// Leaves the current file out and counts that, once.
    fn skip_file(&mut self, count: impl Fn(&mut Census) -> &mut u64) {
        if self.verdict == Verdict::Open && self.wish.def.owns(&self.path) {
            *count(&mut self.census) += 1;
        }
        self.verdict = Verdict::Skip;
    }

    fn see_files(&mut self, old: &[u8], new: Cow<'t, [u8]>, headed: bool) {
        if self.header.merge || (headed && self.verdict == Verdict::Skip) {
            self.verdict = Verdict::Skip;
            return;
        }
        self.verdict = Verdict::Open;
        if path::is_null(old) || path::is_null(&new) {
            let name = if path::is_null(old) { &new } else { old };
            self.path = Cow::Owned(path::single(name).to_vec());
            return self.skip_file(|census| &mut census.added_or_removed);
        }
        let prefix = new.len() - path::shared(old, &new).len();
        self.path = match new {
            Cow::Borrowed(name) => Cow::Borrowed(&name[prefix..]),
            Cow::Owned(name) => Cow::Owned(name[prefix..].to_vec()),
        };
        self.judge();
    }

    fn judge(&mut self) {
        self.verdict = Verdict::Skip;
        match self.wish.selection.judge_path(self.wish.def, &self.path) {
            None => {
                self.verdict = Verdict::Read;
                self.census.files += 1;
            }
            Some(Unwanted::Vendored) => self.census.vendored += 1,
            Some(Unwanted::Generated) => self.census.generated += 1,
            Some(_) => {}
        }
    }

    fn see_hunk(&mut self, counts: HunkCounts) {
        let lines = &mut self.walker.lines;
        let end = match self.verdict {
            Verdict::Read => self.hunk.read(lines, counts),
            Verdict::Skip => {
                hunk::walk(lines, counts, |_, _| {});
                return;
            }
            Verdict::Open => {
                // A hunk of no file: nobody knows which language it is.
                hunk::walk(lines, counts, |_, _| {});
                End::Early
            }
        };
        self.census.malformed += u64::from(end != End::Sound);
        if self.verdict == Verdict::Read {
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        let Hunk { before, after, blocks, .. } = &self.hunk;
        if before.len().max(after.len()) > u32::MAX as usize {
            self.census.unfit += 1;
            return;
        }
        self.census.blocks += blocks.len() as u64;
        for Edges { before: (b0, b1), after: (a0, a1) } in blocks.iter().copied() {
            let change = Change {
                path: &self.path,
                before: Side { text: before, block: Span::new(b0, b1), known: Known::Hunk },
                after: Side { text: after, block: Span::new(a0, a1), known: Known::Hunk },
            };
            self.collector.take(&self.header.commit, &change);
        }
    }
}
