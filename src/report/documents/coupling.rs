//! The result of `wildcaught coupling`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::pipeline::coupling::Coupling;

/// Which real faults the mutants of operator sets recreate.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CouplingDocument {
    /// The version of this document.
    pub format: u32,
    pub language: String,
    /// The result of each set; the last entry combines all sets if there are several.
    pub sets: Vec<SetCoupling>,
    /// Commits that mention a fix but do not count, by reason.
    pub left_out: BTreeMap<String, usize>,
    pub fixes: Vec<FixDocument>,
    /// Whether the run was stopped early.
    pub stopped: bool,
}

/// The result of one set.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetCoupling {
    pub name: String,
    /// Faults that some mutant recreates, token for token.
    pub recreated: usize,
    /// Of these, faults of fixes that change behaviour.
    pub behaviour: usize,
    /// Of these, faults that no set before this one recreates.
    pub alone: usize,
    /// Faults among the first ten mutants near the fix, the likeliest first.
    pub ranked_ten: usize,
    /// Faults among the first mutants of the function: mutants tried, found by likelihood, expected at random.
    pub curve: Vec<(usize, usize, f64)>,
    /// Faults expected among ten mutants drawn at random from those near the fix.
    pub first_ten: f64,
    /// Mutants per 1,000 tokens of the fixed files.
    pub mutants_per_thousand_tokens: f64,
    /// Why the other faults are not recreated.
    pub losses: BTreeMap<String, usize>,
}

/// A fix, and whether mutants of each set recreate its fault.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixDocument {
    pub repository: String,
    pub commit: String,
    pub path: String,
    /// The first changed line of the fixed file.
    pub line: usize,
    /// The commit also changed a test file.
    pub with_test: bool,
    /// The fix only added lines.
    pub only_adds: bool,
    /// The fix changed more than attributes, imports, modifiers and tests.
    pub behaviour: bool,
    /// Per set, in the order of `sets`.
    pub sets: Vec<AttemptDocument>,
}

/// Whether mutants of one set recreate a fault.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttemptDocument {
    /// The operator whose mutant recreates the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// Why no mutant recreates it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<String>,
    /// Mutants near the changed lines.
    pub near: usize,
    /// Mutants of the function.
    pub function: usize,
    /// The place of the fault among the mutants nearby and of the function, the likeliest first, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_near: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_function: Option<usize>,
}

impl CouplingDocument {
    /// The document of a result.
    pub fn new(coupling: &Coupling, language: &str) -> Self {
        let sets = coupling.columns.iter().enumerate().map(|(column, name)| {
            let share = coupling.share(column);
            SetCoupling {
                name: name.clone(),
                recreated: share.recreated,
                behaviour: share.behaviour,
                alone: share.alone,
                ranked_ten: share.ranked_ten,
                curve: share.curve.iter().map(|point| (point.tried, point.ranked, point.random)).collect(),
                first_ten: share.first_ten,
                mutants_per_thousand_tokens: share.per_thousand,
                losses: share.losses.into_iter().collect(),
            }
        });
        let fixes = coupling.fixes.iter().map(|fix| FixDocument {
            repository: fix.repository.clone(),
            commit: fix.commit.clone(),
            path: fix.path.clone(),
            line: fix.line,
            with_test: fix.with_test,
            only_adds: fix.only_adds,
            behaviour: fix.behaviour,
            sets: fix
                .attempts
                .iter()
                .map(|attempt| AttemptDocument {
                    operator: attempt.operator.clone(),
                    loss: attempt.loss.as_ref().map(|loss| loss.name()),
                    near: attempt.near,
                    function: attempt.function,
                    rank_near: attempt.rank_near,
                    rank_function: attempt.rank_function,
                })
                .collect(),
        });
        Self {
            format: 1,
            language: language.to_owned(),
            sets: sets.collect(),
            left_out: coupling.left_out.iter().map(|(why, count)| (why.name().to_owned(), *count)).collect(),
            fixes: fixes.collect(),
            stopped: coupling.stopped,
        }
    }
}
