//! Where a number ends: digits of any radix, separators, one dot, exponent, suffix.

use crate::langdef::Numbers;

/// The end of the number that begins at `start` with a digit or with a dot before a digit.
pub(super) fn end(rules: &Numbers, word_bytes: &[bool; 256], text: &[u8], start: usize) -> usize {
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    let hex = byte(start) == b'0' && matches!(byte(start + 1), b'x' | b'X');
    let mut dot = rules.fields && is_field(text, start);
    let mut suffix = false;
    let mut at = if hex { start + 2 } else { start };
    loop {
        let (current, next) = (byte(at), byte(at + 1));
        if at >= text.len() {
            return at;
        } else if !suffix && is_exponent(current, hex) && matches!(next, b'+' | b'-') {
            // A sign without digits is an operator; and in `1usize+2` the `e` belongs to the suffix.
            suffix = true;
            at += if byte(at + 2).is_ascii_digit() { 3 } else { 1 };
        } else if word_bytes[current as usize] {
            suffix |= !(current == b'_'
                || if hex { current.is_ascii_hexdigit() } else { current.is_ascii_digit() });
            at += 1;
        } else if current == b'.' && !dot && takes_dot(rules, word_bytes, next, byte(at + 2)) {
            dot = true;
            at += 1;
        } else if rules.separators.contains(&current) && next.is_ascii_alphanumeric() && at > start {
            at += 2;
        } else {
            return at;
        }
    }
}

/// `pair.0`: one dot before the digits, where two would be a range.
fn is_field(text: &[u8], start: usize) -> bool {
    start > 0 && text[start - 1] == b'.' && (start < 2 || text[start - 2] != b'.')
}

fn is_exponent(byte: u8, hex: bool) -> bool {
    if hex { matches!(byte, b'p' | b'P') } else { matches!(byte, b'e' | b'E') }
}

/// Whether a dot inside a number belongs to it, seen the two bytes that follow.
fn takes_dot(rules: &Numbers, word_bytes: &[bool; 256], next: u8, after: u8) -> bool {
    match next {
        b'0'..=b'9' => true,
        _ if !rules.trailing_dot => false,
        b'.' => !rules.ranges && after != b'.',
        b'e' | b'E' if !(after.is_ascii_digit() || matches!(after, b'+' | b'-')) => false,
        _ => !word_bytes[next as usize] || rules.dot_suffixes.contains(&next),
    }
}
