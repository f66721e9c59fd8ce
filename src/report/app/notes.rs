//! What is known of a run beside its matrix, kept in the directory of results.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Tool;
use crate::matrix::Fate;
use crate::matrix::FateCounts;
use crate::operator::Evidence;

/// When a run was, and what is known of the operators that it used.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct RunNotes {
    /// The day and minute on which it ended, in words.
    pub at: String,
    pub seconds: f64,
    /// By the ids of operators.
    pub operators: BTreeMap<String, OperatorNote>,
}

/// Where an operator was seen in the wild.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct OperatorNote {
    /// What kind of change it is, if it has a name.
    pub name: String,
    pub count: u64,
    /// The share of changes in fixes.
    pub fixes: f64,
    pub repos: Vec<String>,
    pub first: Option<String>,
    pub last: Option<String>,
    /// Commits that show it: `repository@commit`.
    pub examples: Vec<String>,
}

/// One of the earlier runs, in a line of `history.jsonl`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct HistoryRow {
    pub at: String,
    pub mutants: usize,
    pub score: Option<f64>,
    pub counts: BTreeMap<Fate, u64>,
    pub seconds: f64,
}

/// A mutant that the team accepts, as the report shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AcceptedNote {
    pub id: String,
    pub reason: String,
    pub author: String,
}

impl RunNotes {
    /// The notes on the operators of these mutants.
    pub fn new(inserter: &Inserter, mutants: &[&Mutant]) -> Self {
        let mut operators = BTreeMap::new();
        for mutant in mutants {
            let entry = &inserter.arsenal.entries[mutant.entries[0] as usize];
            operators.entry(entry.id.clone()).or_insert_with(|| match &entry.tool {
                Tool::Operator(operator) => OperatorNote::new(&operator.name, &operator.evidence),
                Tool::Shift(shift) => OperatorNote::new("", &shift.evidence),
            });
        }
        Self { operators, ..Self::default() }
    }

    /// Takes up what earlier notes know of other operators: their mutants may still be in the matrix.
    pub fn keep(&mut self, earlier: Self) {
        for (id, note) in earlier.operators {
            self.operators.entry(id).or_insert(note);
        }
    }
}

impl OperatorNote {
    /// What is known of an operator without notes.
    pub const UNKNOWN: Self = Self {
        name: String::new(),
        count: 0,
        fixes: 0.0,
        repos: Vec::new(),
        first: None,
        last: None,
        examples: Vec::new(),
    };

    fn new(name: &str, evidence: &Evidence) -> Self {
        Self {
            name: name.to_owned(),
            count: evidence.count,
            fixes: evidence.fix_share(),
            repos: evidence.repos.iter().cloned().collect(),
            first: evidence.first.map(|date| date.to_string()),
            last: evidence.last.map(|date| date.to_string()),
            examples: evidence.examples.iter().map(|(id, repo)| format!("{repo}@{id}")).collect(),
        }
    }
}

impl HistoryRow {
    /// A row for a run that ended now.
    pub fn new(at: &str, seconds: f64, counts: &FateCounts, score: Option<f64>) -> Self {
        let mutants = counts.values().sum::<u64>() as usize;
        Self { at: at.to_owned(), mutants, score, counts: counts.clone(), seconds }
    }
}
