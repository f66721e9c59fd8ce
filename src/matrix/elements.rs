//! The report of mutation-testing-elements, which Stryker's dashboard and its web component show.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;
use serde_json::Value;
use serde_json::json;

use crate::text::LineIndex;
use crate::text::Place;

use super::Fate;
use super::KillMatrix;
use super::MutantRow;
use super::Outcome;
use super::export::written;
use super::row::finite;

/// A report after version 2 of the mutation-testing-elements schema.
///
/// `sources` gives the text of a file; without it the file is listed with an empty source. `language` is the
/// name that the viewer highlights by. Lines and columns count from 1, the end is exclusive; columns count
/// UTF-16 units where the source is known, as the viewer does, and bytes otherwise.
pub fn mte_json(matrix: &KillMatrix, sources: impl Fn(&str) -> Option<String>, language: &str) -> String {
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in matrix.mutants.iter().enumerate() {
        files.entry(&row.file).or_default().push(at);
    }
    let files = files.into_iter().map(|(name, mutants)| {
        let source = Source::new(sources(name).unwrap_or_default());
        let list: Vec<Value> = mutants.iter().map(|at| mutant(matrix, *at, &source)).collect();
        (name.to_owned(), json!({ "language": language, "source": source.text, "mutants": list }))
    });
    let tests = matrix.tests.iter().enumerate();
    let tests: Vec<Value> =
        tests.map(|(at, test)| json!({ "id": at.to_string(), "name": test.name })).collect();
    written(&json!({
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "files": files.collect::<serde_json::Map<_, _>>(),
        "testFiles": { "": { "tests": tests } },
        "framework": { "name": "wildcaught", "version": env!("CARGO_PKG_VERSION") },
    }))
}

fn mutant(matrix: &KillMatrix, at: usize, source: &Source) -> Value {
    let (row, fate) = (&matrix.mutants[at], matrix.fate(at));
    let [start, end] = source.location(row);
    let mut value = json!({
        "id": row.id,
        "mutatorName": if row.operator.is_empty() { row.operators.first() } else { Some(&row.operator) }
            .map_or("mutant", String::as_str),
        "replacement": String::from_utf8_lossy(&row.text),
        "location": {
            "start": { "line": start.line, "column": start.column },
            "end": { "line": end.line, "column": end.column },
        },
        "status": status(fate),
    });
    if row.before != row.after {
        value["description"] = format!("{} → {}", row.before, row.after).into();
    }
    if let Some(reason) = reason(fate, matrix.outcome(at)) {
        value["statusReason"] = reason.into();
    }
    if let Some(known) = matrix.outcome(at) {
        add_outcome(&mut value, known);
    }
    value
}

fn add_outcome(value: &mut Value, known: &Outcome) {
    // Tests ran and none reaches the mutant: then nobody looked which do, and the schema wants silence.
    if known.ran.is_empty() || !known.covered.is_empty() {
        value["coveredBy"] = ids(&known.covered);
    }
    value["killedBy"] = ids(&known.kills());
    value["testsCompleted"] = known.ran.len().into();
    value["duration"] = finite(known.millis).into();
}

fn status(fate: Fate) -> &'static str {
    match fate {
        Fate::Killed => "Killed",
        Fate::Survived => "Survived",
        Fate::TimeOut => "Timeout",
        Fate::Unviable => "CompileError",
        Fate::NotCovered => "NoCoverage",
        Fate::Equivalent | Fate::Duplicate => "Ignored",
        Fate::Untested => "Pending",
    }
}

/// What was printed, or why the mutant does not count.
fn reason(fate: Fate, known: Option<&Outcome>) -> Option<String> {
    match known {
        Some(known) if !known.log.is_empty() => Some(known.log.clone()),
        _ => matches!(fate, Fate::Equivalent | Fate::Duplicate).then(|| fate.name().to_owned()),
    }
}

fn ids(tests: &RoaringBitmap) -> Value {
    tests.iter().map(|test| test.to_string()).collect()
}

/// A file as the viewer counts it.
struct Source {
    text: String,
    lines: LineIndex,
}

impl Source {
    fn new(text: String) -> Self {
        let lines = LineIndex::new(text.as_bytes());
        Self { text, lines }
    }

    /// Where a mutant starts and ends: from its bytes if the source has them, otherwise as it says itself.
    fn location(&self, row: &MutantRow) -> [Place; 2] {
        let places = (row.start <= row.end && row.end > 0)
            .then(|| self.place(row.start).zip(self.place(row.end)))
            .flatten();
        let (start, end) = places.unwrap_or_else(|| {
            let start = Place { line: row.line.max(1) as usize, column: row.column.max(1) as usize };
            (start, Place { line: row.end_line as usize, column: row.end_column.max(1) as usize })
        });
        [start, end.max(start)]
    }

    fn place(&self, offset: u64) -> Option<Place> {
        let offset = usize::try_from(offset).ok()?;
        let before = self.text.get(..offset)?;
        let place = self.lines.place(offset);
        let line = &before[offset + 1 - place.column..];
        Some(Place { line: place.line, column: line.encode_utf16().count() + 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_the_viewer_counts() {
        let source = Source::new("x\nñ😀 < y\n".into());
        let at = |line, column| Place { line, column };
        let row = |start, end| MutantRow { start, end, line: 7, column: 2, ..MutantRow::default() };
        assert_eq!(source.location(&row(9, 10)), [at(2, 5), at(2, 6)]);
        assert_eq!(source.location(&row(3, 10)), [at(7, 2), at(7, 2)], "within a letter");
        assert_eq!(source.location(&row(0, 99)), [at(7, 2), at(7, 2)], "past the end");
    }
}
