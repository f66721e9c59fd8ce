//! What is stored about runs beside their matrix: notes on the last one, one line for each, and the page.

use std::fs;
use std::io;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use anyhow::Context;
use anyhow::Result;

use crate::files::replace;
use crate::matrix::ACCEPTED;
use crate::matrix::Accepted;
use crate::matrix::AcceptedMutant;
use crate::matrix::KillMatrix;
use crate::operator::Date;
use crate::report::AcceptedNote;
use crate::report::Documented;
use crate::report::FunctionMap;
use crate::report::HistoryRow;
use crate::report::RunNotes;
use crate::report::RunReport;
use crate::report::annotations;
use crate::report::markdown;
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
    pub accepted: Accepted,
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
    /// Reads what is there. Notes that are damaged or missing are left out: the matrix is what counts. A list of
    /// accepted mutants that cannot be read is an error.
    pub fn read(root: &Path, out: &Path, matrix: &KillMatrix) -> Result<Self> {
        let lines = fs::read_to_string(out.join(HISTORY)).unwrap_or_default();
        Ok(Self {
            title: title(root),
            functions: FunctionMap::new(matrix, |path| read_below(root, path).ok()),
            notes: notes(out),
            history: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
            accepted: read_accepted(root)?,
        })
    }

    /// What documents are written from.
    pub fn documented<'a>(&'a self, matrix: &'a KillMatrix) -> Documented<'a> {
        let accepted = self.accepted.holding(today()).map(|entry| entry.id.clone()).collect();
        Documented { title: &self.title, matrix, functions: &self.functions, accepted }
    }

    /// The page.
    pub fn html(&self, matrix: &KillMatrix) -> String {
        let Self { title, functions, notes, history, accepted } = self;
        let note = |entry: &AcceptedMutant| AcceptedNote {
            id: entry.id.clone(),
            reason: entry.reason.clone(),
            author: entry.author.clone(),
        };
        let accepted = &accepted.holding(today()).map(note).collect::<Vec<_>>();
        RunReport { title, matrix, functions, notes, history, accepted, meanings: &MEANINGS }.html()
    }
}

/// Keeps notes on a run, and writes the page.
pub fn after_test(finished: Finished) -> Result<Kept> {
    let Finished { root, out, matrix, notes: mut new, whole } = finished;
    new.at = now();
    new.keep(notes(out));
    replace(&out.join(NOTES), serde_json::to_string(&new)?.as_bytes())?;
    if whole {
        remember(out, &HistoryRow::new(&new.at, new.seconds, &matrix.counts(), matrix.score()))?;
    }
    let kept = Kept::read(root, out, matrix)?;
    replace(&out.join(PAGE), kept.html(matrix).as_bytes())?;
    tell_actions(&kept.documented(matrix))?;
    Ok(kept)
}

/// On GitHub Actions: annotations, and the summary of the job.
fn tell_actions(documented: &Documented) -> Result<()> {
    if std::env::var("GITHUB_ACTIONS").as_deref() != Ok("true") {
        return Ok(());
    }
    annotations(documented).lines().for_each(|line| tell!("{line}"));
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let mut file = fs::OpenOptions::new().create(true).append(true).open(&path)?;
    Ok(file.write_all(markdown(documented).as_bytes())?)
}

/// The accepted mutants of a project; none if it has no list.
pub fn read_accepted(root: &Path) -> Result<Accepted> {
    let path = root.join(ACCEPTED);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Accepted::parse(&text, &path.display().to_string())?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Accepted::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The notes on the run in a directory.
pub fn notes(out: &Path) -> RunNotes {
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

/// Seconds since 1970.
pub fn seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// The day, in UTC.
pub fn today() -> Date {
    Date::of_seconds(seconds())
}

/// The day and minute, in UTC.
fn now() -> String {
    let seconds = seconds();
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{} {hour:02}:{minute:02} UTC", Date::of_seconds(seconds))
}
