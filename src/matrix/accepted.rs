//! `wildcaught.accepted.toml`: mutants that a team accepts, each with a reason.
//!
//! In: the text of the file. Out: checked entries, and what of them no longer holds. Entries are added at the end, so
//! that comments and order stay as people wrote them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

use crate::operator::Date;

use super::Fate;
use super::KillMatrix;

/// The name of the file, at the root of a project.
pub const ACCEPTED: &str = "wildcaught.accepted.toml";
const FORMAT: u32 = 1;

/// The mutants that are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The version of the file.
    #[serde(default)]
    pub format: u32,
    #[serde(default)]
    pub accept: Vec<AcceptedMutant>,
}

/// A mutant that no test needs to kill.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptedMutant {
    /// Its id, the same in every run.
    pub id: String,
    /// Why no test needs to kill it.
    pub reason: String,
    /// Who accepted it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The last day on which the entry is valid (YYYY-MM-DD). Default: no end.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expires: String,
    /// Where it was, and what it does, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub words: String,
}

/// Why the file cannot be used.
#[derive(Debug, Error)]
pub enum AcceptedError {
    #[error("{file}: {problem}")]
    Syntax { file: String, problem: String },
    #[error("{file}: has format {found}, but this version reads {FORMAT}; update wildcaught")]
    Newer { file: String, found: u32 },
    #[error("{file}: mutant {id} is listed twice; remove one of the entries")]
    Twice { file: String, id: String },
    #[error("{file}: mutant {id} has no reason; say why no test needs to kill it")]
    NoReason { file: String, id: String },
    #[error("{file}: expires = {text:?} of mutant {id} is not a date; write YYYY-MM-DD")]
    NoDay { file: String, id: String, text: String },
}

/// Entries that no longer hold, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptedReview {
    /// There is no such mutant in the run.
    pub unknown: Vec<String>,
    /// A test kills it now.
    pub killed: Vec<String>,
    pub expired: Vec<String>,
}

impl Accepted {
    /// Reads and checks the text of a file.
    pub fn parse(text: &str, file: &str) -> Result<Self, AcceptedError> {
        let file = || file.to_owned();
        let read: Self = toml::from_str(text)
            .map_err(|error| AcceptedError::Syntax { file: file(), problem: error.to_string() })?;
        if read.format > FORMAT {
            return Err(AcceptedError::Newer { file: file(), found: read.format });
        }
        let mut seen = BTreeSet::new();
        for AcceptedMutant { id, reason, expires, .. } in &read.accept {
            let id = id.clone();
            if reason.trim().is_empty() {
                return Err(AcceptedError::NoReason { file: file(), id });
            }
            if !expires.is_empty() && Date::parse(expires).is_none() {
                return Err(AcceptedError::NoDay { file: file(), id, text: expires.clone() });
            }
            if !seen.insert(id.clone()) {
                return Err(AcceptedError::Twice { file: file(), id });
            }
        }
        Ok(read)
    }

    /// The entries that hold on a day.
    pub fn holding(&self, today: Date) -> impl Iterator<Item = &AcceptedMutant> {
        self.accept.iter().filter(move |entry| !entry.is_expired(today))
    }

    /// What no longer holds. Of mutants that were not in the run nothing is said where only a part was run.
    pub fn review(&self, matrix: &KillMatrix, whole: bool, today: Date) -> AcceptedReview {
        let numbers: BTreeMap<&str, usize> =
            matrix.mutants.iter().enumerate().map(|(at, row)| (row.id.as_str(), at)).collect();
        let mut review = AcceptedReview::default();
        for entry in &self.accept {
            let list = match numbers.get(entry.id.as_str()).map(|at| matrix.fate(*at)) {
                _ if entry.is_expired(today) => &mut review.expired,
                None if whole => &mut review.unknown,
                Some(Fate::Killed | Fate::TimeOut) => &mut review.killed,
                _ => continue,
            };
            list.push(entry.id.clone());
        }
        review
    }

    /// The text of a file with one more entry at its end.
    pub fn with(text: &str, entry: &AcceptedMutant) -> String {
        let new = toml::to_string(entry).expect("an entry is TOML");
        let head = if text.trim().is_empty() {
            format!("format = {FORMAT}\n")
        } else {
            text.trim_end().to_owned() + "\n"
        };
        format!("{head}\n[[accept]]\n{new}")
    }
}

impl AcceptedMutant {
    fn is_expired(&self, today: Date) -> bool {
        Date::parse(&self.expires).is_some_and(|last| last < today)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str) -> AcceptedMutant {
        AcceptedMutant { id: id.into(), reason: "only \"logs\"".into(), ..AcceptedMutant::default() }
    }

    #[test]
    fn entries_are_added_behind_what_people_wrote() {
        let first = Accepted::with("", &entry("a-1"));
        let both = Accepted::with(&format!("# ours\n{first}"), &entry("b-2"));
        assert!(both.starts_with("# ours\nformat = 1\n"));
        let read = Accepted::parse(&both, "f").unwrap();
        assert_eq!(read.accept, [entry("a-1"), entry("b-2")]);
        let twice = Accepted::with(&both, &entry("b-2"));
        assert!(Accepted::parse(&twice, "f").unwrap_err().to_string().contains("b-2 is listed twice"));
    }

    #[test]
    fn mistakes_are_named_with_their_remedy() {
        for (text, wanted) in [
            ("[[accept]]\nid = \"a\"\nreason = \" \"", "has no reason"),
            ("[[accept]]\nid = \"a\"\nreason = \"x\"\nexpires = \"soon\"", "YYYY-MM-DD"),
            ("[[accept]]\nid = \"a\"\nreasons = \"x\"", "unknown field"),
            ("format = 9", "update wildcaught"),
        ] {
            let error = Accepted::parse(text, "f").unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn what_no_longer_holds_is_found() {
        let matrix =
            super::super::from_csv("mutant,file,line,fate\na,f,1,killed\nb,f,1,survived\n", "t").unwrap();
        let old = AcceptedMutant { expires: "2020-01-01".into(), ..entry("d") };
        let accepted = Accepted { format: 1, accept: vec![entry("a"), entry("b"), entry("c"), old] };
        let today = Date::parse("2024-05-01").unwrap();
        let review = accepted.review(&matrix, true, today);
        assert_eq!(
            (review.killed, review.unknown, review.expired),
            (vec!["a".into()], vec!["c".into()], vec!["d".into()])
        );
        assert_eq!(accepted.review(&matrix, false, today).unknown, Vec::<String>::new());
        assert_eq!(accepted.holding(today).count(), 3);
    }
}
