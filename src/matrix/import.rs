//! The matrix from documents, ours or others'.

use roaring::RoaringBitmap;

use crate::exec::Verdict;

use super::Fate;
use super::ImportError;
use super::KillMatrix;
use super::MutantRow;
use super::Outcome;
use super::TestRow;
use super::csv::CsvRow;
use super::csv::LETTERS;
use super::csv::OpenQuote;
use super::csv::Rows;
use super::json::FORMAT;
use super::json::MatrixDocument;
use super::json::MutantFile;
use super::json::OutcomeFile;
use super::json::RanTests;
use super::json::Runs;

/// The columns before the tests.
const FIXED: [&str; 4] = ["mutant", "file", "line", "fate"];

/// Reads what [`super::to_json`] documents; `origin` names it in errors.
pub fn from_json(text: &str, origin: &str) -> Result<KillMatrix, ImportError> {
    let document: MatrixDocument = serde_json::from_str(text)
        .map_err(|source| ImportError::Json { origin: origin.to_owned(), source })?;
    let found = document.format;
    if found != FORMAT {
        return Err(ImportError::Format { origin: origin.to_owned(), found, known: FORMAT });
    }
    let mut matrix = KillMatrix { tests: document.tests, ..KillMatrix::default() };
    for mutant in document.mutants {
        let (row, known) = mutant_row(mutant);
        let numbers = Numbers { origin, mutant: &row.id, tests: matrix.tests.len() };
        matrix.outcomes.push(known.map(|known| numbers.outcome(known)).transpose()?);
        matrix.mutants.push(row);
    }
    Ok(matrix)
}

fn mutant_row(file: MutantFile) -> (MutantRow, Option<OutcomeFile>) {
    let row = MutantRow {
        id: file.id,
        file: file.file,
        line: file.line,
        column: file.column,
        end_line: file.end_line,
        end_column: file.end_column,
        start: file.start,
        end: file.end,
        text: file.text.into(),
        operators: file.operators,
        operator: file.operator,
        before: file.before,
        after: file.after,
        repos: file.repos,
        fix_share: file.fix_share,
        engine: file.engine,
        unit: file.unit,
    };
    (row, file.outcome)
}

/// Checks the test numbers of one mutant.
struct Numbers<'a> {
    origin: &'a str,
    mutant: &'a str,
    tests: usize,
}

impl Numbers<'_> {
    fn outcome(&self, file: OutcomeFile) -> Result<Outcome, ImportError> {
        let covered = self.set(&file.covered)?;
        let ran = match &file.ran {
            RanTests::Same(_) => covered.clone(),
            RanTests::Listed(runs) => self.set(runs)?,
        };
        Ok(Outcome {
            fate: file.fate,
            covered,
            ran,
            failed: self.set(&file.killed_by.fail)?,
            crashed: self.set(&file.killed_by.crash)?,
            timed_out: self.set(&file.killed_by.time_out)?,
            millis: file.millis,
            log: file.log,
        })
    }

    fn set(&self, runs: &Runs) -> Result<RoaringBitmap, ImportError> {
        let mut set = RoaringBitmap::new();
        for (first, last) in runs.0.iter().map(|run| run.ends()) {
            let (origin, mutant) = (self.origin.to_owned(), self.mutant.to_owned());
            if last as usize >= self.tests {
                return Err(ImportError::NoTest { origin, mutant, test: last, tests: self.tests });
            }
            if last < first {
                return Err(ImportError::Backward { origin, mutant, first, last });
            }
            set.insert_range(first..=last);
        }
        Ok(set)
    }
}

/// Reads the table that [`super::to_csv`] documents; `origin` names it in errors. It knows nothing of the
/// baseline and of coverage: every test counts as passing, and those that ran are those that reach.
pub fn from_csv(text: &str, origin: &str) -> Result<KillMatrix, ImportError> {
    let mut rows = Rows::new(text)
        .map(|row| row.map_err(|OpenQuote(line)| ImportError::Quote { origin: origin.to_owned(), line }));
    let header = rows.next().transpose()?.map(|row| row.fields).unwrap_or_default();
    let tests = header
        .strip_prefix(&FIXED.map(str::to_owned))
        .ok_or_else(|| ImportError::Header { origin: origin.to_owned() })?;
    let mut matrix =
        KillMatrix { tests: tests.iter().map(|name| passing(name)).collect(), ..Default::default() };
    for row in rows {
        let (mutant, outcome) = Line { origin, tests, row: &row? }.read()?;
        matrix.mutants.push(mutant);
        matrix.outcomes.push(outcome);
    }
    Ok(matrix)
}

