//! Mutants column by column, as the page reads them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::MutantRow;

use super::functions::FunctionMap;
use super::sets::SetTexts;
use super::utf16::Utf16Lines;

/// The log that a mutant does not have.
const NO_LOG: i32 = -1;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Columns {
    id: Vec<String>,
    file: Vec<u32>,
    line: Vec<u32>,
    column: Vec<u32>,
    end_line: Vec<u32>,
    /// In UTF-16 units from the start of the line, as the page counts.
    from_column: Vec<u32>,
    to_column: Vec<u32>,
    text: Vec<String>,
    /// Where there is no source, the code around it.
    before: BTreeMap<usize, String>,
    after: BTreeMap<usize, String>,
    operator: Vec<u32>,
    /// A digit per mutant.
    fate: String,
    covered: Vec<u32>,
    ran: Vec<u32>,
    kills: Vec<u32>,
    millis: Vec<u64>,
    log: Vec<i32>,
}

/// The columns, and the lists that they point into.
#[derive(Default)]
pub struct Gathered {
    pub columns: Columns,
    pub files: Vec<String>,
    /// The operators, by their first mutant.
    pub operators: Vec<usize>,
    pub sets: SetTexts,
    pub logs: Vec<String>,
}

/// Puts the mutants of a matrix into columns.
pub fn gather(matrix: &KillMatrix, functions: &FunctionMap) -> Gathered {
    let mut gathered = Gathered::default();
    let mut files: BTreeMap<&str, (u32, Option<Utf16Lines>)> = BTreeMap::new();
    let mut operators: BTreeMap<&str, u32> = BTreeMap::new();
    let mut logs: BTreeMap<&str, i32> = BTreeMap::new();
    for (at, row) in matrix.mutants.iter().enumerate() {
        let (file, lines) = files.entry(&row.file).or_insert_with(|| {
            gathered.files.push(row.file.clone());
            let text = functions.file(&row.file).and_then(|file| file.text.as_deref());
            (gathered.files.len() as u32 - 1, text.map(Utf16Lines::new))
        });
        let operator = *operators.entry(operator_key(row)).or_insert_with(|| {
            gathered.operators.push(at);
            gathered.operators.len() as u32 - 1
        });
        let log = matrix.outcome(at).map_or("", |known| known.log.trim());
        let log = if log.is_empty() {
            NO_LOG
        } else {
            *logs.entry(log).or_insert_with(|| {
                gathered.logs.push(log.to_owned());
                gathered.logs.len() as i32 - 1
            })
        };
        let columns = &mut gathered.columns;
        columns.file.push(*file);
        columns.operator.push(operator);
        columns.log.push(log);
        columns.push_row(at, row, lines.as_ref());
        columns.push_outcome(matrix, at, &mut gathered.sets);
    }
    gathered
}

/// By what operators are told apart: the first id, or what is said of it.
fn operator_key(row: &MutantRow) -> &str {
    row.operators.first().map_or(&row.operator, |id| id)
}

impl Columns {
    fn push_row(&mut self, at: usize, row: &MutantRow, lines: Option<&Utf16Lines>) {
        let known = lines.and_then(|lines| Some((lines.place(row.start)?, lines.place(row.end)?)));
        let (start, end) = known.unwrap_or(((row.line, 0), (row.end_line.max(row.line), 0)));
        self.id.push(row.id.clone());
        self.line.push(start.0);
        self.column.push(row.column);
        self.end_line.push(end.0);
        self.from_column.push(start.1);
        self.to_column.push(end.1);
        self.text.push(String::from_utf8_lossy(&row.text).into_owned());
        if known.is_none() {
            self.before.insert(at, row.before.clone());
            self.after.insert(at, row.after.clone());
        }
    }

    fn push_outcome(&mut self, matrix: &KillMatrix, at: usize, sets: &mut SetTexts) {
        let fate = Fate::ALL.iter().position(|fate| *fate == matrix.fate(at)).unwrap_or(0);
        self.fate.push(char::from_digit(fate as u32, 10).expect("there are eight fates"));
        let empty = crate::matrix::Outcome::new(Fate::Untested);
        let known = matrix.outcome(at).unwrap_or(&empty);
        self.covered.push(sets.number(&known.covered));
        self.ran.push(sets.number(&known.ran));
        self.kills.push(sets.number(&known.kills()));
        self.millis.push(known.millis.max(0.0).round() as u64);
    }
}
