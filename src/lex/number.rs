//! Where a number ends: digits of any radix, separators, one dot, exponent, suffix.

use crate::langdef::Numbers;

/// The end of the number that begins at `start` with a digit or with a dot before a digit.
pub(super) fn end(rules: &Numbers, word_bytes: &[bool; 256], text: &[u8], start: usize) -> usize {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let hex = byte(start) == b'0' && matches!(byte(start + 1), b'x' | b'X');
    let field =
        rules.fields && start > 0 && text[start - 1] == b'.' && (start < 2 || text[start - 2] != b'.');
    let mut dot = field;
    let mut at = start;
    loop {
        let current = byte(at);
        let next = byte(at + 1);
        if at >= text.len() {
            return at;
        } else if is_exponent(current, hex) && matches!(next, b'+' | b'-') && byte(at + 2).is_ascii_digit() {
            at += 3;
        } else if word_bytes[current as usize] {
            at += 1;
        } else if current == b'.' && !dot && takes_dot(rules, word_bytes, next) {
            dot = true;
            at += 1;
        } else if rules.separators.contains(&current) && next.is_ascii_alphanumeric() && at > start {
            at += 2;
        } else {
            return at;
        }
    }
}

fn is_exponent(byte: u8, hex: bool) -> bool {
    if hex { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') }
}

/// Whether a dot inside a number belongs to it, seen what follows.
fn takes_dot(rules: &Numbers, word_bytes: &[bool; 256], next: u8) -> bool {
    let suffix = matches!(next, b'e' | b'E' | b'f' | b'F' | b'l' | b'L' | b'd' | b'D' | b'p' | b'P');
    next.is_ascii_digit() || (rules.trailing_dot && next != b'.' && (suffix || !word_bytes[next as usize]))
}
