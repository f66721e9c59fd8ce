//! One hunk: its header's counts say how far it goes; its rows make two texts and the blocks in them.

use super::lines::PatchLines;

/// The counts of `@@ -1,4 +1,5 @@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HunkCounts {
    pub old: u64,
    pub new: u64,
}

impl HunkCounts {
    /// Reads a header line; none if it is not one.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let (old, rest) = count(line.strip_prefix(b"@@ -")?)?;
        let (new, rest) = count(rest.strip_prefix(b" +")?)?;
        rest.starts_with(b" @@").then_some(Self { old, new })
    }
}

/// The count of `12,3`, which is 1 if left out, and what follows.
fn count(text: &[u8]) -> Option<(u64, &[u8])> {
    let (_, rest) = number(text)?;
    match rest.strip_prefix(b",") {
        Some(rest) => number(rest),
        None => Some((1, rest)),
    }
}

fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let add = |sum: u64, digit: &u8| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
    let value = digits.iter().try_fold(0, add)?;
    (!digits.is_empty()).then_some((value, rest))
}

/// What a line of a hunk is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum HunkRow {
    Context,
    Removed,
    Added,
    /// `\ No newline at end of file`, in whatever language: it mentions the line before it.
    NoNewline,
}

/// How a hunk came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With the counts used up.
    Sound,
    /// Before the counts were used up, at the end of the text or a line that belongs to no hunk.
    Early,
    /// With more lines than were announced.
    Late,
}

/// Goes through a hunk's rows as its counts say; the cursor stops behind it.
#[inline]
pub fn walk<'t>(
    lines: &mut PatchLines<'t>,
    counts: HunkCounts,
    mut see: impl FnMut(HunkRow, &'t [u8]),
) -> End {
    let HunkCounts { mut old, mut new } = counts;
    while old > 0 || new > 0 {
        let (row, skip) = match lines.rest() {
            [b' ', ..] => (HunkRow::Context, 1),
            // Mailers strip the blank that an empty context line consists of.
            [b'\n', ..] | [b'\r', b'\n', ..] => (HunkRow::Context, 0),
            [b'-', ..] => (HunkRow::Removed, 1),
            [b'+', ..] => (HunkRow::Added, 1),
            [b'\\', ..] => (HunkRow::NoNewline, 1),
            _ => return End::Early,
        };
        let takes_old = matches!(row, HunkRow::Context | HunkRow::Removed);
        let takes_new = matches!(row, HunkRow::Context | HunkRow::Added);
        if (takes_old && old == 0) || (takes_new && new == 0) {
            return End::Late;
        }
        old -= u64::from(takes_old);
        new -= u64::from(takes_new);
        see(row, &lines.take()[skip..]);
    }
    if lines.rest().first() == Some(&b'\\') {
        see(HunkRow::NoNewline, lines.take());
    }
    End::Sound
}

/// One block's place in both texts.
#[derive(Clone, Copy)]
pub struct Edges {
    pub before: (usize, usize),
    pub after: (usize, usize),
}

/// Both sides of a hunk; one value serves all hunks in turn, so that its buffers are made once.
#[derive(Default)]
pub struct Hunk {
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    pub blocks: Vec<Edges>,
    open: Option<(usize, usize)>,
}

impl Hunk {
    /// Reads a hunk's rows. In a broken hunk, a block that no context closes is left out: part of it may be
    /// missing, and it would look like another change.
    pub fn read(&mut self, lines: &mut PatchLines, counts: HunkCounts) -> End {
        self.before.clear();
        self.after.clear();
        self.blocks.clear();
        self.open = None;
        let mut last = HunkRow::Context;
        let end = walk(lines, counts, |row, line| {
            self.take(row, line, last);
            last = row;
        });
        if end == End::Sound || matches!(lines.rest(), [b' ', ..]) {
            self.close();
        }
        end
    }

    #[inline]
    fn take(&mut self, row: HunkRow, line: &[u8], last: HunkRow) {
        match row {
            HunkRow::Context => {
                self.close();
                self.before.extend_from_slice(line);
                self.after.extend_from_slice(line);
            }
            HunkRow::Removed => {
                self.open.get_or_insert((self.before.len(), self.after.len()));
                self.before.extend_from_slice(line);
            }
            HunkRow::Added => {
                self.open.get_or_insert((self.before.len(), self.after.len()));
                self.after.extend_from_slice(line);
            }
            HunkRow::NoNewline => self.chop(last),
        }
    }

    fn close(&mut self) {
        let Some((before, after)) = self.open.take() else { return };
        let edges = Edges { before: (before, self.before.len()), after: (after, self.after.len()) };
        // A lone sign at the text's end, or an empty line said to have no end, leaves nothing on either side.
        if edges.before.0 < edges.before.1 || edges.after.0 < edges.after.1 {
            self.blocks.push(edges);
        }
    }

    /// Takes the line end from the last line of the sides that `last` belongs to.
    fn chop(&mut self, last: HunkRow) {
        if matches!(last, HunkRow::Removed | HunkRow::Context) {
            self.before.pop_if(|byte| *byte == b'\n');
        }
        if matches!(last, HunkRow::Added | HunkRow::Context) {
            self.after.pop_if(|byte| *byte == b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_give_their_counts() {
        let of = |line: &str| HunkCounts::parse(line.as_bytes()).map(|counts| (counts.old, counts.new));
        assert_eq!(of("@@ -1,4 +1,5 @@ int main(void)\n"), Some((4, 5)));
        assert_eq!(of("@@ -1 +0,0 @@\n"), Some((1, 0)));
        for line in
            ["@@ -1,4 +1,5\n", "@@ -,4 +1,5 @@", "@@ -1,99999999999999999999 +1 @@", "@@@ -1 -1 +1 @@@"]
        {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
