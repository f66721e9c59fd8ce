//! Names of tests, some with stars.

/// Names of tests. `*` stands for any text and `?` for one character; brackets are themselves, since test
/// names are full of them (`test_sum[1-2]`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Vec<String>);

impl Names {
    /// As they were written.
    pub fn patterns(&self) -> &[String] {
        &self.0
    }

    /// Whether no test is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the test is named.
    pub fn matches(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| pattern == name || fits(pattern.as_bytes(), name.as_bytes()))
    }
}

impl From<Vec<String>> for Names {
    fn from(patterns: Vec<String>) -> Self {
        Self(patterns)
    }
}

/// Whether a pattern fits a whole name: goes back to the last star when it does not go on.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star = None;
    while place < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(byte) if *byte == name[place] || *byte == b'?' => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((back, taken)) = star else { return false };
                star = Some((back, taken + 1));
                (at, place) = (back + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything_and_brackets_for_themselves() {
        let names =
            Names::from(vec!["a::*::slow*".to_owned(), "t.py::test[a-*]".to_owned(), "x?".to_owned()]);
        for name in ["a::b::slow", "a::b::c::slower", "t.py::test[a-b]", "x1"] {
            assert!(names.matches(name), "{name}");
        }
        for name in ["a::slow", "t.py::testa", "x", "x12", ""] {
            assert!(!names.matches(name), "{name}");
        }
        assert!(Names::from(vec!["*".to_owned()]).matches(""));
    }
}
