//! Fates counted by name.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::Fate;
use super::FateCounts;
use super::fate::score;

/// The fates of the mutants of one file or one operator.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FateTally {
    /// The file, or the operator's id.
    pub name: String,
    /// What the operator does, in a line; empty for a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub says: String,
    pub counts: FateCounts,
    /// Detected / (detected + missed); none if there is nothing to detect.
    pub score: Option<f64>,
}

/// Counts (name, what it says, fate) by name, in the order of the names.
pub(super) fn tally<'a>(fates: impl Iterator<Item = (&'a str, &'a str, Fate)>) -> Vec<FateTally> {
    let mut found: BTreeMap<&str, (&str, FateCounts)> = BTreeMap::new();
    for (name, says, fate) in fates {
        let (_, counts) = found.entry(name).or_insert_with(|| (says, FateCounts::new()));
        *counts.entry(fate).or_default() += 1;
    }
    let row = |(name, (says, counts)): (&str, (&str, FateCounts))| {
        let score = score(&counts);
        FateTally { name: name.to_owned(), says: says.to_owned(), counts, score }
    };
    found.into_iter().map(row).collect()
}
