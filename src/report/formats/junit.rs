//! JUnit XML: a test case per mutant, which fails if the mutant was missed.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::matrix::Fate;

use super::super::svg::escape;
use super::missed::Documented;

/// A suite per file.
pub fn junit(documented: &Documented) -> String {
    let matrix = documented.matrix;
    let mut files: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (at, row) in (0..).zip(&matrix.mutants) {
        files.entry(&row.file).or_default().push(at);
    }
    let mut suites = String::new();
    let mut all = Totals::default();
    for (file, mutants) in files {
        let mut cases = String::new();
        let totals =
            mutants.iter().fold(Totals::default(), |totals, at| totals + case(documented, *at, &mut cases));
        let (name, skipped) = (escape(file), totals.skipped);
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{name}\" {totals} skipped=\"{skipped}\">\n{cases}  </testsuite>"
        );
        all = all + totals;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wildcaught\" {all}>\n{suites}</testsuites>\n"
    )
}

#[derive(Clone, Copy, Default)]
struct Totals {
    tests: usize,
    failures: usize,
    skipped: usize,
    seconds: f64,
}

impl std::ops::Add for Totals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            skipped: self.skipped + other.skipped,
            seconds: self.seconds + other.seconds,
        }
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        // Of all suites together, the schema does not know how many cases were skipped.
        let Self { tests, failures, seconds, .. } = self;
        write!(out, "tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{seconds:.3}\"")
    }
}

fn case(documented: &Documented, at: u32, out: &mut String) -> Totals {
    let one = documented.one(at);
    let seconds = documented.matrix.outcome(at as usize).map_or(0.0, |known| known.millis.max(0.0) / 1e3);
    let name = format!("{}:{} {} [{}]", one.row.line, one.row.column, one.words, one.row.id);
    let _ = write!(
        out,
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
        escape(&one.row.file),
        escape(&name)
    );
    let mut totals = Totals { tests: 1, seconds, ..Totals::default() };
    if one.fate.is_detected() {
        out.push_str("/>\n");
    } else if one.fate.is_missed() && !one.accepted {
        totals.failures = 1;
        let (message, kind) = (escape(&one.message()), one.fate.name());
        let lines: Vec<String> = one.diff.lines().map(escape).collect();
        let _ = writeln!(
            out,
            ">\n      <failure message=\"{message}\" type=\"{kind}\">{}</failure>\n    </testcase>",
            lines.join("\n")
        );
    } else {
        totals.skipped = 1;
        let why = if one.accepted { "accepted" } else { reason(one.fate) };
        let _ = writeln!(out, ">\n      <skipped>{why}</skipped>\n    </testcase>");
    }
    totals
}

fn reason(fate: Fate) -> &'static str {
    fate.name()
}
