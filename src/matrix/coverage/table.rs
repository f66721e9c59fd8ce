//! Coverage in memory: per test a sparse row of statements and counts.
//!
//! In: names of statements as they are met, test by test. Out: one table whose statements are sorted, so that
//! it is the same whatever the order and the number of threads in which it was read.

use std::fmt;

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use super::FileLines;
use super::LineCoverage;

/// Tests, and the statements that any of them ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// In the order of files and lines.
    pub statements: Vec<CoveredStatement>,
    pub tests: Vec<TestCoverage>,
}

/// A statement: a line of a file. Whatever has no line (a function, say) is a name with line 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoveredStatement {
    pub file: String,
    pub line: u32,
}

/// What one test ran. A statement that is not there was not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCoverage {
    pub name: String,
    /// Numbers of statements, ascending.
    pub statements: Vec<u32>,
    /// How often each of them was run, in the same order; never 0. A count past `u32::MAX` is that.
    pub counts: Vec<u32>,
}

impl fmt::Display for CoveredStatement {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            0 => out.write_str(&self.file),
            line => write!(out, "{}:{line}", self.file),
        }
    }
}

impl From<&LineCoverage> for Coverage {
    /// Every line that a test executes counts once.
    fn from(lines: &LineCoverage) -> Self {
        let part = |(test, files): (&String, &FileLines)| {
            let mut part = Part::default();
            part.begin(test);
            for (file, executed) in files {
                executed.iter().for_each(|line| part.note(&format!("{file}:{line}"), 1));
            }
            part
        };
        join(lines.tests.iter().map(part).collect())
    }
}

impl From<&str> for CoveredStatement {
    /// `file:line`; what does not end so is a name.
    fn from(name: &str) -> Self {
        let parts = name.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?)));
        let (file, line) = parts.unwrap_or((name, 0));
        Self { file: file.to_owned(), line }
    }
}

/// A line number as it is written back: no sign, no zero before it.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|_| plain)
}

/// Some tests with their own numbers for statements; several are joined into one table.
#[derive(Default)]
pub(super) struct Part {
    numbers: HashMap<String, u32, FxBuildHasher>,
    tests: Vec<TestCoverage>,
}

impl Part {
    /// Begins a test.
    pub fn begin(&mut self, name: &str) {
        self.tests.push(TestCoverage { name: name.to_owned(), ..TestCoverage::default() });
    }

    /// Whether a test was begun.
    pub fn is_begun(&self) -> bool {
        !self.tests.is_empty()
    }

    /// Notes that the last test ran a statement so often. A statement may come up again: counts add up.
    pub fn note(&mut self, statement: &str, count: u64) {
        let (Some(test), true) = (self.tests.last_mut(), count > 0) else { return };
        let next = self.numbers.len() as u32;
        test.statements.push(*self.numbers.entry_ref(statement).or_insert(next));
        test.counts.push(u32::try_from(count).unwrap_or(u32::MAX));
    }
}

/// Joins the parts; tests stay in their order.
pub(super) fn join(parts: Vec<Part>) -> Coverage {
    let mut named: Vec<(CoveredStatement, usize, u32)> = Vec::new();
    for (part, Part { numbers, .. }) in parts.iter().enumerate() {
        named.extend(
            numbers.iter().map(|(name, number)| (CoveredStatement::from(name.as_str()), part, *number)),
        );
    }
    named.sort_unstable();
    let mut maps: Vec<Vec<u32>> = parts.iter().map(|part| vec![0; part.numbers.len()]).collect();
    let mut statements: Vec<CoveredStatement> = Vec::new();
    for (statement, part, number) in named {
        if statements.last() != Some(&statement) {
            statements.push(statement);
        }
        maps[part][number as usize] = statements.len() as u32 - 1;
    }
    let width = statements.len();
    let tests = parts.into_par_iter().zip(&maps).map(|(part, map)| renumbered(part.tests, map, width));
    let tests: Vec<Vec<TestCoverage>> = tests.collect();
    Coverage { tests: tests.into_iter().flatten().collect(), statements }
}

/// The tests with the table's numbers, ascending, each once. A test runs a good part of all statements, so
/// that a row for all of them is filled faster than a list is sorted.
fn renumbered(tests: Vec<TestCoverage>, map: &[u32], width: usize) -> Vec<TestCoverage> {
    let mut row = vec![0_u32; width];
    let renumber = |test: TestCoverage| {
        for (number, count) in test.statements.iter().zip(&test.counts) {
            let sum = &mut row[map[*number as usize] as usize];
            *sum = sum.saturating_add(*count);
        }
        let (mut statements, mut counts) = (Vec::new(), Vec::new());
        for (statement, count) in (0..).zip(&mut row).filter(|(_, count)| **count > 0) {
            statements.push(statement);
            counts.push(std::mem::take(count));
        }
        statements.shrink_to_fit();
        counts.shrink_to_fit();
        TestCoverage { name: test.name, statements, counts }
    };
    tests.into_iter().map(renumber).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_lines_or_names_and_written_as_they_were_read() {
        for name in ["a.c:7", "a.c", "c:/x:12", "main()", "a:07", "a:+7", "a:99999999999"] {
            assert_eq!(CoveredStatement::from(name).to_string(), name);
        }
        assert_eq!(CoveredStatement::from("a.c:7").line, 7);
        assert!(CoveredStatement::from("a.c:9") < CoveredStatement::from("a.c:10"));
    }

    #[test]
    fn parts_join_into_one_table_whatever_the_order_of_lines() {
        let part = |name: &str, lines: &[(&str, u64)]| {
            let mut part = Part::default();
            part.begin(name);
            lines.iter().for_each(|(statement, count)| part.note(statement, *count));
            part
        };
        let joined = join(vec![
            part("t", &[("b.c:1", 2), ("a.c:10", 1), ("b.c:1", 3), ("z", 0)]),
            part("u", &[("a.c:9", 1), ("b.c:1", u64::MAX)]),
        ]);
        let names: Vec<String> = joined.statements.iter().map(CoveredStatement::to_string).collect();
        assert_eq!(names, ["a.c:9", "a.c:10", "b.c:1"]);
        assert_eq!(
            (&joined.tests[0].statements[..], &joined.tests[0].counts[..]),
            (&[1, 2][..], &[1, 5][..])
        );
        assert_eq!((&joined.tests[1].statements[..], joined.tests[1].counts[1]), (&[0, 2][..], u32::MAX));
    }
}
