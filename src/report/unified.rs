//! One change of a text as a unified diff.

use std::path::Path;

use crate::insert::TextEdit;

/// Lines shown before and after the change.
const CONTEXT: usize = 3;

/// The diff, with `a/` and `b/` before the path, as `git apply` takes it.
pub fn unified(path: &Path, text: &[u8], edit: &TextEdit) -> Vec<u8> {
    let first = memchr::memrchr(b'\n', &text[..edit.start]).map_or(0, |at| at + 1);
    let last = memchr::memchr(b'\n', &text[edit.end..]).map_or(text.len(), |at| edit.end + at + 1);
    let new = [&text[first..edit.start], &edit.text, &text[edit.end..last]].concat();
    let (old, new) = (lines(&text[first..last]), lines(&new));
    let before = lines(&text[..first]);
    let after = lines(&text[last..]);
    let lead = &before[before.len().saturating_sub(CONTEXT)..];
    let trail = &after[..after.len().min(CONTEXT)];
    let start = before.len() - lead.len() + 1;
    let (old_count, new_count) = (lead.len() + old.len() + trail.len(), lead.len() + new.len() + trail.len());
    let name = path.display();
    let mut out = format!(
        "--- a/{name}\n+++ b/{name}\n@@ -{} +{} @@\n",
        range(start, old_count),
        range(start, new_count)
    )
    .into_bytes();
    for (mark, part) in [(b' ', lead), (b'-', &old[..]), (b'+', &new[..]), (b' ', trail)] {
        for line in part {
            out.push(mark);
            out.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
    }
    out
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
