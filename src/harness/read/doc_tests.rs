//! Rust's documentation tests: their names, and what rustdoc prints about them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::exec::Verdict;

use super::lines::lines;

/// A line about a documentation test, with how it is run behind its name.
const LINE: &str = r"^test (?P<name>.+? - (?:.+ )?\(line \d+\))(?: - (?P<kind>should panic|compile fail|compile))? \.\.\. (?P<word>ok|FAILED)";

/// How a documentation test is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocKind {
    /// It passes if it ends well.
    Run,
    /// It passes if it panics.
    ShouldPanic,
    /// It is only compiled.
    CompileOnly,
}

/// What rustdoc said about a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocTest {
    /// `src/lib.rs - item (line 12)`
    pub name: String,
    pub kind: DocKind,
    pub verdict: Verdict,
}

impl fmt::Display for DocTest {
    /// The line that rustdoc prints.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let kind = match self.kind {
            DocKind::Run => "",
            DocKind::ShouldPanic => " - should panic",
            DocKind::CompileOnly => " - compile",
        };
        let word = if self.verdict == Verdict::Pass { "ok" } else { "FAILED" };
        writeln!(out, "test {}{kind} ... {word}", self.name)
    }
}

/// The parts of a test's name: the file, all but the line, the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocName<'n> {
    pub file: &'n str,
    pub item: &'n str,
    pub line: u32,
}

impl<'n> DocName<'n> {
    /// Reads a name; none if it is not that of a documentation test.
    pub fn parse(name: &'n str) -> Option<Self> {
        let (item, line) = name.strip_suffix(')')?.rsplit_once("(line ")?;
        let (file, _) = item.split_once(" - ")?;
        Some(Self { file, item, line: line.parse().ok()? })
    }
}

/// Reads what `cargo test --doc` printed.
pub fn doc_tests(bytes: &[u8]) -> Vec<DocTest> {
    static READ: LazyLock<Regex> = LazyLock::new(|| Regex::new(LINE).expect("it is correct"));
    let lines = lines(bytes);
    let found = lines.iter().filter_map(|line| READ.captures(line));
    let test = |found: regex::Captures| DocTest {
        name: found["name"].to_owned(),
        kind: match found.name("kind").map(|kind| kind.as_str()) {
            None => DocKind::Run,
            Some("should panic") => DocKind::ShouldPanic,
            Some(_) => DocKind::CompileOnly,
        },
        verdict: if &found["word"] == "ok" { Verdict::Pass } else { Verdict::Fail },
    };
    found.map(test).collect()
}

/// For each test, its name among `known`, where other lines may stand before it: tests of one item are matched
/// in the order of their lines.
pub fn unshifted<'k>(found: &[&str], known: &'k [String]) -> Vec<Option<&'k str>> {
    let mut by_item: BTreeMap<&str, Vec<(u32, &'k str)>> = BTreeMap::new();
    for name in known {
        if let Some(parts) = DocName::parse(name) {
            by_item.entry(parts.item).or_default().push((parts.line, name));
        }
    }
    by_item.values_mut().for_each(|names| names.sort_unstable());
    let rank = |parts: DocName| {
        let before = |other: &&&str| {
            DocName::parse(other).is_some_and(|other| other.item == parts.item && other.line < parts.line)
        };
        found.iter().filter(before).count()
    };
    let name = |name: &&str| {
        let parts = DocName::parse(name)?;
        Some(by_item.get(parts.item)?.get(rank(parts))?.1)
    };
    found.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rustdoc_prints_is_read() {
        let text = b"running 4 tests\ntest src/lib.rs - (line 3) ... ok\n\
            test src/a b.rs - m::f (line 12) - should panic ... FAILED\n\
            test src/lib.rs - g (line 5) - compile fail ... ok\ntest tests::unit ... ok\n";
        let found = doc_tests(text);
        let brief: Vec<_> = found.iter().map(|test| (test.name.as_str(), test.kind, test.verdict)).collect();
        let again: String = found.iter().map(DocTest::to_string).collect();
        assert_eq!(doc_tests(again.as_bytes()), found);
        assert_eq!(
            brief,
            [
                ("src/lib.rs - (line 3)", DocKind::Run, Verdict::Pass),
                ("src/a b.rs - m::f (line 12)", DocKind::ShouldPanic, Verdict::Fail),
                ("src/lib.rs - g (line 5)", DocKind::CompileOnly, Verdict::Pass),
            ]
        );
    }

    #[test]
    fn shifted_lines_are_matched_item_by_item() {
        let known =
            ["src/lib.rs - f (line 3)", "src/lib.rs - f (line 9)", "src/lib.rs - g (line 20)", "tests::a"];
        let known = known.map(str::to_owned);
        let found = [
            "src/lib.rs - g (line 99)",
            "src/lib.rs - f (line 19)",
            "src/lib.rs - f (line 4)",
            "src/lib.rs - h (line 1)",
        ];
        let names = unshifted(&found, &known);
        assert_eq!(names, [Some(known[2].as_str()), Some(&known[1]), Some(&known[0]), None]);
    }
}
