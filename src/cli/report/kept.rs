//! What is kept of runs beside their matrix: notes on the last one, a line for each, and the page.

use std::fs;
use std::path::Path;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use anyhow::Result;

use crate::files::replace;
use crate::matrix::KillMatrix;
use crate::operator::Date;
use crate::report::AcceptedNote;
use crate::report::FunctionMap;
use crate::report::HistoryRow;
use crate::report::RunNotes;
use crate::report::RunReport;
use crate::workspace::read_below;

use super::super::test::MEANINGS;

/// The page, beside the results.
pub const PAGE: &str = "report.html";
const NOTES: &str = "run.json";
const HISTORY: &str = "history.jsonl";
/// Runs that are remembered.
const MOST_RUNS: usize = 500;

/// All that reports show beside the matrix.
pub struct Kept {
    pub title: String,
    pub functions: FunctionMap,
    pub notes: RunNotes,
    pub history: Vec<HistoryRow>,
    pub accepted: Vec<AcceptedNote>,
}

/// A run that ended.
pub struct Finished<'a> {
    pub root: &'a Path,
    pub out: &'a Path,
    pub matrix: &'a KillMatrix,
    pub notes: RunNotes,
    /// Whether it was of the project as a whole, and not of single mutants.
    pub whole: bool,
}

impl Kept {
    /// Reads what is there. Notes that are damaged or missing are left out: the matrix is what counts.
    pub fn read(root: &Path, out: &Path, matrix: &KillMatrix) -> Self {
        let lines = fs::read_to_string(out.join(HISTORY)).unwrap_or_default();
        Self {
            title: title(root),
            functions: FunctionMap::new(matrix, |path| read_below(root, path).ok()),
            notes: notes(out),
            history: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            accepted: Vec::new(),
        }
    }

    /// The page.
    pub fn html(&self, matrix: &KillMatrix) -> String {
        let Self { title, functions, notes, history, accepted } = self;
        RunReport { title, matrix, functions, notes, history, accepted, meanings: &MEANINGS }.html()
    }
}

/// Keeps notes on a run, and writes the page.
pub fn after_test(finished: Finished) -> Result<()> {
    let Finished { root, out, matrix, notes: mut new, whole } = finished;
    new.at = now();
    new.keep(notes(out));
    replace(&out.join(NOTES), serde_json::to_string(&new)?.as_bytes())?;
    if whole {
        remember(out, &HistoryRow::new(&new.at, new.seconds, &matrix.counts(), matrix.score()))?;
    }
    replace(&out.join(PAGE), Kept::read(root, out, matrix).html(matrix).as_bytes())?;
    Ok(())
}

fn notes(out: &Path) -> RunNotes {
    let text = fs::read_to_string(out.join(NOTES)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn remember(out: &Path, row: &HistoryRow) -> Result<()> {
    let known = fs::read_to_string(out.join(HISTORY)).unwrap_or_default();
    let new = serde_json::to_string(row)?;
    let mut lines: Vec<&str> = known.lines().chain([new.as_str()]).collect();
    lines.drain(..lines.len().saturating_sub(MOST_RUNS));
    Ok(replace(&out.join(HISTORY), (lines.join("\n") + "\n").as_bytes())?)
}

/// The project by the name of its directory.
fn title(root: &Path) -> String {
    let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    full.file_name().map_or_else(|| "project".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The day and minute, in UTC.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{} {hour:02}:{minute:02} UTC", Date::of_seconds(seconds))
}
