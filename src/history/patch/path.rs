//! Which file a diff is about, from its header lines.

use std::borrow::Cow;

use super::lines::trim_end;

/// What stands after `--- ` or `+++ `: a name, perhaps quoted, perhaps with a time after a tab.
pub fn name(line: &[u8]) -> Cow<'_, [u8]> {
    let line = trim_end(line);
    if line.first() == Some(&b'"') {
        return unquote(line).map_or(Cow::Borrowed(line), |(name, _)| Cow::Owned(name));
    }
    Cow::Borrowed(line.split(|&byte| byte == b'\t').next().unwrap_or_default())
}

/// Whether the name stands for no file.
pub fn is_null(name: &[u8]) -> bool {
    name == b"/dev/null"
}

/// The path of a file that both sides have, in the new version: without `a/` and `b/` (or the `i/`, `w/`,
/// `c/`, `o/` of `diff.mnemonicPrefix`), unless both sides agree on it and it is a directory.
pub fn shared<'n>(old: &[u8], new: &'n [u8]) -> &'n [u8] {
    match (prefix(old), prefix(new)) {
        (Some(one), Some(other)) if one != other => &new[2..],
        _ => new,
    }
}

/// The path of a file that only one side has.
pub fn single(name: &[u8]) -> &[u8] {
    if prefix(name).is_some() { &name[2..] } else { name }
}

fn prefix(name: &[u8]) -> Option<u8> {
    match name {
        [letter @ (b'a' | b'b' | b'c' | b'i' | b'o' | b'w'), b'/', ..] => Some(*letter),
        _ => None,
    }
}

/// The path in `diff --git a/x b/x`, if the file was not renamed: names may hold spaces, so only two equal
/// halves tell where one ends and the other begins.
pub fn of_git_line(names: &[u8]) -> Option<Cow<'_, [u8]>> {
    let names = trim_end(names);
    if names.first() == Some(&b'"') {
        let (old, length) = unquote(names)?;
        let (new, _) = unquote(names.get(length + 1..)?)?;
        return Some(Cow::Owned(shared(&old, &new).to_vec()));
    }
    let middle = names.len() / 2;
    let (old, new) = (&names[..middle], names.get(middle + 1..)?);
    let same = names[middle] == b' ' && (old == new || old.get(2..) == new.get(2..));
    same.then(|| Cow::Borrowed(shared(old, new)))
}

/// A name in double quotes with C's escapes, and the length of its quoted form.
fn unquote(quoted: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut out = Vec::with_capacity(quoted.len());
    let mut at = 1;
    loop {
        match *quoted.get(at)? {
            b'"' => return Some((out, at + 1)),
            b'\\' => {
                let (byte, length) = escape(&quoted[at + 1..])?;
                out.push(byte);
                at += 1 + length;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

/// The byte that an escape stands for, and how long it is without its backslash.
fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let byte = match *text.first()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'0'..=b'7' => {
            let digits = text.get(..3)?;
            let octal = digits.iter().try_fold(0u16, |sum, digit| {
                (b'0'..=b'7').contains(digit).then(|| sum * 8 + u16::from(digit - b'0'))
            })?;
            return Some((u8::try_from(octal).ok()?, 3));
        }
        mark @ (b'"' | b'\\') => mark,
        _ => return None,
    };
    Some((byte, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_quotes_and_times() {
        let of = |line: &'static str| String::from_utf8(name(line.as_bytes()).into_owned()).unwrap();
        assert_eq!(of("a/x.c\n"), "a/x.c");
        assert_eq!(of("a/with space.c\t\r\n"), "a/with space.c");
        assert_eq!(of("x.c\t2001-09-17 00:00:00.000 +0200\n"), "x.c");
        assert_eq!(of("\"a/sp\\303\\244ce\\t\\\"q\\\".c\"\n"), "a/späce\t\"q\".c");
        assert_eq!(of("\"a/unfinished\n"), "\"a/unfinished");
        assert_eq!(of("\"\\999\"\n"), "\"\\999\"");
    }

    #[test]
    fn prefixes_go_only_if_they_are_prefixes() {
        assert_eq!(shared(b"a/x.c", b"b/x.c"), b"x.c");
        assert_eq!(shared(b"i/x.c", b"w/y.c"), b"y.c");
        assert_eq!(shared(b"a/x.c", b"a/x.c"), b"a/x.c");
        assert_eq!(shared(b"src/x.c", b"src/x.c"), b"src/x.c");
        assert_eq!(single(b"b/x.c"), b"x.c");
    }

    #[test]
    fn a_git_line_names_its_file_if_both_halves_agree() {
        let of = |line: &'static str| of_git_line(line.as_bytes()).map(Cow::into_owned);
        assert_eq!(of("a/x y.c b/x y.c\n").unwrap(), b"x y.c");
        assert_eq!(of("x.c x.c\n").unwrap(), b"x.c");
        assert_eq!(of("\"a/\\303\\244.c\" \"b/\\303\\244.c\"\n").unwrap(), "ä.c".as_bytes());
        assert_eq!((of("a/x.c b/yy.c\n"), of("a/x.c b/y.c"), of("\n")), (None, None, None));
    }
}
