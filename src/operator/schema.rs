//! The shapes of values in a set that can be written in two ways, for its JSON schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::schema_for;

use super::file::SetFile;

/// One text, or a list of alternatives.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape is used")]
pub(super) enum TextOrTexts {
    One(String),
    Alternatives(Vec<String>),
}

/// Counts by name; a list of names counts each once.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its shape is used")]
pub(super) enum CountsOrNames {
    Counts(BTreeMap<String, u64>),
    Names(Vec<String>),
}

/// The JSON schema of an operator set.
pub fn set_schema() -> Schema {
    schema_for!(SetFile)
}
