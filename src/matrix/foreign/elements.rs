//! Reports after the mutation-testing-elements schema, which Stryker and others write.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;
use serde::Deserialize;

use super::super::Fate;
use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::MatrixReadError;
use super::gathered::ForeignRows;

/// What is needed of a report; the schema allows more.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    files: BTreeMap<String, File>,
    #[serde(default)]
    test_files: BTreeMap<String, TestFile>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    source: String,
    mutants: Vec<Mutant>,
}

#[derive(Deserialize)]
struct TestFile {
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mutant {
    id: String,
    mutator_name: String,
    replacement: Option<String>,
    location: Location,
    status: String,
    status_reason: Option<String>,
    covered_by: Option<Vec<String>>,
    #[serde(default)]
    killed_by: Vec<String>,
    tests_completed: Option<f64>,
    #[serde(default)]
    duration: f64,
}

#[derive(Deserialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Deserialize)]
struct Position {
    line: u32,
    column: u32,
}

/// Reads a report; `origin` names it in errors.
///
/// Tools that stop at the first test that notices do not say of the others whether they ran. A killed
/// mutant counts as run with all tests that reach it if `testsCompleted` says so, or if several tests killed
/// it; otherwise only with those that killed it.
pub fn from_mte_json(text: &str, origin: &str) -> Result<KillMatrix, MatrixReadError> {
    let report: Report = serde_json::from_str(text)
        .map_err(|source| MatrixReadError::Json { origin: origin.to_owned(), source })?;
    let mut reading = Reading { origin, gathered: ForeignRows::default(), ids: BTreeMap::new() };
    for test in report.test_files.into_values().flat_map(|file| file.tests) {
        let number = reading.gathered.test(&test.name);
        reading.ids.insert(test.id, number);
    }
    for (name, file) in report.files {
        let source = Source::new(file.source);
        for mutant in file.mutants {
            let outcome = reading.outcome(&mutant)?;
            reading.gathered.mutant(source.row(&name, mutant), outcome);
        }
    }
    Ok(reading.gathered.matrix)
}

struct Reading<'a> {
    origin: &'a str,
    gathered: ForeignRows,
    /// The numbers of tests by their ids.
    ids: BTreeMap<String, u32>,
}

impl Reading<'_> {
    fn outcome(&self, mutant: &Mutant) -> Result<Option<Outcome>, MatrixReadError> {
        let Some(fate) = self.fate(mutant)? else { return Ok(None) };
        let mut outcome = Outcome { millis: mutant.duration, ..Outcome::new(fate) };
        let killers = self.tests(mutant, &mutant.killed_by)?;
        let all = || RoaringBitmap::from_iter(0..self.gathered.matrix.tests.len() as u32);
        let reached = match &mutant.covered_by {
            Some(tests) => self.tests(mutant, tests)?,
            None if matches!(fate, Fate::Killed | Fate::Survived | Fate::TimeOut) => all(),
            None => RoaringBitmap::new(),
        };
        outcome.covered = if mutant.covered_by.is_some() { reached.clone() } else { RoaringBitmap::new() };
        let told = mutant.tests_completed.map(|count| count >= reached.len() as f64);
        let whole = told.unwrap_or(fate != Fate::TimeOut && (killers.len() != 1 || reached.len() == 1));
        if matches!(fate, Fate::Killed | Fate::Survived | Fate::TimeOut) {
            outcome.ran = if whole { &reached | &killers } else { killers.clone() };
        }
        match fate {
            Fate::TimeOut => outcome.timed_out = killers,
            _ => outcome.failed = killers,
        }
        outcome.log = mutant.status_reason.clone().unwrap_or_default();
        Ok(Some(outcome))
    }

    fn fate(&self, mutant: &Mutant) -> Result<Option<Fate>, MatrixReadError> {
        Ok(Some(match mutant.status.as_str() {
            "Killed" | "RuntimeError" => Fate::Killed,
            "Survived" => Fate::Survived,
            "Timeout" => Fate::TimeOut,
            "CompileError" => Fate::Unviable,
            "NoCoverage" => Fate::NotCovered,
            "Ignored" => match mutant.status_reason.as_deref() {
                Some("equivalent") => Fate::Equivalent,
                Some("duplicate") => Fate::Duplicate,
                _ => Fate::Untested,
            },
            "Pending" => return Ok(None),
            other => {
                let message = format!("mutant `{}`: unknown status `{other}`", mutant.id);
                let source = serde::de::Error::custom(message);
                return Err(MatrixReadError::Json { origin: self.origin.to_owned(), source });
            }
        }))
    }

    fn tests(&self, mutant: &Mutant, ids: &[String]) -> Result<RoaringBitmap, MatrixReadError> {
        let number = |id: &String| {
            let missing = || MatrixReadError::NoTest {
                origin: self.origin.to_owned(),
                mutant: mutant.id.clone(),
                test: id.clone(),
            };
            self.ids.get(id).copied().ok_or_else(missing)
        };
        ids.iter().map(number).collect()
    }
}

