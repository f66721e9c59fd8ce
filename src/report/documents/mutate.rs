//! The results of `wildcaught mutate --list --json`; its figures are [`super::super::Figures`].

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::insert::Description;

/// Mutants of a target.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutateDocument {
    /// The version of this document.
    pub format: u32,
    pub mutants: Vec<FoundMutant>,
}

/// A mutant: where it is, and what it changes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundMutant {
    /// Its id, the same in every run.
    pub id: String,
    pub file: String,
    /// Lines and columns count from 1.
    pub line: usize,
    pub column: usize,
    /// The ids of the operators that make it, the most widely seen first.
    pub operators: Vec<String>,
    /// What the first of them does.
    pub operator: String,
    /// The code around it, in a line.
    pub before: String,
    pub after: String,
    /// Rules that it breaks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfit: Vec<String>,
    /// Whether it compiles, if that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viable: Option<bool>,
    /// What the compiler said, if it does not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
}

impl MutateDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of mutants, in their order.
    pub fn new(mutants: &[Description]) -> Self {
        Self { format: Self::FORMAT, mutants: mutants.iter().map(FoundMutant::from).collect() }
    }
}

impl From<&Description> for FoundMutant {
    fn from(mutant: &Description) -> Self {
        Self {
            id: mutant.id.clone(),
            file: mutant.file.display().to_string(),
            line: mutant.line,
            column: mutant.column,
            operators: mutant.operators.clone(),
            operator: mutant.operator.clone(),
            before: mutant.before.clone(),
            after: mutant.after.clone(),
            unfit: mutant.unfit.iter().map(|rule| (*rule).to_owned()).collect(),
            viable: mutant.viable,
            error: mutant.error.clone(),
        }
    }
}
