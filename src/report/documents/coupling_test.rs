//! The result of `wildcaught coupling --test`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::Protection;
use crate::pipeline::coupling::tested::CoupledMutant;
use crate::pipeline::coupling::tested::SetOutcome;
use crate::pipeline::coupling::tested::TestedCoupling;
use crate::pipeline::coupling::tested::TestedFix;
use crate::pipeline::coupling::tested::TestedOutcome;

/// Which real faults mutants are coupled to, judged by the tests that came with their fixes.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CouplingTestDocument {
    /// The version of this document.
    pub format: u32,
    pub language: String,
    /// Faults that are measurable: the new tests detect them, the old ones do not.
    pub measurable: usize,
    /// The result of each set; the last entry combines all sets if there are several.
    pub sets: Vec<SetShareDocument>,
    /// Why the other faults are not measurable.
    pub unmeasurable: BTreeMap<String, usize>,
    /// Commits that mention a fix but do not count, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Small fixes without a test.
    pub without_test: usize,
    /// Fixes that were not reached.
    pub not_reached: usize,
    pub fixes: Vec<TestedFixDocument>,
    /// Whether the run was stopped early.
    pub stopped: bool,
    /// The sandbox in force while tests ran; missing if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Protection>,
}

/// The result of one set.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetShareDocument {
    pub name: String,
    /// Faults that some mutant is coupled with.
    pub coupled: usize,
    /// Of these, faults that no set before this one is coupled with.
    pub alone: usize,
    /// Faults coupled among the first ten mutants that were tested.
    pub first_ten: usize,
    /// Mutants tested until the first coupled one, median of the coupled faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_first: Option<usize>,
    /// Mutants tested per measurable fault.
    pub mutants: f64,
    /// Why the others are not coupled.
    pub why_not: BTreeMap<String, usize>,
}

/// A fix and its result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestedFixDocument {
    pub repository: String,
    pub commit: String,
    /// The first line of the message.
    pub subject: String,
    pub path: String,
    /// The first changed line of the fixed file.
    pub line: usize,
    /// How it was built and tested.
    pub how: String,
    pub seconds: f64,
    /// Why it is not measurable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmeasurable: Option<String>,
    /// The message that goes with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Tests that detect the fault, and came with the fix.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detecting: Vec<String>,
    /// Tests that fail without any mutant, and were ignored.
    #[serde(default)]
    pub ignored_tests: usize,
    /// Per set, in the order of `sets`; empty if it is not measurable.
    pub sets: Vec<SetOutcomeDocument>,
}

/// The result of the mutants of one set.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetOutcomeDocument {
    /// Mutants of the function that were tried.
    pub mutants: usize,
    /// Of these, mutants that do not compile.
    pub unviable: usize,
    /// Mutants that could not be tested for another reason.
    pub untested: usize,
    /// Mutants that the old tests kill.
    pub killed_before: usize,
    /// Mutants that all tests miss.
    pub survived: usize,
    /// The place of the first coupled mutant among those that were tested, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// Mutants that the old tests miss and the new ones kill.
    pub coupled: Vec<CoupledMutantDocument>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// A mutant that is coupled with the fault.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoupledMutantDocument {
    pub id: String,
    /// The operators that make it.
    pub operators: Vec<String>,
    pub line: u32,
    pub before: String,
    pub after: String,
}

impl CouplingTestDocument {
    /// The document of a result.
    pub fn new(all: &TestedCoupling, language: &str) -> Self {
        let sets = all.columns.iter().enumerate().map(|(column, name)| {
            let share = all.share(column);
            SetShareDocument {
                name: name.clone(),
                coupled: share.coupled,
                alone: share.alone,
                first_ten: share.first_ten,
                median_first: share.median_first,
                mutants: share.mutants,
                why_not: share
                    .why_not
                    .into_iter()
                    .map(|(why, count)| (why.name().to_owned(), count))
                    .collect(),
            }
        });
        Self {
            format: 1,
            language: language.to_owned(),
            measurable: if all.columns.is_empty() { 0 } else { all.share(0).measurable },
            sets: sets.collect(),
            unmeasurable: all
                .unmeasurable()
                .into_iter()
                .map(|(why, count)| (why.to_owned(), count))
                .collect(),
            left_out: all.left_out.iter().map(|(why, count)| (why.name().to_owned(), *count)).collect(),
            without_test: all.without_test,
            not_reached: all.not_reached,
            fixes: all.fixes.iter().map(TestedFixDocument::new).collect(),
            stopped: all.stopped,
            sandbox: all.protection.clone(),
        }
    }
}

impl TestedFixDocument {
    fn new(fix: &TestedFix) -> Self {
        let mut document = Self {
            repository: fix.repository.clone(),
            commit: fix.commit.clone(),
            subject: fix.subject.clone(),
            path: fix.path.clone(),
            line: fix.line,
            how: fix.how.clone(),
            seconds: fix.seconds,
            unmeasurable: None,
            detail: String::new(),
            detecting: vec![],
            ignored_tests: 0,
            sets: vec![],
        };
        match &fix.outcome {
            TestedOutcome::Measured { detecting, ignored, sets } => {
                document.detecting.clone_from(detecting);
                document.ignored_tests = *ignored;
                document.sets = sets.iter().map(SetOutcomeDocument::new).collect();
            }
            TestedOutcome::Unmeasurable(why) => {
                document.unmeasurable = Some(why.name().to_owned());
                document.detail = why.detail();
            }
        }
        document
    }
}

impl SetOutcomeDocument {
    fn new(set: &SetOutcome) -> Self {
        let mutant = |mutant: &CoupledMutant| CoupledMutantDocument {
            id: mutant.id.clone(),
            operators: mutant.operators.clone(),
            line: mutant.line,
            before: mutant.before.clone(),
            after: mutant.after.clone(),
        };
        Self {
            mutants: set.mutants,
            unviable: set.unviable,
            untested: set.untested,
            killed_before: set.killed_before,
            survived: set.survived,
            first: set.first,
            coupled: set.coupled.iter().map(mutant).collect(),
            why_not: set.why_not().map(|why| why.name().to_owned()),
        }
    }
}
