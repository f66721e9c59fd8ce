//! Commit headers, as `git log` prints them and as mail boxes have them.
//!
//! In: text at the beginning of a line. Out: a [`PatchHeader`], and the cursor behind the message.

use memchr::memchr;
use memchr::memrchr;

use crate::history::Commit;
use crate::history::FixWords;

use super::date::parse_date;
use super::lines::PatchLines;
use super::lines::trim_end;
use super::mail;
use super::walk;

/// A commit, and whether it has several parents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PatchHeader {
    pub commit: Commit,
    pub merge: bool,
}

/// A header as found, its message not yet looked at.
#[derive(Default)]
pub struct FoundHeader<'t> {
    pub header: PatchHeader,
    /// A letter's subject line, as it was sent.
    pub subject: &'t [u8],
    pub message: &'t [u8],
}

impl FoundHeader<'_> {
    /// Looks whether the message describes a fix; of a merge nothing is read, so its message is not either.
    pub fn judge(mut self, fixes: &FixWords) -> PatchHeader {
        self.header.commit.fix = !self.header.merge
            && (fixes.speaks_of_fix(self.message) || fixes.speaks_of_fix(&mail::plain_subject(self.subject)));
        self.header
    }
}

/// Whether a commit header begins here. A message may mention `commit 12ab34 upstream`, and a letter may
/// begin a line with `From`: the rest of the line and the one after it must fit, too.
pub fn begins(rest: &[u8]) -> bool {
    let mut lines = PatchLines::new(rest, 0);
    if let Some(id) = rest.strip_prefix(b"commit ") {
        let line = trim_end(lines.take());
        let after = &line["commit ".len() + hex_length(id)..];
        let shape = hex_length(id) >= 7 && (after.is_empty() || after.starts_with(b" "));
        return shape && LOG_FIELDS.iter().any(|field| lines.rest().starts_with(field));
    }
    rest.starts_with(b"From ") && mail::is_separator(trim_end(lines.take())) && mail::is_field(lines.peek())
}

/// What may follow a `commit` line, in any of git's own formats.
const LOG_FIELDS: [&[u8]; 4] = [b"Author:", b"Merge:", b"tree ", b"Reflog:"];

fn hex_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
}

/// Takes a header and its message.
pub fn take<'t>(lines: &mut PatchLines<'t>) -> FoundHeader<'t> {
    let first = trim_end(lines.take());
    match first.strip_prefix(b"commit ") {
        Some(id) => take_log(lines, hex(id)),
        None => {
            let id = hex(&first["From ".len().min(first.len())..]);
            mail::take(lines, if id.len() >= 40 { id } else { "" })
        }
    }
}

/// The hexadecimal digits that a text begins with; none if they are all zero, as `--zero-commit` has them.
fn hex(text: &[u8]) -> &str {
    let digits = std::str::from_utf8(&text[..hex_length(text)]).unwrap_or_default();
    if digits.bytes().all(|digit| digit == b'0') { "" } else { digits }
}

fn take_log<'t>(lines: &mut PatchLines<'t>, id: &str) -> FoundHeader<'t> {
    let mut header = PatchHeader::default();
    header.commit.id = id.into();
    let mut parents = 0;
    while !matches!(lines.rest().first(), None | Some(b'\n' | b'\r')) && !walk::begins_item(lines.rest()) {
        see_log_field(trim_end(lines.take()), &mut header, &mut parents);
    }
    header.merge |= parents > 1;
    let start = lines.at();
    while matches!(lines.rest(), [b'\n', ..] | [b'\r', b'\n', ..] | [b' ', b' ', b' ', b' ', ..]) {
        lines.take();
    }
    FoundHeader { header, subject: b"", message: lines.between(start, lines.at()) }
}

fn see_log_field(line: &[u8], header: &mut PatchHeader, parents: &mut usize) {
    let commit = &mut header.commit;
    if let Some(who) = line.strip_prefix(b"Author:") {
        commit.author = address(who).to_vec();
    } else if let Some(date) = line.strip_prefix(b"Date:").or_else(|| line.strip_prefix(b"AuthorDate:")) {
        commit.time = parse_date(date);
    } else if let Some(who) = line.strip_prefix(b"author ") {
        commit.author = address(who).to_vec();
        commit.time = memrchr(b'>', who).and_then(|end| parse_date(&who[end + 1..]));
    } else if line.starts_with(b"Merge:") {
        header.merge = true;
    } else if line.starts_with(b"parent ") {
        *parents += 1;
    }
}

/// The address in `Name <address>`; the whole if there are no angle brackets.
pub fn address(who: &[u8]) -> &[u8] {
    let Some(open) = memrchr(b'<', who) else { return who.trim_ascii() };
    let inner = &who[open + 1..];
    &inner[..memchr(b'>', inner).unwrap_or(inner.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (PatchHeader, usize) {
        assert!(begins(text.as_bytes()), "{text}");
        let mut lines = PatchLines::new(text.as_bytes(), 0);
        let header = take(&mut lines).judge(&FixWords::default());
        (header, lines.at())
    }

    #[test]
    fn log_headers_are_read_in_every_format() {
        let medium = "commit 0123456789012345678901234567890123456789 (HEAD -> main)\nAuthor: A B <a@b.org>\n\
                      Date:   Mon Sep 17 01:02:03 2001 +0200\n\n    Fix it\n    \n    More\n\ndiff --git a/x b/x\n";
        let (header, end) = read(medium);
        assert_eq!(header.commit.id, "0123456789012345678901234567890123456789");
        assert_eq!((header.commit.time, &header.commit.author[..]), (Some(1_000_681_323), &b"a@b.org"[..]));
        assert!(header.commit.fix && !header.merge && medium[end..].starts_with("diff --git"));
        let fuller = "commit 0123456\nMerge: 12 34\nAuthor:     A <a@b>\nAuthorDate: 2001-09-17 01:02:03 +0200\n\
                      Commit:     C <c@d>\nCommitDate: 2011-09-17 01:02:03 +0200\n\n    Rename\n";
        let (header, _) = read(fuller);
        assert!(header.merge && !header.commit.fix && header.commit.time == Some(1_000_681_323));
        let raw = "commit 0123456\r\ntree 12\r\nparent 34\r\nparent 56\r\nauthor A <a@b> 1000681323 +0200\r\n\
                   committer C <c@d> 1 +0000\r\n\r\n    Subject\r\n";
        let (header, end) = read(raw);
        assert_eq!((header.commit.time, &header.commit.author[..]), (Some(1_000_681_323), &b"a@b"[..]));
        assert!(header.merge && end == raw.len());
    }

    #[test]
    fn prose_is_no_header() {
        for text in [
            "commit 0123456789012345678901234567890123456789 upstream.\n\nText\n",
            "commit to memory\nAuthor: x\n",
            "From here on it is text\nAuthor: x\n",
            "From 1 Mon Sep 17 00:00:00 2001\nno field\n",
            "commit 0123456",
            "commit ",
            "From ",
        ] {
            assert!(!begins(text.as_bytes()), "{text}");
        }
    }
}
