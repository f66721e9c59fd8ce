//! Sanitizers end a program by a signal: every runner sees a signal, while not every runner sees what is printed.

use std::collections::BTreeMap;

/// Options that make each of them do so.
const OPTIONS: [(&str, &str); 5] = [
    ("ASAN_OPTIONS", "abort_on_error=1"),
    ("LSAN_OPTIONS", "abort_on_error=1"),
    ("MSAN_OPTIONS", "abort_on_error=1"),
    ("TSAN_OPTIONS", "halt_on_error=1:abort_on_error=1"),
    ("UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1"),
];

/// Adds the options to an environment. What it or the outer one sets comes behind ours, and so prevails.
pub fn add_options(env: &mut Vec<(String, String)>, outer: &BTreeMap<String, String>) {
    for (key, ours) in OPTIONS {
        let set = env.iter_mut().rev().find(|(name, _)| name == key);
        match set {
            Some((_, theirs)) => *theirs = format!("{ours}:{theirs}"),
            None => {
                let theirs = outer.get(key).map(|theirs| format!(":{theirs}")).unwrap_or_default();
                env.push((key.to_owned(), format!("{ours}{theirs}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_user_prevail() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let mut env = vec![pair("ASAN_OPTIONS", "abort_on_error=0")];
        add_options(
            &mut env,
            &BTreeMap::from([pair("UBSAN_OPTIONS", "silence=1"), pair("ASAN_OPTIONS", "x=1")]),
        );
        let value = |key: &str| env.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        assert_eq!(value("ASAN_OPTIONS"), Some("abort_on_error=1:abort_on_error=0"));
        assert_eq!(value("UBSAN_OPTIONS"), Some("halt_on_error=1:abort_on_error=1:silence=1"));
        assert_eq!(value("TSAN_OPTIONS"), Some("halt_on_error=1:abort_on_error=1"));
    }
}
