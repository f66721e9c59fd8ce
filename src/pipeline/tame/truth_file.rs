//! Which bugs inputs show, as people found out.
//!
//! In: JSON (`{"input": "bug"}`, or a list of bugs), CSV (`input,bug`), two columns of text (`input bug`), or a
//! directory with a file `INPUT.rev` per input. Out: bugs by number, per input. An input may show several bugs:
//! a list in JSON, a line each elsewhere.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;

use crate::analysis::tame::Truth;
use crate::matrix::OpenQuote;
use crate::matrix::Rows;

/// How the files of a directory end.
const ENDING: &str = "rev";

/// Why a truth was refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum TruthError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{origin}: {source}; write {{\"input\": \"bug\"}} or {{\"input\": [\"bug\", …]}}")]
    Json { origin: String, source: serde_json::Error },
    #[error("{origin}:{line}: {found} fields; write `input,bug`")]
    Fields { origin: String, line: usize, found: usize },
    #[error("{origin}:{line}: a quoted field does not end; close it with `\"`, and double each `\"` inside")]
    Quote { origin: String, line: usize },
    #[error("{origin}:{line}: `{found}` has no bug; write `input bug`")]
    Column { origin: String, line: usize, found: String },
    #[error("{origin}: is empty; write the name of the bug into it")]
    Empty { origin: String },
}

/// What was read: the bugs of inputs, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TruthFile(pub BTreeMap<String, BTreeSet<String>>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Bugs {
    Name(String),
    Number(u64),
    Names(Vec<String>),
}

impl TruthFile {
    /// Reads a directory, or a file by how its name ends: `.json`, `.csv`, anything else in two columns.
    pub fn read(path: &Path) -> Result<Self, TruthError> {
        if path.is_dir() {
            return Self::from_directory(path);
        }
        let text = read(path)?;
        let origin = path.display().to_string();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json") => Self::from_json(&text, &origin),
            Some("csv") => Self::from_csv(&text, &origin),
            _ => Self::from_columns(&text, &origin),
        }
    }

    /// Reads `{"input": "bug", "other": ["bug", …]}`.
    pub fn from_json(text: &str, origin: &str) -> Result<Self, TruthError> {
        let known: BTreeMap<String, Bugs> = serde_json::from_str(text)
            .map_err(|source| TruthError::Json { origin: origin.to_owned(), source })?;
        let names = |bugs| match bugs {
            Bugs::Name(name) => BTreeSet::from([name]),
            Bugs::Number(number) => BTreeSet::from([number.to_string()]),
            Bugs::Names(names) => names.into_iter().collect(),
        };
        Ok(Self(known.into_iter().map(|(input, bugs)| (input, names(bugs))).collect()))
    }

    /// Reads rows `input,bug`, without a header.
    pub fn from_csv(text: &str, origin: &str) -> Result<Self, TruthError> {
        let mut truth = Self::default();
        for row in Rows::new(text) {
            let row = row.map_err(|OpenQuote(line)| TruthError::Quote { origin: origin.to_owned(), line })?;
            match row.fields.as_slice() {
                [empty] if empty.trim().is_empty() => {}
                [input, bug] => truth.note(input, bug),
                more => {
                    let (origin, found) = (origin.to_owned(), more.len());
                    return Err(TruthError::Fields { origin, line: row.line, found });
                }
            }
        }
        Ok(truth)
    }

    /// Reads lines `input bug`; the bug is what stands behind the last white space.
    pub fn from_columns(text: &str, origin: &str) -> Result<Self, TruthError> {
        let mut truth = Self::default();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let Some((input, bug)) = line.trim().rsplit_once(char::is_whitespace) else {
                let (origin, found) = (origin.to_owned(), line.trim().to_owned());
                return Err(TruthError::Column { origin, line: at + 1, found });
            };
            truth.note(input.trim_end(), bug);
        }
        Ok(truth)
    }

    fn from_directory(directory: &Path) -> Result<Self, TruthError> {
        let unread = |source| TruthError::Read { path: directory.to_owned(), source };
        let mut truth = Self::default();
        for entry in fs::read_dir(directory).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            if path.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            let input = path.file_stem().unwrap_or_default().to_string_lossy();
            let text = read(&path)?;
            if text.trim().is_empty() {
                return Err(TruthError::Empty { origin: path.display().to_string() });
            }
            text.lines().map(str::trim).filter(|bug| !bug.is_empty()).for_each(|bug| truth.note(&input, bug));
        }
        Ok(truth)
    }

    fn note(&mut self, input: &str, bug: &str) {
        self.0.entry(input.to_owned()).or_default().insert(bug.to_owned());
    }

    /// Whether it names a bug of an input.
    pub fn knows(&self, input: &str) -> bool {
        self.0.get(input).is_some_and(|bugs| !bugs.is_empty())
    }

    /// The bugs of these inputs; an input that is not known has none.
    pub fn of(&self, inputs: &[String]) -> Truth {
        let known: Vec<Option<&BTreeSet<String>>> = inputs.iter().map(|input| self.0.get(input)).collect();
        let names: BTreeSet<&String> = known.iter().flatten().copied().flatten().collect();
        let bugs: Vec<String> = names.into_iter().cloned().collect();
        let number = |bug| bugs.binary_search(bug).expect("it was just put there") as u32;
        let of = known.iter().map(|known| known.iter().copied().flatten().map(number).collect());
        Truth { of: of.collect(), bugs }
    }
}

fn read(path: &Path) -> Result<String, TruthError> {
    fs::read_to_string(path).map_err(|source| TruthError::Read { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> TruthFile {
        let bugs = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        TruthFile(BTreeMap::from([("a,1 b".to_owned(), bugs(&["7", "x"])), ("c".to_owned(), bugs(&["7"]))]))
    }

    #[test]
    fn all_ways_to_write_it_say_the_same() {
        let json = r#"{"a,1 b": ["x", "7"], "c": 7}"#;
        assert_eq!(TruthFile::from_json(json, "t").unwrap(), wanted());
        assert_eq!(TruthFile::from_csv("\"a,1 b\",x\r\nc,7\n\n\"a,1 b\",7\n", "t").unwrap(), wanted());
        assert_eq!(TruthFile::from_columns("a,1 b\tx\n\nc   7\na,1 b 7\n", "t").unwrap(), wanted());
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in [("a,1 b.rev", "x\n7\n"), ("c.rev", "7"), ("c.cov", "d:1 1\n")] {
            fs::write(directory.path().join(name), text).unwrap();
        }
        assert_eq!(TruthFile::read(directory.path()).unwrap(), wanted());
        let truth = wanted().of(&["c".to_owned(), "other".to_owned(), "a,1 b".to_owned()]);
        assert_eq!((truth.bugs.join(" "), truth.shown_by()), ("7 x".to_owned(), vec![2, 1]));
        assert!(truth.share(0, 2) && !truth.share(0, 1));
    }

    #[test]
    fn refusals_name_place_and_remedy() {
        let said = |result: Result<TruthFile, TruthError>| result.unwrap_err().to_string();
        assert!(said(TruthFile::from_json("{\"a\": 1.5}", "t")).starts_with("t: "));
        assert!(said(TruthFile::from_csv("a,b\nc\n", "t")).starts_with("t:2: 1 fields"));
        assert!(said(TruthFile::from_csv("a,\"b\n", "t")).starts_with("t:1: a quoted field"));
        assert!(said(TruthFile::from_columns("a b\nc\n", "t")).starts_with("t:2: `c` has no bug"));
        assert!(said(TruthFile::read(Path::new("/there/is/none.json"))).starts_with("cannot read"));
    }
}
