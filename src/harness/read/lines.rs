//! Lines of bytes that may be anything.

/// The lines, bad bytes replaced, colours and carriage returns taken out.
pub(super) fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).split('\n').map(plain).collect()
}

/// The line without terminal colours and the carriage return at its end.
fn plain(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if !line.contains('\u{1b}') {
        return line.to_owned();
    }
    let mut kept = String::with_capacity(line.len());
    let mut parts = line.split("\u{1b}[");
    kept.extend(parts.next());
    for part in parts {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        kept.push_str(&part[end..]);
    }
    kept
}

/// Seconds as frameworks write them (`0.25`, `0.25s`, `1,234.5`), in milliseconds.
pub(super) fn millis(seconds: &str) -> Option<f64> {
    let number: f64 = seconds.trim().trim_end_matches('s').trim().replace(',', "").parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_carriage_returns_are_taken_out() {
        assert_eq!(lines(b"\x1b[32mok\x1b[0m\r\nb"), ["ok", "b"]);
        assert_eq!(lines(b"\x1b[\n\x1b[12"), ["", ""]);
    }

    #[test]
    fn seconds_become_milliseconds() {
        assert_eq!(millis(" 0.25s"), Some(250.0));
        assert_eq!(millis("1,234.5"), Some(1_234_500.0));
        assert_eq!(millis("nan"), None);
    }
}
