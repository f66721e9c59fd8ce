//! A run for programs: figures, and every missed mutant whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::matrix::Fate;
use crate::matrix::FateTally;

use super::super::formats::Documented;
use super::super::formats::Missed;

/// Tests of a survivor that are named.
const NAMED: usize = 50;

/// The result of the last run, with all that is needed to write the missing tests.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportDocument {
    /// The version of this document.
    pub format: u32,
    /// Detected / (detected + missed); none if nothing was tested.
    pub score: Option<f64>,
    pub mutants: usize,
    pub tests: usize,
    /// How many mutants met which fate.
    pub counts: BTreeMap<Fate, u64>,
    /// Missed mutants, the most useful to test first; one of every function before a second.
    pub survivors: Vec<SurvivorText>,
    pub files: Vec<FateTally>,
}

/// A missed mutant.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SurvivorText {
    pub id: String,
    /// `survived`: tests execute it and pass; `not-covered`: no test executes it.
    pub fate: Fate,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// The function that it is in, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// The operator in words, and in notation.
    pub words: String,
    pub operator: String,
    /// The code around it, in a line each.
    pub before: String,
    pub after: String,
    /// The change as a diff for `git apply`.
    pub diff: String,
    /// How many tests execute it, and the names of the first of them.
    pub reached_by: usize,
    pub tests: Vec<String>,
    /// What a test must do to kill it.
    pub observe: String,
    /// Whether the team accepts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
}

impl ReportDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of the last run.
    pub fn new(documented: &Documented) -> Self {
        let matrix = documented.matrix;
        Self {
            format: Self::FORMAT,
            score: matrix.score(),
            mutants: matrix.mutants.len(),
            tests: matrix.tests.len(),
            counts: matrix.counts(),
            survivors: SurvivorText::all(documented),
            files: matrix.by_file(),
        }
    }
}

impl SurvivorText {
    /// All missed mutants, accepted ones included.
    pub fn all(documented: &Documented) -> Vec<Self> {
        documented.ranked().into_iter().map(|at| Self::new(&documented.one(at))).collect()
    }

    fn new(one: &Missed) -> Self {
        Self {
            id: one.row.id.clone(),
            fate: one.fate,
            file: one.row.file.clone(),
            line: one.row.line,
            column: one.row.column,
            function: one.function.map(str::to_owned),
            words: one.words.clone(),
            operator: one.row.operator.clone(),
            before: one.row.before.clone(),
            after: one.row.after.clone(),
            diff: one.diff.clone(),
            reached_by: one.tests.len(),
            tests: one.tests.iter().take(NAMED).map(|name| (*name).to_owned()).collect(),
            observe: one.observe(),
            accepted: one.accepted,
        }
    }
}
