//! Headers and messages of patches sent by mail: `git format-patch`, mail boxes.

use memchr::memchr;
use memchr::memmem;

use super::date::parse_date;
use super::header::FoundHeader;
use super::header::address;
use super::lines::PatchLines;
use super::lines::trim_end;
use super::walk;

/// Whether a line that begins with `From ` ends like one between two letters: with a time and a year.
pub fn is_separator(line: &[u8]) -> bool {
    let mut words = line.rsplit(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let year = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    // Some mail programs put a zone after the year.
    let mut last = words.next();
    if last.is_some_and(|word| word.len() == 5 && matches!(word[0], b'+' | b'-')) {
        last = words.next();
    }
    last.is_some_and(|word| year(&word))
        && words.next().is_some_and(|time| time.iter().filter(|&&byte| byte == b':').count() == 2)
}

/// Whether a line is a field of a letter's header: `Name: value`.
pub fn is_field(line: &[u8]) -> bool {
    let end = memchr(b':', line).unwrap_or(0);
    end > 0 && line[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
}

/// Takes a letter's header and its message, up to the `---` or the diff.
pub fn take<'t>(lines: &mut PatchLines<'t>, id: &str) -> FoundHeader<'t> {
    let mut out = FoundHeader::default();
    let commit = &mut out.header.commit;
    commit.id = id.into();
    while !matches!(lines.rest().first(), None | Some(b'\n' | b'\r')) && !walk::begins_item(lines.rest()) {
        let field = take_field(lines);
        if let Some(who) = value(field, b"from:") {
            commit.author = address(who).to_vec();
        } else if let Some(date) = value(field, b"date:") {
            commit.time = parse_date(date);
        } else if let Some(subject) = value(field, b"subject:") {
            out.subject = subject;
        }
    }
    let message = take_message(lines);
    // Whoever sends another's patch names the author in the first line.
    let first = PatchLines::new(message.trim_ascii_start(), 0).peek();
    if let Some(who) = first.strip_prefix(b"From: ") {
        commit.author = address(trim_end(who)).to_vec();
    }
    out.message = message;
    out
}

/// One field, with the lines it goes on in.
fn take_field<'t>(lines: &mut PatchLines<'t>) -> &'t [u8] {
    let start = lines.at();
    lines.take();
    while matches!(lines.rest().first(), Some(b' ' | b'\t')) {
        lines.take();
    }
    lines.between(start, lines.at())
}

fn take_message<'t>(lines: &mut PatchLines<'t>) -> &'t [u8] {
    let start = lines.at();
    loop {
        let rest = lines.rest();
        if rest.is_empty()
            || walk::begins_item(rest)
            || (rest.starts_with(b"---") && trim_end(lines.peek()) == b"---")
        {
            return lines.between(start, lines.at());
        }
        lines.take();
    }
}

fn value<'t>(field: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let (head, rest) = field.split_at_checked(name.len())?;
    head.eq_ignore_ascii_case(name).then_some(rest)
}

/// A subject as people read it, without `[PATCH]` before it.
pub fn plain_subject(subject: &[u8]) -> Vec<u8> {
    decode(without_tags(subject))
}

/// A subject without `[PATCH 1/2]` and the like.
fn without_tags(mut subject: &[u8]) -> &[u8] {
    loop {
        subject = subject.trim_ascii_start();
        match memchr(b']', subject) {
            Some(end) if subject[0] == b'[' => subject = &subject[end + 1..],
            _ => return subject,
        }
    }
}

/// Undoes `=?UTF-8?q?Fix_=C3=A4?=`, since `Fix_` would not be seen as a word.
fn decode(mut text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    while let Some(start) = memmem::find(text, b"=?") {
        out.extend_from_slice(&text[..start]);
        text = &text[start + 2..];
        let mut parts = text.splitn(4, |&byte| byte == b'?');
        if let (Some(_), Some(encoding), Some(word), Some(rest)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        {
            decode_word(encoding, word, &mut out);
            text = rest.strip_prefix(b"=").unwrap_or(rest);
        }
    }
    out.extend_from_slice(text);
    out
}

fn decode_word(encoding: &[u8], word: &[u8], out: &mut Vec<u8>) {
    if encoding.eq_ignore_ascii_case(b"b") {
        return decode_base64(word, out);
    }
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (byte, hex) {
            (b'_', _) => out.push(b' '),
            (b'=', Some(value)) => {
                out.push(value);
                rest = &after[2..];
            }
            _ => out.push(byte),
        }
    }
}

fn decode_base64(word: &[u8], out: &mut Vec<u8>) {
    let (mut bits, mut held) = (0u32, 0);
    for byte in word {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::history::FixWords;

    use super::super::header;
    use super::super::header::PatchHeader;
    use super::*;

    fn read(text: &str) -> (PatchHeader, usize) {
        assert!(header::begins(text.as_bytes()), "{text}");
        let mut lines = PatchLines::new(text.as_bytes(), 0);
        let header = header::take(&mut lines).judge(&FixWords::default());
        (header, lines.at())
    }

    const FROM: &str = "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n";

    #[test]
    fn a_letter_gives_its_commit() {
        let text = format!(
            "{FROM}From: A B <a@b.org>\nDate: Mon, 17 Sep 2001 01:02:03 +0200\nSubject: [PATCH 1/2] Rename a\n \
             fixture, then\n fix the rest\n\nBody.\n---\n x.c | 2 +-\n"
        );
        let (header, end) = read(&text);
        assert_eq!(header.commit.id, "0123456789012345678901234567890123456789");
        assert_eq!((header.commit.time, &header.commit.author[..]), (Some(1_000_681_323), &b"a@b.org"[..]));
        assert!(header.commit.fix && text[end..].starts_with("---\n"));
    }

    #[test]
    fn encoded_subjects_and_named_authors_count() {
        let encoded =
            |word: &str| format!("{FROM}from: c@d\nsubject: [PATCH] {word}\n\nFrom: E <e@f>\n\nText\n");
        let (header, _) = read(&encoded("=?UTF-8?q?Fix_=C3=A4?="));
        assert!(header.commit.fix && header.commit.author == b"e@f");
        assert!(read(&encoded("=?UTF-8?B?Rml4IMOk?=")).0.commit.fix);
        assert!(!read(&encoded("=?utf?q?Rename")).0.commit.fix);
    }

    #[test]
    fn other_peoples_mail_boxes_have_other_separators() {
        assert!(is_separator(b"From someone at example.org  Mon Sep 17 00:00:00 2001"));
        assert!(is_separator(b"From a@b Mon Sep 17 00:00:00 2001 +0200"));
        assert!(!is_separator(b"From here to 2001") && !is_separator(b"From "));
    }
}
