//! Changes of a text as a unified diff.

use std::path::Path;

use crate::insert::TextEdit;
use crate::insert::apply_all;

/// Lines shown before and after a change.
const CONTEXT: usize = 3;

/// Lines of the original, and what stands in their place.
struct Change {
    first: usize,
    end: usize,
    new: Vec<u8>,
}

/// The diff, with `a/` and `b/` before the path, as `git apply` takes it. The edits are in order and do not touch
/// each other.
pub fn unified(path: &Path, text: &[u8], edits: &[TextEdit]) -> Vec<u8> {
    let lines = lines(text);
    let changes = changes(text, edits);
    let name = path.display();
    let mut out = format!("--- a/{name}\n+++ b/{name}\n").into_bytes();
    // How many lines more there are after what was written so far.
    let mut shift = 0;
    let near = |a: &Change, b: &Change| b.first <= a.end + 2 * CONTEXT;
    for hunk in changes.chunk_by(near) {
        let from = hunk[0].first.saturating_sub(CONTEXT);
        let to = (hunk[hunk.len() - 1].end + CONTEXT).min(lines.len());
        let more: isize = hunk.iter().map(Change::growth).sum();
        let (old, new) = (to - from, (to - from).saturating_add_signed(more));
        let start = (from + 1).saturating_add_signed(shift);
        out.extend(format!("@@ -{} +{} @@\n", range(from + 1, old), range(start, new)).bytes());
        let mut at = from;
        for change in hunk {
            put(&mut out, b' ', &lines[at..change.first]);
            put(&mut out, b'-', &lines[change.first..change.end]);
            put(&mut out, b'+', &self::lines(&change.new));
            at = change.end;
        }
        put(&mut out, b' ', &lines[at..to]);
        shift += more;
    }
    out
}

impl Change {
    /// How many lines more it has than what it stands for.
    fn growth(&self) -> isize {
        lines(&self.new).len() as isize - (self.end - self.first) as isize
    }
}

/// The edits by whole lines; those that share lines are one.
fn changes(text: &[u8], edits: &[TextEdit]) -> Vec<Change> {
    let line_start = |at: usize| memchr::memrchr(b'\n', &text[..at]).map_or(0, |at| at + 1);
    let line_end = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
    let count = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
    let begins_line = |at: usize| line_start(at) == at;
    // Whole lines for whole lines leave the next line alone.
    let end_of = |edit: &TextEdit| {
        let whole = begins_line(edit.start) && begins_line(edit.end);
        let replaced = edit.text.is_empty() || edit.text.ends_with(b"\n");
        if whole && replaced { edit.end } else { line_end(edit.end) }
    };
    let shares = |a: &TextEdit, b: &TextEdit| end_of(a) > line_start(b.start);
    let change = |group: &[TextEdit]| {
        let (start, end) = (line_start(group[0].start), end_of(&group[group.len() - 1]));
        let first = count(&text[..start]);
        let new = apply_all(&text[..end], group).split_off(start);
        Change { first, end: first + lines(&text[start..end]).len(), new }
    };
    edits.chunk_by(shares).map(change).collect()
}

fn put(out: &mut Vec<u8>, mark: u8, lines: &[&[u8]]) {
    for line in lines {
        out.push(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

fn range(start: usize, count: usize) -> String {
    match count {
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(text: &str, edits: &[(usize, usize, &str)]) -> String {
        let edits: Vec<TextEdit> = edits
            .iter()
            .map(|(start, end, text)| TextEdit { start: *start, end: *end, text: text.as_bytes().to_vec() })
            .collect();
        String::from_utf8(unified(Path::new("x"), text.as_bytes(), &edits)).unwrap()
    }

    #[test]
    fn edits_of_one_line_are_one_change_and_near_ones_one_hunk() {
        let text = "a b\nc\nd\ne";
        let wanted = "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-a b\n+A B\n c\n d\n-e\n\\ No newline at end of file\n+E\n\\ No newline at end of file\n";
        assert_eq!(diff(text, &[(0, 1, "A"), (2, 3, "B"), (8, 9, "E")]), wanted);
    }

    #[test]
    fn whole_lines_that_go_or_come_leave_the_next_one_alone() {
        let text = "a\nb\nc\n";
        assert_eq!(diff(text, &[(2, 4, "")]), "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n a\n-b\n c\n");
        assert_eq!(diff(text, &[(2, 2, "new\n")]), "--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\n a\n+new\n b\n c\n");
        assert_eq!(diff(text, &[(0, 6, "")]), "--- a/x\n+++ b/x\n@@ -1,3 +0,0 @@\n-a\n-b\n-c\n");
    }

    #[test]
    fn later_hunks_begin_where_earlier_ones_moved_them() {
        let text: String = (1..=20).map(|line| format!("{line}\n")).collect();
        let end = text.len();
        let shown = diff(&text, &[(0, 2, "1\nnew\n"), (end - 3, end, "")]);
        assert!(shown.contains("@@ -1,4 +1,5 @@\n-1\n+1\n+new\n 2\n 3\n"), "{shown}");
        assert!(shown.contains("@@ -17,4 +18,3 @@\n 17\n 18\n 19\n-20\n"), "{shown}");
    }
}
