//! Which of the formats a file or directory has.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;

use super::super::KillMatrix;
use super::super::Store;
use super::super::from_csv;
use super::super::from_json;
use super::MajorFiles;
use super::MatrixReadError;
use super::from_major;
use super::from_mte_json;
use super::from_pit;

/// The store in a directory with results.
const STORE: &str = "store.sqlite";
/// What Major calls its kill matrix.
const KILLS: [&str; 2] = ["killMap.csv", "killMatrix.csv"];

/// Reads a matrix, by what is there: results of a run (the directory or its store), our JSON or CSV, a
/// mutation-testing-elements report, PIT's `mutations.xml`, or a directory with Major's files.
pub fn read_matrix(path: &Path) -> Result<KillMatrix, MatrixReadError> {
    if path.is_dir() {
        return read_directory(path);
    }
    let bytes = fs::read(path).map_err(|error| MatrixReadError::Io { path: path.to_owned(), error })?;
    if bytes.starts_with(b"SQLite format 3\0") {
        return Ok(KillMatrix::load(&Store::open(path)?)?);
    }
    let (text, origin) = (String::from_utf8_lossy(&bytes), path.display().to_string());
    let head = text.trim_start_matches('\u{feff}').trim_start();
    if head.starts_with('{') {
        return if is_report(head) { from_mte_json(head, &origin) } else { Ok(from_json(head, &origin)?) };
    }
    if head.starts_with('<') && head.contains("<mutations") {
        return from_pit(&text, &origin);
    }
    if head.starts_with("mutant,") {
        return Ok(from_csv(&text, &origin)?);
    }
    if head.starts_with("TestNo,MutantNo") {
        return read_major(path.parent().unwrap_or(Path::new(".")), path.to_owned());
    }
    Err(MatrixReadError::Unknown { origin })
}

fn read_directory(directory: &Path) -> Result<KillMatrix, MatrixReadError> {
    if directory.join(STORE).exists() {
        return Ok(KillMatrix::load(&Store::open(&directory.join(STORE))?)?);
    }
    let kills = KILLS.iter().map(|name| directory.join(name)).find(|path| path.exists());
    match kills {
        Some(kills) => read_major(directory, kills),
        None => Err(MatrixReadError::Unknown { origin: directory.display().to_string() }),
    }
}

fn read_major(directory: &Path, kills: PathBuf) -> Result<KillMatrix, MatrixReadError> {
    let read = |path: PathBuf| match fs::read(&path) {
        Ok(bytes) => Ok((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(MatrixReadError::Io { path, error }),
    };
    let mutants = read(directory.join("mutants.log"))?;
    let tests = read(directory.join("testMap.csv"))?;
    let kills = read(kills)?;
    let covered = directory.join("covMap.csv");
    let covered = if covered.exists() { Some(read(covered)?) } else { None };
    from_major(&MajorFiles {
        mutants: (&mutants.0, &mutants.1),
        tests: (&tests.0, &tests.1),
        kills: (&kills.0, &kills.1),
        covered: covered.as_ref().map(|(name, text)| (name.as_str(), text.as_str())),
    })
}

/// Whether JSON is a mutation-testing-elements report: that names the version of its schema.
fn is_report(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "schemaVersion")]
        version: Option<serde::de::IgnoredAny>,
    }
    serde_json::from_str::<Head>(text).is_ok_and(|head| head.version.is_some())
}