/// A file, and where its lines begin.
struct Source {
    text: String,
    starts: Vec<usize>,
}

impl Source {
    fn new(text: String) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    fn row(&self, file: &str, mutant: Mutant) -> MutantRow {
        let (start, end) = (&mutant.location.start, &mutant.location.end);
        let text = mutant.replacement.unwrap_or_default();
        let bytes = self.offset(start).zip(self.offset(end)).filter(|(start, end)| start <= end);
        let (from, to) = bytes.unwrap_or_default();
        MutantRow {
            id: mutant.id,
            file: file.to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start: from as u64,
            end: to as u64,
            before: self.text.get(from..to).map(one_line).unwrap_or_default(),
            after: one_line(&text),
            text: text.into_bytes(),
            operator: mutant.mutator_name,
            ..MutantRow::default()
        }
    }

    /// The byte that a line and column, counted as editors do in UTF-16, stand for.
    fn offset(&self, place: &Position) -> Option<usize> {
        let line = (place.line as usize).checked_sub(1)?;
        let start = *self.starts.get(line)?;
        let mut left = (place.column as usize).checked_sub(1)?;
        for (at, letter) in self.text[start..].char_indices() {
            if left == 0 {
                return Some(start + at);
            }
            left = left.checked_sub(letter.len_utf16()).filter(|_| letter != '\n')?;
        }
        (left == 0).then_some(self.text.len())
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(mutant: &str) -> String {
        format!(
            r#"{{"schemaVersion": "2", "thresholds": {{"high": 80, "low": 60}}, "files": {{"a.js": {{"language": "js",
            "source": "x\nñ😀 < y\n", "mutants": [{{"id": "1", "mutatorName": "Less", "replacement": "<=",
            "location": {{"start": {{"line": 2, "column": 5}}, "end": {{"line": 2, "column": 6}}}}, {mutant}}}]}}}},
            "testFiles": {{"t.js": {{"tests": [{{"id": "7", "name": "seven"}}, {{"id": "8", "name": "eight"}}]}}}}}}"#
        )
    }

    #[test]
    fn a_report_becomes_a_matrix() {
        let text =
            report(r#""status": "Killed", "coveredBy": ["7", "8"], "killedBy": ["8"], "testsCompleted": 2"#);
        let matrix = from_mte_json(&text, "r").unwrap();
        let (row, known) = (&matrix.mutants[0], matrix.outcome(0).unwrap());
        assert_eq!(
            (row.start, row.end, row.before.as_str(), row.text.as_slice()),
            (9, 10, "<", b"<=".as_slice())
        );
        assert_eq!((known.ran.len(), known.failed.clone()), (2, RoaringBitmap::from([1])));
        assert_eq!(matrix.tests[1].name, "eight");
    }

    #[test]
    fn nobody_ran_what_is_not_said_to_have_run() {
        let ran = |mutant: &str| from_mte_json(&report(mutant), "r").unwrap().outcome(0).unwrap().ran.clone();
        assert_eq!(
            ran(r#""status": "Killed", "coveredBy": ["7", "8"], "killedBy": ["8"]"#),
            RoaringBitmap::from([1])
        );
        assert_eq!(ran(r#""status": "Survived""#).len(), 2);
        assert_eq!(ran(r#""status": "NoCoverage""#).len(), 0);
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let refusal = |mutant: &str| from_mte_json(&report(mutant), "r").unwrap_err().to_string();
        assert!(refusal(r#""status": "Killed", "killedBy": ["9"]"#).contains("no test has the id `9`"));
        assert!(refusal(r#""status": "Dead""#).contains("unknown status `Dead`"));
        assert!(refusal(r#""status": 3"#).contains("line 3"));
    }
}
