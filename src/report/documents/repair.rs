//! The result of `wildcaught repair`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::Protection;
use crate::pipeline::Subject;
use crate::pipeline::repair::HeldOut;
use crate::pipeline::repair::RepairResult;
use crate::pipeline::repair::VerifiedPatch;

use super::super::unified;

/// Patches that make all tests pass, the likeliest first.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairDocument {
    /// The version of this document.
    pub format: u32,
    /// The tests that fail without a patch.
    pub failing: Vec<String>,
    /// How many tests pass without a patch.
    pub passing: usize,
    pub patches: Vec<PatchDocument>,
    /// Combinations of edits that make all tests pass, listed or not.
    pub plausible: usize,
    /// Combinations that failed when built from the original sources.
    pub refuted: usize,
    /// Places that can be edited.
    pub slots: usize,
    /// Edits that compile.
    pub alternatives: usize,
    /// Edits that do not compile.
    pub unviable: usize,
    /// Runs of the program.
    pub runs: u64,
    /// The largest number of edits of which all combinations were tried; 0 if the time ran out before all single
    /// edits were tried.
    pub complete_up_to: usize,
    /// The most failing tests that a combination repairs without breaking one, if none repairs all.
    pub nearest: usize,
    pub search_seconds: f64,
    /// The sandbox in force while tests ran.
    pub sandbox: Protection,
}

/// A patch.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchDocument {
    /// Its place in the list, from 1.
    pub rank: usize,
    /// How unlikely it is to be right, from its edits and places: less is better.
    pub cost: f64,
    pub edits: Vec<EditDocument>,
    /// A diff for `git apply`.
    pub diff: String,
    /// Other edits that do the same in all tests.
    pub same: usize,
    /// Whether it only deletes code.
    pub only_deletes: bool,
    /// Whether the held-out command succeeds with it; missing without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<bool>,
    /// How long after the beginning of the search it was found.
    pub seconds: f64,
    pub changes: Vec<ChangeDocument>,
}

/// An edit, for people.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditDocument {
    pub file: String,
    pub line: u32,
    pub family: String,
    /// What it does, in words.
    pub says: String,
}

/// Bytes of a file that are replaced.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeDocument {
    pub file: String,
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl RepairDocument {
    /// A result as a document.
    pub fn new(result: &RepairResult, subject: &Subject) -> Self {
        let patches = result.patches.iter().zip(1..);
        Self {
            format: 1,
            failing: result.failing.clone(),
            passing: result.passing,
            patches: patches.map(|(patch, rank)| PatchDocument::new(patch, rank, subject)).collect(),
            plausible: result.searched.found.len(),
            refuted: result.refuted,
            slots: result.slots,
            alternatives: result.alternatives,
            unviable: result.unviable,
            runs: result.searched.runs,
            complete_up_to: result.searched.complete,
            nearest: result.searched.nearest,
            search_seconds: result.searched.took.as_secs_f64(),
            sandbox: subject.project.containment.protection().clone(),
        }
    }
}

impl PatchDocument {
    /// A patch as a document.
    pub fn new(verified: &VerifiedPatch, rank: usize, subject: &Subject) -> Self {
        let path = |file: usize| subject.paths[file].display().to_string();
        let edit = |edit: &crate::pipeline::repair::PatchEdit| EditDocument {
            file: path(edit.file),
            line: edit.line,
            family: edit.family.name().to_owned(),
            says: says(&edit.before, &edit.after),
        };
        let (mut diff, mut changes) = (Vec::new(), Vec::new());
        for (file, edits) in &verified.patch.files {
            diff.extend(unified(&subject.paths[*file], &subject.inserter.target.files[*file].text, edits));
            changes.extend(edits.iter().map(|edit| ChangeDocument {
                file: path(*file),
                start: edit.start,
                end: edit.end,
                text: String::from_utf8_lossy(&edit.text).into_owned(),
            }));
        }
        Self {
            rank,
            cost: verified.cost,
            edits: verified.patch.edits.iter().map(edit).collect(),
            diff: String::from_utf8_lossy(&diff).into_owned(),
            same: verified.same,
            only_deletes: verified.patch.only_deletes(),
            held_out: verified.held_out.map(|held_out| held_out == HeldOut::Passes),
            seconds: verified.after.as_secs_f64(),
            changes,
        }
    }
}

/// An edit in words.
fn says(before: &str, after: &str) -> String {
    let short = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    };
    match (before.is_empty(), after.is_empty()) {
        (true, _) => format!("inserts `{}`", short(after)),
        (false, true) => format!("deletes `{}`", short(before)),
        _ => format!("replaces `{}` with `{}`", short(before), short(after)),
    }
}
