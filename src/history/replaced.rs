//! Which lines of the old text a diff is about.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::changed::ChangedLines;
use super::changed::hunk_head;
use super::changed::push_line;
use super::patch::path;

/// The lines that a diff takes out or replaces, counted as in the old text, with paths as it names them but for
/// `a/` and `b/`. Where it only adds lines, it is the line that follows them, or the one before at the end of a
/// file. Files that the diff creates are not in it.
pub fn replaced_in(diff: &[u8]) -> ChangedLines {
    let mut reader = Reader::default();
    diff.split(|byte| *byte == b'\n').for_each(|text| reader.line(text));
    reader.end_block(true);
    reader.replaced
}

#[derive(Default)]
struct Reader {
    replaced: ChangedLines,
    old: Vec<u8>,
    file: Option<PathBuf>,
    /// The next line of the old text, and the lines of either side that the hunk still has.
    line: usize,
    removed: usize,
    added: usize,
    /// The current block: where it began, lines taken out, whether lines were added.
    taken: Vec<usize>,
    adds: bool,
    /// The hunk shows no line of the old text.
    bare: bool,
}

impl Reader {
    fn line(&mut self, text: &[u8]) {
        if self.removed > 0 || self.added > 0 {
            return self.inside(text);
        }
        self.end_block(true);
        if let Some(name) = text.strip_prefix(b"--- ") {
            self.old = path::name(name).into_owned();
        } else if let Some(name) = text.strip_prefix(b"+++ ") {
            let new = path::name(name);
            let old =
                if path::is_null(&new) { path::single(&self.old) } else { path::shared(&new, &self.old) };
            let known = !path::is_null(&self.old);
            self.file = known.then(|| PathBuf::from(String::from_utf8_lossy(old).into_owned()));
        } else if let Some(head) = text.strip_prefix(b"@@ -") {
            let head = hunk_head(head);
            let (line, removed, _, added) = head.unwrap_or((0, 0, 0, 0));
            // A hunk without old lines names the line before it.
            self.bare = head.is_some() && removed == 0;
            self.line = line + usize::from(self.bare);
            (self.removed, self.added) = (removed, added);
        }
    }

    fn inside(&mut self, text: &[u8]) {
        match text.first() {
            Some(b'+') => {
                self.adds = true;
                self.added = self.added.saturating_sub(1);
            }
            Some(b'-') => {
                self.taken.push(self.line);
                self.line += 1;
                self.removed = self.removed.saturating_sub(1);
            }
            Some(b'\\') => {}
            _ => {
                self.end_block(false);
                self.line += 1;
                self.removed = self.removed.saturating_sub(1);
                self.added = self.added.saturating_sub(1);
            }
        }
    }

    /// Notes what a block was about; `last` if no line of the old text follows it in the hunk.
    fn end_block(&mut self, last: bool) {
        let (mut taken, adds) = (std::mem::take(&mut self.taken), std::mem::take(&mut self.adds));
        if taken.is_empty() && adds {
            // A hunk with context that ends here ends with the file; one without says nothing of it.
            let ends = last && !self.bare;
            taken.push(if ends { self.line.saturating_sub(1).max(1) } else { self.line });
        }
        if let Some(file) = &self.file {
            for line in taken {
                let ranges: &mut Vec<RangeInclusive<usize>> = self.replaced.entry(file.clone()).or_default();
                push_line(ranges, line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn lines_count_as_in_the_old_text() {
        let diff = b"diff --git a/x y.c b/x y.c\n--- a/x y.c\n+++ b/x y.c\n@@ -1,4 +1,4 @@\n a\n-b\n-bb\n+B\n+C\n d\n@@ -9 +10,0 @@\n-gone\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+--- two\n";
        let found = replaced_in(diff);
        assert_eq!(found[Path::new("x y.c")], [2..=3, 9..=9]);
        assert_eq!(found[Path::new("n")], [1..=1]);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn additions_point_at_the_line_that_follows() {
        let inside = b"--- a/f\n+++ b/f\n@@ -4,2 +4,3 @@\n four\n+more\n five\n";
        assert_eq!(replaced_in(inside)[Path::new("f")], [5..=5]);
        let without_context = b"--- a/f\n+++ b/f\n@@ -4,0 +5 @@\n+more\n";
        assert_eq!(replaced_in(without_context)[Path::new("f")], [5..=5]);
        let at_the_end = b"--- a/f\n+++ b/f\n@@ -4,2 +4,3 @@\n four\n five\n+more";
        assert_eq!(replaced_in(at_the_end)[Path::new("f")], [5..=5]);
    }
}
