//! Finds what matters in patch text: commits, the diffs of files, hunks. Everything else is passed over.

use std::borrow::Cow;

use super::header;
use super::hunk::HunkCounts;
use super::lines::PatchLines;
use super::lines::trim_end;
use super::path;

/// One item of patch text.
pub enum Item<'t> {
    /// A commit header; the walker stands at its beginning, whoever wants it takes it.
    Commit,
    /// `diff --git` or another diff's command line: a new file begins. The path if it can be told.
    Diff(Option<Cow<'t, [u8]>>),
    /// `diff --cc`, `diff --combined`: a merge's diff. All up to the next diff or commit is passed over.
    Combined,
    /// `--- old` and `+++ new`; `headed` if a [`Item::Diff`] spoke of the same file.
    Files { old: Cow<'t, [u8]>, new: Cow<'t, [u8]>, headed: bool },
    /// The file is new or gone.
    OneSided,
    /// The file is binary.
    Binary,
    /// A hunk's header; whoever gets it goes through the rows, too.
    Hunk(HunkCounts),
    /// A hunk of another format than unified, or with a header that cannot be read.
    Foreign,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Messages, statistics, or nothing known.
    Outside,
    /// After a diff's command line.
    Head,
    /// After `+++ new`.
    Body,
    Combined,
}

/// Goes through patch text from a place outside any hunk.
pub struct Walker<'t> {
    pub lines: PatchLines<'t>,
    section: Section,
}

/// Whether a diff's command line begins here. Lines of a hunk begin with a sign, so in column one it is
/// never part of one, and the text may be cut before it.
pub const DIFF: &[u8] = b"diff -";

/// Whether a commit, or a file's diff with or without a command line, begins here.
pub fn begins_item(rest: &[u8]) -> bool {
    match rest.first() {
        Some(b'd') => rest.starts_with(DIFF),
        Some(b'-') => rest.starts_with(b"--- ") && take_files(&mut PatchLines::new(rest, 0)).is_some(),
        Some(b'c' | b'F') => header::begins(rest),
        _ => false,
    }
}

impl<'t> Walker<'t> {
    pub fn new(text: &'t [u8], at: usize) -> Self {
        Self { lines: PatchLines::new(text, at), section: Section::Outside }
    }

    /// The next item and where it begins; none at the end.
    pub fn next(&mut self) -> Option<(usize, Item<'t>)> {
        loop {
            let start = self.lines.at();
            let rest = self.lines.rest();
            let found = match *rest.first()? {
                b'@' => self.see_hunk(rest),
                b'-' => self.see_files(rest),
                b'd' if rest.starts_with(DIFF) => Some(self.see_diff()),
                b'c' | b'F' if header::begins(rest) => {
                    self.section = Section::Outside;
                    Some(Item::Commit)
                }
                b'n' | b'd' | b'B' | b'G' if self.section == Section::Head => see_extended(rest),
                b'*' => rest.starts_with(b"***************").then_some(Item::Foreign),
                b'0'..=b'9' => self.see_command(),
                _ => None,
            };
            match found {
                Some(item @ (Item::Commit | Item::Diff(_) | Item::Combined | Item::Files { .. })) => {
                    return Some((start, item));
                }
                Some(item) => {
                    self.lines.take();
                    return Some((start, item));
                }
                None => self.lines.take(),
            };
        }
    }

    fn see_diff(&mut self) -> Item<'t> {
        let line = self.lines.take();
        if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            self.section = Section::Combined;
            return Item::Combined;
        }
        self.section = Section::Head;
        Item::Diff(line.strip_prefix(b"diff --git ").and_then(path::of_git_line))
    }

    fn see_files(&mut self, rest: &[u8]) -> Option<Item<'t>> {
        if self.section == Section::Combined || !rest.starts_with(b"--- ") {
            return None;
        }
        let (old, new) = take_files(&mut self.lines)?;
        let headed = self.section == Section::Head;
        self.section = Section::Body;
        Some(Item::Files { old, new, headed })
    }

    fn see_hunk(&mut self, rest: &[u8]) -> Option<Item<'t>> {
        if self.section == Section::Combined || !rest.starts_with(b"@@ -") {
            return None;
        }
        Some(HunkCounts::parse(self.lines.peek()).map_or(Item::Foreign, Item::Hunk))
    }

    /// The commands of a plain or `ed` diff: `12,14c12`.
    fn see_command(&self) -> Option<Item<'t>> {
        let line = trim_end(self.lines.peek());
        let digits = |part: &[u8]| part.iter().all(|byte| byte.is_ascii_digit() || *byte == b',');
        let letter = line.iter().position(u8::is_ascii_alphabetic)?;
        let is_command = matches!(line[letter], b'a' | b'c' | b'd')
            && digits(&line[..letter])
            && digits(&line[letter + 1..]);
        (is_command && self.section == Section::Head).then_some(Item::Foreign)
    }
}

fn see_extended<'t>(rest: &[u8]) -> Option<Item<'t>> {
    if rest.starts_with(b"new file mode ") || rest.starts_with(b"deleted file mode ") {
        return Some(Item::OneSided);
    }
    let binary = rest.starts_with(b"Binary files ") || rest.starts_with(b"GIT binary patch");
    binary.then_some(Item::Binary)
}

type Names<'t> = (Cow<'t, [u8]>, Cow<'t, [u8]>);

/// Takes `--- old` and `+++ new`; takes nothing if it is not that.
fn take_files<'t>(lines: &mut PatchLines<'t>) -> Option<Names<'t>> {
    let mut ahead = lines.clone();
    let old = ahead.take().strip_prefix(b"--- ")?;
    let new = ahead.take().strip_prefix(b"+++ ")?;
    *lines = ahead;
    Some((path::name(old), path::name(new)))
}
