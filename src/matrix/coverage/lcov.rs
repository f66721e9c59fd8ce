//! lcov tracefiles (`.info`): records that begin with their kind, tests named by `TN`.
//!
//! Read by hand: three kinds of records matter here, a count may be negative where gcov's counters overflow,
//! and records of lcov 2 must be told from lines that are none.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::CoverageError;
use super::LineCoverage;
use super::lines::OpenFunction;

/// Records that say nothing about lines and functions that `DA` and `FN` do not.
const PASSED_OVER: [&str; 14] =
    ["FNDA", "FNF", "FNH", "BRDA", "BRF", "BRH", "LF", "LH", "VER", "MCDC", "MRF", "MRH", "MCF", "MCH"];

/// Reads a tracefile. Where `TN` names no test, it is `test`.
pub(super) fn read(text: &str, origin: &str, test: &str) -> Result<LineCoverage, CoverageError> {
    let mut tracefile = Tracefile { test: test.to_owned(), ..Tracefile::default() };
    for (number, line) in text.lines().enumerate() {
        let refused = |problem| CoverageError::Line { origin: origin.to_owned(), line: number + 1, problem };
        tracefile.record(line.trim_end(), test).map_err(refused)?;
    }
    for (file, functions) in tracefile.functions {
        tracefile.coverage.note_functions(&file, functions.into_iter().collect());
    }
    Ok(tracefile.coverage)
}

#[derive(Default)]
struct Tracefile {
    coverage: LineCoverage,
    test: String,
    file: Option<String>,
    /// lcov 2 gives the lines of a function and its name in two records.
    numbered: BTreeMap<String, (u32, Option<u32>)>,
    functions: BTreeMap<String, BTreeSet<OpenFunction>>,
}

impl Tracefile {
    fn record(&mut self, line: &str, default: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line == "end_of_record" {
            self.file = None;
            return Ok(());
        }
        let (kind, rest) = line.split_once(':').ok_or_else(|| unknown(line))?;
        match kind {
            "TN" => {
                self.test = if rest.is_empty() { default } else { rest }.to_owned();
                self.coverage.note_test(&self.test);
            }
            "SF" => {
                self.file = Some(rest.to_owned());
                self.numbered.clear();
            }
            "DA" => self.line(rest)?,
            "FN" => self.function(rest)?,
            "FNL" => self.numbered_lines(rest)?,
            "FNA" => self.numbered_name(rest)?,
            _ if PASSED_OVER.contains(&kind) => {}
            _ => return Err(unknown(line)),
        }
        Ok(())
    }

    fn file(&self) -> Result<&str, String> {
        self.file.as_deref().ok_or_else(|| "no SF record before it names the file".to_owned())
    }

    fn line(&mut self, rest: &str) -> Result<(), String> {
        let mut fields = rest.split(',');
        let line = line_number(fields.next())?;
        let count = fields.next().and_then(|field| field.parse::<i64>().ok());
        let count = count.ok_or_else(|| format!("`DA:{rest}` has no count; write DA:line,count"))?;
        let file = self.file()?.to_owned();
        self.coverage.note(&self.test, &file, line, count != 0);
        Ok(())
    }

    /// `FN:first,name` or `FN:first,last,name`; a name may have commas.
    fn function(&mut self, rest: &str) -> Result<(), String> {
        let (first, more) = rest.split_once(',').ok_or_else(|| format!("`FN:{rest}` has no name"))?;
        let first = line_number(Some(first))?;
        let last = more.split_once(',').and_then(|(last, name)| Some((Some(last.parse().ok()?), name)));
        let (last, name) = last.unwrap_or((None, more));
        self.note(first, last, name)
    }

    fn numbered_lines(&mut self, rest: &str) -> Result<(), String> {
        let mut fields = rest.split(',');
        let number = fields.next().unwrap_or_default().to_owned();
        let first = line_number(fields.next())?;
        let last = fields.next().and_then(|field| field.parse().ok());
        self.numbered.insert(number, (first, last));
        Ok(())
    }

