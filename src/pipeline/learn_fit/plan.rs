//! The projects that a language's viability is learned from: a file of the user's.

use std::path::PathBuf;

use serde::Deserialize;

/// The file: which projects, and how they are compiled.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitPlan {
    pub language: String,
    #[serde(rename = "project")]
    pub projects: Vec<PlanProject>,
}

/// A project.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanProject {
    /// The name of its directory.
    pub name: String,
    /// A command line for `sh` that compiles `{file}` (one or more), or all.
    pub check: Option<String>,
    /// The same for all that a change outside of functions may break; `check` if left out.
    pub whole: Option<String>,
    /// What of it is mutated; all if left out.
    #[serde(default)]
    pub paths: Vec<PathBuf>,
    /// Globs of what is skipped.
    #[serde(default)]
    pub exclude: Vec<String>,
}
