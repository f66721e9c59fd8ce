//! The matrix as documents that other tools read.

use serde::Serialize;

use super::KillMatrix;
use super::MutantRow;
use super::Outcome;
use super::TestRow;
use super::csv::Cells;
use super::csv::LETTERS;
use super::json::FORMAT;
use super::json::KilledBy;
use super::json::MatrixDocument;
use super::json::MutantFate;
use super::json::MutantFile;
use super::json::OutcomeFile;
use super::json::RanTests;
use super::json::Runs;
use super::json::SameAs;
use super::row::finite;

/// One JSON document with everything in the matrix; [`super::from_json`] reads it back.
///
/// ```json
/// {"format": 1,
///  "tests": [{"name": "t::one", "baseline": "pass", "millis": 1.5}],
///  "mutants": [{"id": "…", "file": "a.c", "line": 3, "column": 9, "endLine": 3, "endColumn": 10,
///    "start": 40, "end": 41, "text": "<=", "operators": ["…"], "operator": "< ⇒ <=",
///    "before": "a < b", "after": "a <= b", "repos": 12, "fixShare": 0.5, "engine": "switch", "unit": [0, 3],
///    "outcome": {"fate": "killed", "millis": 8.0, "covered": [0, [3, 9]], "ran": "covered",
///      "killedBy": {"fail": [0], "crash": [4], "time-out": [5]}, "log": "…"}}]}
/// ```
///
/// Tests are numbers from 0, in the order of `tests`; `[3, 9]` is all from 3 to 9. `ran` is such a list, or
/// `"covered"` if exactly the tests that reach the mutant ran. `text` is a list of bytes where it is not
/// UTF-8. A test with `"flaky": true` gave different results without any mutant. A mutant without `outcome` did not
/// run. Of a mutant only `id` and `file` are needed, of an outcome only `fate`.
pub fn to_json(matrix: &KillMatrix) -> String {
    let mutants = matrix.mutants.iter().enumerate().map(|(at, row)| mutant(row, matrix.outcome(at)));
    let tests = matrix.tests.iter().map(|test| TestRow { millis: finite(test.millis), ..test.clone() });
    let document = MatrixDocument { format: FORMAT, tests: tests.collect(), mutants: mutants.collect() };
    written(&document)
}

fn mutant(row: &MutantRow, known: Option<&Outcome>) -> MutantFile {
    let row = row.clone();
    MutantFile {
        id: row.id,
        file: row.file,
        line: row.line,
        column: row.column,
        end_line: row.end_line,
        end_column: row.end_column,
        start: row.start,
        end: row.end,
        text: row.text.as_slice().into(),
        operators: row.operators,
        operator: row.operator,
        before: row.before,
        after: row.after,
        repos: row.repos,
        fix_share: finite(row.fix_share),
        engine: row.engine,
        unit: row.unit,
        outcome: known.map(outcome),
    }
}

fn outcome(known: &Outcome) -> OutcomeFile {
    let same = known.ran == known.covered && !known.ran.is_empty();
    OutcomeFile {
        fate: known.fate,
        millis: finite(known.millis),
        covered: Runs::from(&known.covered),
        ran: if same { RanTests::Same(SameAs::Covered) } else { RanTests::Listed(Runs::from(&known.ran)) },
        killed_by: KilledBy {
            fail: Runs::from(&known.failed),
            crash: Runs::from(&known.crashed),
            time_out: Runs::from(&known.timed_out),
        },
        log: known.log.clone(),
    }
}

/// The mutants with their fates, as a JSON list for people and scripts. `covered`, `ran`
/// and `kills` say how many tests did so; [`to_json`] says which.
pub fn mutants_json(matrix: &KillMatrix) -> String {
    let list = matrix.mutants.iter().enumerate().map(|(at, row)| {
        let known = matrix.outcome(at);
        MutantFate {
            id: row.id.clone(),
            file: row.file.clone(),
            line: row.line,
            column: row.column,
            operators: row.operators.clone(),
            operator: row.operator.clone(),
            words: row.words(),
            before: row.before.clone(),
            after: row.after.clone(),
            fate: matrix.fate(at),
            covered: known.map_or(0, |known| known.covered.len()),
            ran: known.map_or(0, |known| known.ran.len()),
            kills: matrix.kills(at).len(),
            millis: known.map_or(0.0, |known| finite(known.millis)),
        }
    });
    let list: Vec<MutantFate> = list.collect();
    serde_json::to_string_pretty(&list).expect("names and numbers are JSON") + "\n"
}

/// A table: the header `mutant,file,line,fate,<test names…>`, then a row per mutant with a cell per test: `.`
/// not run, `P` pass, `F` fail, `C` crash, `T` time-out. The fate of a mutant that was not run is empty.
/// Quoted as RFC 4180 says; [`super::from_csv`] reads it back.
pub fn to_csv(matrix: &KillMatrix) -> String {
    let mut table = Cells::default();
    ["mutant", "file", "line", "fate"].into_iter().for_each(|name| table.field(name));
    matrix.tests.iter().for_each(|test| table.field(&test.name));
    table.end_row();
    for (at, row) in matrix.mutants.iter().enumerate() {
        let known = matrix.outcome(at);
        table.field(&row.id);
        table.field(&row.file);
        table.field(&row.line.to_string());
        table.field(known.map_or("", |known| known.fate.name()));
        letters(matrix.tests.len(), known).into_iter().for_each(|letter| table.letter(letter));
        table.end_row();
    }
    table.text
}

/// One letter per test.
fn letters(tests: usize, known: Option<&Outcome>) -> Vec<char> {
    let mut letters = vec!['.'; tests];
    let Some(known) = known else { return letters };
    // From the mildest to the worst, so that the worst stays.
    for ((_, letter), set) in
        LETTERS.iter().zip([&known.ran, &known.failed, &known.crashed, &known.timed_out])
    {
        set.iter()
            .take_while(|test| (*test as usize) < tests)
            .for_each(|test| letters[test as usize] = *letter);
    }
    letters
}

/// JSON in a line; a million mutants are for programs to read.
pub(super) fn written(document: &impl Serialize) -> String {
    serde_json::to_string(document).expect("names and numbers are JSON") + "\n"
}
