//! The `[switch.slots]` section: conditions that stand in several versions, or are made of values, in one program.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// How a condition is written that has alternatives. Each text has `{text}` once, where code stands; `{unit}` and
/// `{mutant}` are as in `[switch]`. Code behind a line end is alone on its line, so that errors can be told apart.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SlotsFile {
    /// The original.
    pub original: String,
    /// An alternative that is not the last.
    pub version: String,
    /// The last alternative: no condition, so that there is a value in any case.
    pub last: String,
    /// Whether only conditions can be written so, not other values.
    pub truths_only: bool,
    /// A condition that can be made of values: the original; `{count}` is how many values there are.
    pub compared: String,
    /// A value that it can be made of.
    pub value: String,
    /// What stands behind the last value.
    pub close: String,
    /// The word or operator before a condition that is to be false (`!`, `not `).
    pub not: String,
    /// The operators by which two conditions must both hold, and by which one must.
    pub and: String,
    pub or: String,
    /// What can be made of a value, with `{text}` where it stands: its absolute value.
    pub wraps: Vec<String>,
    /// A condition that says that something is there, with `{text}` where it stands (`{text} != null`).
    pub present: String,
    /// A statement that does nothing.
    pub nothing: String,
    /// A condition that always holds.
    pub always: String,
}

impl SlotsFile {
    /// Whether conditions can stand in several versions.
    pub fn is_given(&self) -> bool {
        !self.original.is_empty()
    }

    /// Whether conditions can be made of values.
    pub fn compares(&self) -> bool {
        !self.compared.is_empty()
    }
}
