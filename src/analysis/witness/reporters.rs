//! Functions that only report what went wrong elsewhere.

/// Words of their names.
const WORDS: [&str; 15] = [
    "abort",
    "assert",
    "backtrace",
    "crash",
    "die",
    "error",
    "exit",
    "expect",
    "fail",
    "fatal",
    "panic",
    "raise",
    "throw",
    "warn",
    "warning",
];

/// Whether a function only reports what went wrong elsewhere, by the words of its name.
pub fn is_reporter(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_ascii_alphabetic());
    words.any(|word| WORDS.contains(&word) || WORDS.contains(&word.trim_end_matches('s')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_only_report_are_known_by_their_names() {
        for name in ["jerry_assert_fail", "tcc_error", "_tcc_errors", "abort", "jerry_fatal", "error1"] {
            assert!(is_reporter(name), "{name}");
        }
        for name in ["parse_assertion", "terror", "fold", "failing_branches"] {
            assert!(!is_reporter(name), "{name}");
        }
    }
}
