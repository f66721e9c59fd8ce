//! Text that is safe to show on a terminal.
//!
//! In: text that may come from anywhere: names of files and tests, messages, operators, what git and compilers
//! print. Out: the same text with everything spelled out that a terminal would obey and a person would not see:
//! escape sequences, control characters, marks that turn the direction of writing. Invariant: the output has no
//! control character but the tab and, in [`printable`], the line end, [`PAINTS`] and links to files ([`file_link`]).

use std::borrow::Cow;

/// The escape sequences that wildcaught itself prints. They say how text looks, and move nothing.
pub const PAINTS: [&str; 6] = [PLAIN, BOLD, BLUE, RED, GREEN, CYAN];

pub const PLAIN: &str = "\u{1b}[0m";
pub const BOLD: &str = "\u{1b}[1m";
pub const BLUE: &str = "\u{1b}[1;34m";
pub const RED: &str = "\u{1b}[31m";
pub const GREEN: &str = "\u{1b}[32m";
pub const CYAN: &str = "\u{1b}[36m";

/// How a link begins, to a file and nowhere else, and how its address and the link end.
const LINK: &str = "\u{1b}]8;;file:///";
const LINK_END: &str = "\u{1b}\\";
const LINK_OFF: &str = "\u{1b}]8;;\u{1b}\\";

/// Text that opens a file when it is clicked, where a terminal can do that (OSC 8); `path` is from the root of the file
/// system, and the line goes behind it as terminals read it.
pub fn file_link(path: &str, line: u32, text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let address: String = path
        .trim_start_matches('/')
        .bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("{LINK}{address}#{line}{LINK_END}{text}{LINK_OFF}")
}

/// The beginning or the end of a link that text starts with.
fn link(text: &str) -> Option<&str> {
    if text.starts_with(LINK_OFF) {
        return Some(LINK_OFF);
    }
    let rest = text.strip_prefix(LINK)?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~/%#".contains(letter);
    let address = rest.len() - rest.trim_start_matches(plain).len();
    let whole = LINK.len() + address + LINK_END.len();
    rest[address..].starts_with(LINK_END).then(|| &text[..whole])
}

/// Text of several lines; our own colours and links to files stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    let fine = |letter: char| letter == '\n' || !is_hidden(letter);
    if text.chars().all(fine) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let paint = PAINTS.into_iter().find(|paint| rest.starts_with(paint)).or_else(|| link(rest));
        let whole = paint.or_else(|| rest.starts_with("\r\n").then_some("\r\n"));
        match (paint, whole) {
            (Some(paint), _) => out.push_str(paint),
            (None, Some(_)) => out.push('\n'),
            (None, None) if fine(letter) => out.push(letter),
            (None, None) => spell(letter, &mut out),
        }
        rest = &rest[whole.map_or(letter.len_utf8(), str::len)..];
    }
    Cow::Owned(out)
}

/// A name, or other text that must stay in its line: line ends and colours are spelled out too.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_hidden(letter) {
            true => spell(letter, &mut out),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal obeys the character in place of showing it.
fn is_hidden(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_control() && letter != '\t';
    }
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The character as Rust would write it.
fn spell(letter: char, out: &mut String) {
    out.extend(letter.escape_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        for (text, line) in [
            ("größe\tok 🦀", "größe\tok 🦀"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("a\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("a\u{9b}31mb", "a\\u{9b}31mb"),
            ("a\u{202e}cba\u{2066}", "a\\u{202e}cba\\u{2066}"),
            ("a\u{8}\u{7f}\0", "a\\u{8}\\u{7f}\\u{0}"),
            ("a\rb", "a\\rb"),
        ] {
            assert_eq!(one_line(text), line);
            assert_eq!(printable(text), line);
        }
    }

    #[test]
    fn links_lead_to_files_and_nowhere_else() {
        let link = file_link("/a b/ü.c", 7, "ü.c:7");
        assert_eq!(link, "\u{1b}]8;;file:///a%20b/%C3%BC.c#7\u{1b}\\ü.c:7\u{1b}]8;;\u{1b}\\");
        assert_eq!(printable(&link), link);
        assert!(!one_line(&link).contains('\u{1b}'));
        for other in
            ["\u{1b}]8;;http://x\u{1b}\\x", "\u{1b}]8;;file:///x;\u{1b}\\", "\u{1b}]8;;file:///x\u{7}"]
        {
            assert!(
                !printable(other).contains("\u{1b}]8;;f") && !printable(other).contains("\u{1b}]8;;h"),
                "{other:?}"
            );
        }
    }

    #[test]
    fn only_text_of_several_lines_has_line_ends_and_our_colours() {
        let text = format!("{RED}- a{PLAIN}\r\nb\u{1b}[5m");
        assert_eq!(printable(&text), format!("{RED}- a{PLAIN}\nb\\u{{1b}}[5m"));
        assert_eq!(one_line("a\nwarning: b"), "a\\nwarning: b");
        assert_eq!(one_line(RED), "\\u{1b}[31m");
    }
}