    fn numbered_name(&mut self, rest: &str) -> Result<(), String> {
        let mut fields = rest.splitn(3, ',');
        let (number, _, name) = (fields.next(), fields.next(), fields.next());
        let lines = self.numbered.get(number.unwrap_or_default()).copied();
        let ((first, last), name) =
            lines.zip(name).ok_or_else(|| format!("`FNA:{rest}` names a function without an FNL record"))?;
        self.note(first, last, name)
    }

    /// The same function may be listed once per test.
    fn note(&mut self, first: u32, last: Option<u32>, name: &str) -> Result<(), String> {
        let (file, function) = (self.file()?.to_owned(), (first, last, name.to_owned()));
        self.functions.entry(file).or_default().insert(function);
        Ok(())
    }
}

/// Writes a tracefile that [`read`] reads back: every test with every line that can be executed.
pub fn to_lcov(coverage: &LineCoverage) -> String {
    let mut text = String::new();
    for (test, executed) in &coverage.tests {
        for (file, lines) in &coverage.lines {
            let here = executed.get(file);
            let _ = writeln!(text, "TN:{test}\nSF:{file}");
            for line in lines {
                let count = u8::from(here.is_some_and(|here| here.contains(line)));
                let _ = writeln!(text, "DA:{line},{count}");
            }
            text.push_str("end_of_record\n");
        }
    }
    text
}

fn unknown(line: &str) -> String {
    format!("`{line}` is not an lcov record; a tracefile has TN:, SF:, DA:line,count and end_of_record")
}

fn line_number(field: Option<&str>) -> Result<u32, String> {
    let field = field.unwrap_or_default();
    field.parse().map_err(|_| format!("`{field}` is not a line number; lines are numbered from 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_told_apart_by_name() {
        let text = "TN:one\nSF:/x/a.c\nFN:1,4,f\nFNDA:1,f\nDA:2,1\nDA:3,0,sum\nLF:2\nend_of_record\n\
            TN:two\nSF:/x/a.c\nDA:2,0\nDA:3,-7\nend_of_record\nTN:\nSF:b.c\nDA:1,1\nend_of_record\n";
        let found = read(text, "t.info", "t").unwrap();
        let executed = |test: &str, file: &str| found.tests[test][file].iter().collect::<Vec<u32>>();
        assert_eq!(executed("one", "/x/a.c"), [2]);
        assert_eq!(executed("two", "/x/a.c"), [3]);
        assert_eq!(executed("t", "b.c"), [1]);
        assert_eq!(found.lines["/x/a.c"].len(), 2);
        assert_eq!((found.functions["/x/a.c"][0].first, found.functions["/x/a.c"][0].last), (1, 4));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "TN:a b\nSF:x.c\nDA:2,1\nDA:3,0\nend_of_record\nTN:c\nSF:x.c\nDA:3,1\nend_of_record\n";
        let found = read(text, "t.info", "t").unwrap();
        assert_eq!(read(&to_lcov(&found), "again.info", "t").unwrap(), found);
    }

    #[test]
    fn records_of_the_second_version_are_known() {
        let text = "TN:\nSF:a.cc\nFNL:0,3,9\nFNA:0,1,f(int, int)\nFN:11,g(int, int)\nDA:3,1\nDA:14,0\nend_of_record\n";
        let found = read(text, "t.info", "t").unwrap();
        let names: Vec<_> =
            found.functions["a.cc"].iter().map(|known| (known.last, known.name.as_str())).collect();
        assert_eq!(names, [(9, "f(int, int)"), (14, "g(int, int)")]);
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, says) in [
            ("TN:\nhello\n", "t.info:2: `hello` is not an lcov record"),
            ("DA:1,1\n", "t.info:1: no SF record"),
            ("SF:a\nDA:x,1\n", "t.info:2: `x` is not a line number"),
            ("SF:a\nDA:1\n", "t.info:2: `DA:1` has no count"),
            ("SF:a\nZZ:1\n", "t.info:2: `ZZ:1` is not an lcov record"),
        ] {
            let error = read(text, "t.info", "t").unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
