//! Which commit messages describe a fix.

use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

/// Words that mark a fix. A trailing `*` takes any ending.
const DEFAULT_WORDS: [&str; 16] = [
    "fix",
    "fixes",
    "fixed",
    "fixing",
    "bug",
    "bugs",
    "bugfix",
    "hotfix",
    "defect*",
    "fault*",
    "crash*",
    "regression*",
    "leak*",
    "overflow*",
    "deadlock*",
    "segfault*",
];

/// References to an issue: `#12` anywhere, `LANG-882` or `[LANG-882]` at the start of a line (elsewhere it may
/// be UTF-8 or SHA-1). A pull request's number at the end of the subject, `(#12)`, is in every squashed
/// commit and says nothing.
const REFERENCE: &str = r"(?:^|[^(\w])#\d+|(?m:^)\W{0,2}[A-Z][A-Z0-9]+-\d+\b";

/// A list of words, compiled.
#[derive(Clone, Debug)]
pub struct FixWords {
    words: Vec<String>,
    pattern: Regex,
    reference: Option<Regex>,
}

impl Default for FixWords {
    fn default() -> Self {
        Self::new(&DEFAULT_WORDS.map(str::to_owned), true).expect("the default words compile")
    }
}

impl FixWords {
    /// Compiles a list; `references` says whether an issue reference marks a fix, too.
    pub fn new(words: &[String], references: bool) -> Result<Self, regex::Error> {
        let alternatives: Vec<String> = words
            .iter()
            .map(|word| match word.strip_suffix('*') {
                Some(stem) => format!(r"{}\w*", regex::escape(stem)),
                None => regex::escape(word),
            })
            .collect();
        let pattern = if words.is_empty() {
            "[^\\s\\S]".into()
        } else {
            format!(r"\b(?:{})\b", alternatives.join("|"))
        };
        Ok(Self {
            words: words.to_vec(),
            pattern: RegexBuilder::new(&pattern).case_insensitive(true).unicode(false).build()?,
            reference: references.then(|| RegexBuilder::new(REFERENCE).unicode(false).build()).transpose()?,
        })
    }

    /// The words as given, and whether references count.
    pub fn describe(&self) -> String {
        let mut all = self.words.join(" ");
        if self.reference.is_some() {
            all.push_str(" #reference");
        }
        all
    }

    /// Whether a message describes a fix.
    pub fn speaks_of_fix(&self, message: &[u8]) -> bool {
        self.pattern.is_match(message) || self.reference.as_ref().is_some_and(|regex| regex.is_match(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_are_told_from_other_work() {
        let fixes = FixWords::default();
        let is = |message: &str| fixes.speaks_of_fix(message.as_bytes());
        assert!(is("Fix off-by-one in parser") && is("LANG-882: use String keys") && is("closes #12"));
        assert!(is("avoid crashing on empty input") && is("memory leaks in the tree walker"));
        assert!(is("[MATH-369] solve") && !is("Encode as UTF-8") && !is("Use SHA-1"));
        assert!(!is("Add a prefix option (#1234)") && !is("Rename fixture") && !is("suffix array"));
    }

    #[test]
    fn the_list_is_the_users() {
        let own = FixWords::new(&["repar*".into()], false).unwrap();
        assert!(own.speaks_of_fix(b"Reparatur") && !own.speaks_of_fix(b"fix #3"));
        assert!(!FixWords::new(&[], false).unwrap().speaks_of_fix(b"anything"));
    }
}
