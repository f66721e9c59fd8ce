//! The JSON document, field by field; [`super::to_json`] says what it means.

use roaring::RoaringBitmap;
use schemars::JsonSchema;
use schemars::Schema;
use schemars::schema_for;
use serde::Deserialize;
use serde::Serialize;

use super::Fate;
use super::Switch;
use super::TestRow;

/// The version of the format that is written.
pub(super) const FORMAT: u32 = 1;

/// The JSON schema of a kill matrix.
pub fn matrix_schema() -> Schema {
    schema_for!(MatrixDocument)
}

/// The JSON schema of the list of mutants.
pub fn mutants_schema() -> Schema {
    schema_for!(Vec<MutantFate>)
}

/// A kill matrix: tests, mutants, and which tests noticed which mutants. Tests are numbers from 0, in their order.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MatrixDocument {
    /// The version of this document.
    pub format: u32,
    pub tests: Vec<TestRow>,
    pub mutants: Vec<MutantFile>,
}

/// A mutant and what is known of it.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct MutantFile {
    pub id: String,
    pub file: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    #[serde(default)]
    pub end_line: u32,
    #[serde(default)]
    pub end_column: u32,
    #[serde(default)]
    pub start: u64,
    #[serde(default)]
    pub end: u64,
    #[serde(default)]
    pub text: Bytes,
    #[serde(default)]
    pub operators: Vec<String>,
    #[serde(default)]
    pub operator: String,
    #[serde(default)]
    pub before: String,
    #[serde(default)]
    pub after: String,
    #[serde(default)]
    pub repos: u32,
    #[serde(default)]
    pub fix_share: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Switch>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeFile>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct OutcomeFile {
    pub fate: Fate,
    #[serde(default)]
    pub millis: f64,
    #[serde(default)]
    pub covered: Runs,
    #[serde(default)]
    pub ran: RanTests,
    #[serde(default)]
    pub killed_by: KilledBy,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub log: String,
}

/// A mutant with its fate, and how many tests did what.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MutantFate {
    pub id: String,
    pub file: String,
    /// Lines and columns count from 1.
    pub line: u32,
    pub column: u32,
    /// The ids of the operators that make it, the most widely seen first.
    pub operators: Vec<String>,
    /// What the first of them does, in notation.
    pub operator: String,
    /// What it does, in words.
    #[serde(default)]
    pub words: String,
    /// The code around it, in a line.
    pub before: String,
    pub after: String,
    pub fate: Fate,
    /// How many tests reach it.
    pub covered: u64,
    /// How many were run on it.
    pub ran: u64,
    /// How many noticed it.
    pub kills: u64,
    pub millis: f64,
}

/// The tests that noticed, by how they did.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct KilledBy {
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub fail: Runs,
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub crash: Runs,
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub time_out: Runs,
}

/// Text where it is UTF-8, and otherwise its bytes.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        String::from_utf8(bytes.to_vec()).map_or_else(|error| Self::Raw(error.into_bytes()), Self::Text)
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        match bytes {
            Bytes::Text(text) => text.into_bytes(),
            Bytes::Raw(bytes) => bytes,
        }
    }
}

/// The tests that ran: mostly those that reach the mutant, and then it is not said twice.
#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum RanTests {
    Same(SameAs),
    Listed(Runs),
}

impl Default for RanTests {
    fn default() -> Self {
        Self::Listed(Runs::default())
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SameAs {
    Covered,
}

/// Test numbers; three and more in a row are `[first, last]`.
#[derive(Default, Deserialize, Serialize, JsonSchema)]
pub(super) struct Runs(pub Vec<MatrixRun>);

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum MatrixRun {
    One(u32),
    Many(u32, u32),
}

impl MatrixRun {
    pub fn ends(&self) -> (u32, u32) {
        match *self {
            Self::One(test) => (test, test),
            Self::Many(first, last) => (first, last),
        }
    }
}

impl Runs {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&RoaringBitmap> for Runs {
    fn from(set: &RoaringBitmap) -> Self {
        let mut runs = Vec::new();
        let mut values = set.iter();
        while let Some(range) = values.next_range() {
            let (first, last) = range.into_inner();
            match last - first {
                0 => runs.push(MatrixRun::One(first)),
                1 => runs.extend([MatrixRun::One(first), MatrixRun::One(last)]),
                _ => runs.push(MatrixRun::Many(first, last)),
            }
        }
        Self(runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_a_row_become_a_run() {
        let set = RoaringBitmap::from([0, 1, 4, 7, 8, 9]);
        assert_eq!(serde_json::to_string(&Runs::from(&set)).unwrap(), "[0,1,4,[7,9]]");
    }
}