fn passing(name: &str) -> TestRow {
    TestRow { name: name.to_owned(), verdict: Verdict::Pass, millis: 0.0, flaky: false }
}

/// One row of the table.
struct Line<'a> {
    origin: &'a str,
    tests: &'a [String],
    row: &'a CsvRow,
}

impl Line<'_> {
    fn read(&self) -> Result<(MutantRow, Option<Outcome>), ImportError> {
        let (origin, line) = (self.origin.to_owned(), self.row.line);
        let wanted = FIXED.len() + self.tests.len();
        let [id, file, number, fate, cells @ ..] = self.row.fields.as_slice() else {
            return Err(ImportError::Width { origin, line, found: self.row.fields.len(), wanted });
        };
        if cells.len() != self.tests.len() {
            return Err(ImportError::Width { origin, line, found: self.row.fields.len(), wanted });
        }
        let Ok(start) = number.parse() else {
            return Err(ImportError::Line { origin, line, found: number.clone() });
        };
        let mutant = MutantRow { id: id.clone(), file: file.clone(), line: start, ..MutantRow::default() };
        Ok((mutant, self.outcome(fate, cells)?))
    }

    fn outcome(&self, fate: &str, cells: &[String]) -> Result<Option<Outcome>, ImportError> {
        if fate.is_empty() && cells.iter().all(|cell| cell == ".") {
            return Ok(None);
        }
        let (origin, line) = (self.origin.to_owned(), self.row.line);
        let fate = fate.parse::<Fate>().map_err(|source| ImportError::Fate { origin, line, source })?;
        let mut outcome = Outcome::new(fate);
        for ((test, name), cell) in (0..).zip(self.tests).zip(cells) {
            if let Some(verdict) = self.verdict(name, cell)? {
                outcome.note(test, verdict);
            }
        }
        outcome.covered = outcome.ran.clone();
        Ok(Some(outcome))
    }

    fn verdict(&self, test: &str, cell: &str) -> Result<Option<Verdict>, ImportError> {
        if cell == "." {
            return Ok(None);
        }
        let mut letters = cell.chars();
        let (letter, more) = (letters.next(), letters.next());
        let found = LETTERS.iter().find(|(_, known)| Some(*known) == letter && more.is_none());
        found.map(|(verdict, _)| Some(*verdict)).ok_or_else(|| ImportError::Cell {
            origin: self.origin.to_owned(),
            line: self.row.line,
            cell: cell.to_owned(),
            test: test.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_from_elsewhere_becomes_a_matrix() {
        let text = "mutant,file,line,fate,\"t,1\",t2,t3\nm,a.c,7,killed,P,F,T\nn,a.c,8,,.,.,.\n";
        let matrix = from_csv(text, "k.csv").unwrap();
        assert_eq!(matrix.tests[0].name, "t,1");
        assert_eq!((matrix.mutants[0].line, matrix.kills(0)), (7, RoaringBitmap::from([1, 2])));
        assert_eq!(matrix.outcomes[1], None);
    }

    #[test]
    fn refusals_name_place_and_remedy() {
        let head = "mutant,file,line,fate,t\n";
        for (text, says) in [
            ("id,file\n".to_owned(), "k:1: no header"),
            (format!("{head}m,a,1,killed\n"), "k:2: 4 fields, but the header has 5"),
            (format!("{head}m,a,x,killed,P\n"), "k:2: line `x`"),
            (format!("{head}m,a,1,dead,P\n"), "k:2: unknown fate `dead`"),
            (format!("{head}m,a,1,killed,X\n"), "k:2: `X` for test `t`"),
            (format!("{head}\"m,a\n"), "k:2: a quoted field does not end"),
        ] {
            let error = from_csv(&text, "k").unwrap_err().to_string();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn half_a_document_is_enough_and_a_wrong_one_is_refused() {
        let text = |ran: &str| {
            format!(
                r#"{{"format":1,"tests":[{{"name":"t"}}],"mutants":[{{"id":"m","file":"a","outcome":{{"fate":"survived","ran":{ran}}}}}]}}"#
            )
        };
        let matrix = from_json(&text("[0]"), "k").unwrap();
        assert_eq!(matrix.outcome(0).unwrap().ran, RoaringBitmap::from([0]));
        let refusal = |ran: &str| from_json(&text(ran), "k").unwrap_err().to_string();
        assert!(refusal("[1]").contains("mutant `m`: names test 1, but there are 1"));
        assert!(refusal("[\"x\"]").contains("line 1 column"));
        assert!(from_json("{\"format\":2,\"tests\":[],\"mutants\":[]}", "k").is_err());
    }
}
