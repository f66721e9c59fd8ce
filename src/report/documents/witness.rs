//! What `wildcaught witness --json` prints.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::witness::RankBy;
use crate::analysis::witness::RankedPart;
use crate::analysis::witness::nearest;
use crate::exec::Protection;
use crate::history::blocks;
use crate::insert::TextEdit;
use crate::pipeline::witness::Counts;
use crate::pipeline::witness::FirstBad;
use crate::pipeline::witness::Origin;
use crate::pipeline::witness::Variation;
use crate::pipeline::witness::WitnessRequest;
use crate::pipeline::witness::WitnessResult;
use crate::report::unified;

/// Suspicious code of a compiler or interpreter.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WitnessDocument {
    pub format: u32,
    /// The failing program.
    pub program: String,
    /// How it fails, in words.
    pub failure: String,
    /// How long the program was.
    pub bytes: usize,
    /// The reduced program.
    pub reduced: String,
    /// The formula of the scores.
    pub formula: String,
    /// The most suspicious first.
    pub ranking: Vec<SuspectDocument>,
    /// Functions that the reduced program was in when it crashed or was ended, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<String>,
    /// The commit that introduced the bug, with --bisect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_bad: Option<FirstBadDocument>,
    /// The closest variation that passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<NearestDocument>,
    /// Passing variations that execute different code.
    pub witnesses: usize,
    /// Programs of the developers that were compared with.
    pub tests: usize,
    pub counts: Counts,
    /// Whether the budget ended the search.
    pub cut: bool,
    pub seconds: f64,
    pub sandbox: Protection,
}

/// A function or a file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuspectDocument {
    /// The worst place that it can have among those with the same score.
    pub rank: usize,
    pub score: f64,
    pub file: String,
    /// The function; empty for a file.
    pub name: String,
    /// Where the function begins; 0 for a file.
    pub line: u32,
    /// Where the function ends; 0 for a file.
    pub last: u32,
    /// Lines that the failing program executes and few others do.
    pub lines: Vec<u32>,
    /// Its place on the stack of a crash, from 1; 0 if it is not there.
    pub on_stack: usize,
    /// Whether the first bad commit changes it.
    pub changed: bool,
}

/// The commit that introduced the bug.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstBadDocument {
    pub commit: String,
    /// The first line of its message.
    pub subject: String,
    /// Functions that it changes, as `file: function`.
    pub changes: Vec<String>,
    /// Revisions that were built.
    pub tried: usize,
    /// Other candidates, which could not be tested.
    pub or: Vec<String>,
}

/// A variation that passes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestDocument {
    /// Where it comes from, in words.
    pub origin: String,
    /// From the reduced program to it.
    pub diff: String,
    /// Functions with code that only the failing program executes.
    pub only_failing: Vec<String>,
}

impl WitnessDocument {
    /// A result as a document.
    pub fn new(result: &WitnessResult, request: &WitnessRequest) -> Self {
        Self {
            format: 1,
            program: request.name.clone(),
            failure: result.failure.says(),
            bytes: request.text.len(),
            reduced: String::from_utf8_lossy(&result.reduced).into_owned(),
            formula: request.formula.name().to_owned(),
            ranking: result.ranking.iter().map(|part| suspect(part, result, request)).collect(),
            stack: result.failing[0].stack.clone(),
            first_bad: result.first_bad.as_ref().map(first_bad),
            nearest: nearest_of(result, request),
            witnesses: result.witnesses.len(),
            tests: result.tests.len(),
            counts: result.counts,
            cut: result.cut,
            seconds: result.took.as_secs_f64(),
            sandbox: request.containment.protection().clone(),
        }
    }
}

fn suspect(part: &RankedPart, result: &WitnessResult, request: &WitnessRequest) -> SuspectDocument {
    let function = &result.elements.functions[part.functions[0] as usize];
    let whole = request.by == RankBy::File;
    let changes = result.first_bad.iter().flat_map(|found| &found.changes);
    let mut changes = changes.filter(|(file, _)| *file == function.file);
    SuspectDocument {
        rank: part.rank,
        score: part.score,
        file: function.file.clone(),
        name: if whole { String::new() } else { function.name.clone() },
        line: if whole { 0 } else { function.first },
        last: if whole { 0 } else { function.last },
        lines: part.lines.clone(),
        on_stack: part.on_stack.map_or(0, |place| place + 1),
        changed: changes.any(|(_, name)| whole || *name == function.name),
    }
}

fn first_bad(found: &FirstBad) -> FirstBadDocument {
    FirstBadDocument {
        commit: found.commit.clone(),
        subject: found.subject.clone(),
        changes: found.changes.iter().map(|(file, name)| format!("{file}: {name}")).collect(),
        tried: found.tried,
        or: found.or.clone(),
    }
}

fn nearest_of(result: &WitnessResult, request: &WitnessRequest) -> Option<NearestDocument> {
    let traces = |all: &[Variation]| all.iter().map(|known| known.trace.clone()).collect::<Vec<_>>();
    let (failing, witnesses) = (traces(&result.failing[..1]), traces(&result.witnesses));
    let (at, only) = nearest(&failing[0], &witnesses)?;
    let witness = &result.witnesses[at];
    let mut functions: Vec<u32> = only.iter().map(|arc| result.elements.arcs[arc as usize]).collect();
    functions.dedup();
    let name = |function: &u32| result.elements.functions[*function as usize].name.clone();
    let mut only_failing: Vec<String> = functions.iter().map(name).collect();
    only_failing.sort();
    only_failing.dedup();
    let origin = match &witness.origin {
        Origin::Mutant { order: 1, .. } => "a mutant".to_owned(),
        Origin::Mutant { order, .. } => format!("a mutant of order {order}"),
        _ => "a step of the reduction".to_owned(),
    };
    let diff =
        diff(&request.name, &without_blank_lines(&result.reduced), &without_blank_lines(&witness.text));
    Some(NearestDocument { origin, diff, only_failing })
}

/// A text without empty lines and line ends: steps of a reduction differ in these.
fn without_blank_lines(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, b"\n"]).collect::<Vec<_>>().concat()
}

/// What changes from one text to another, as a unified diff.
fn diff(name: &str, before: &[u8], after: &[u8]) -> String {
    let edits: Vec<TextEdit> = blocks(before, after)
        .into_iter()
        .map(|block| TextEdit {
            start: block.before.start as usize,
            end: block.before.end as usize,
            text: block.after.of(after).to_vec(),
        })
        .collect();
    String::from_utf8_lossy(&unified(Path::new(name), before, &edits)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_only_the_lines_that_differ() {
        let (before, after) = ("a;\n\nb = 1;  \nc;\n", "a;\nb = 2;\nc;\n\n");
        let diff =
            diff("x.c", &without_blank_lines(before.as_bytes()), &without_blank_lines(after.as_bytes()));
        assert_eq!(diff, "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,3 @@\n a;\n-b = 1;\n+b = 2;\n c;\n");
    }
}
