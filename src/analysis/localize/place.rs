//! Places in code that can be suspected.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// Lines `line` to `end_line` of a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CodePlace {
    pub file: String,
    pub line: u32,
    pub end_line: u32,
}

impl CodePlace {
    /// A single line.
    pub fn at(file: &str, line: u32) -> Self {
        Self { file: file.to_owned(), line, end_line: line }
    }

    /// Whether a line of the same file is in it.
    pub fn holds(&self, line: u32) -> bool {
        self.line <= line && line <= self.end_line
    }
}

impl fmt::Display for CodePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end_line > self.line {
            true => write!(out, "{}:{}-{}", self.file, self.line, self.end_line),
            false => write!(out, "{}:{}", self.file, self.line),
        }
    }
}

/// How large the places are that are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankedBy {
    /// A line that can be executed; coverage knows nothing smaller.
    #[default]
    Statement,
    Function,
    File,
}
