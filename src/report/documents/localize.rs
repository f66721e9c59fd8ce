//! The result of `wildcaught localize`, and of `localize --compare`.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::localize::Effect;
use crate::analysis::localize::Evaluation;
use crate::analysis::localize::LocalizeSummary;
use crate::analysis::localize::Rank;
use crate::analysis::localize::Ranked;
use crate::analysis::localize::Subject;
use crate::analysis::localize::Wilcoxon;
use crate::analysis::localize::evidence;
use crate::exec::Protection;
use crate::matrix::MutantRow;
use crate::pipeline::localize::ComparedMethod;
use crate::pipeline::localize::FaultResult;
use crate::pipeline::localize::Localization;
use crate::pipeline::localize::Localized;

use super::super::shortcomings::shortcoming_text;
use super::effects::EffectFigures;
use super::read::DocumentError;
use super::read::read;

/// Rankings of suspicious places by one or more methods, with reasons and evaluations.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalizeDocument {
    /// The version of this document.
    pub format: u32,
    /// The names of failing tests.
    pub failing: Vec<String>,
    /// How many tests pass.
    pub passing: u64,
    /// How many statements are known.
    pub statements: usize,
    /// How many of them a failing test executes.
    pub executed: usize,
    pub methods: Vec<MethodRanking>,
    /// What is missing, which may make the rankings worse.
    pub warnings: Vec<String>,
    /// The sandbox in force while tests ran; missing if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Protection>,
    /// Mutants that were checked in the original project, with --audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<EffectFigures>,
}

/// The answer of one method.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodRanking {
    pub name: String,
    /// Figures that the method used.
    pub figures: BTreeMap<String, f64>,
    /// The failing test that was localized, if it is a single one.
    pub test: Option<String>,
    /// The most suspicious places first.
    pub ranking: Vec<RankedPlace>,
    /// How good the ranking is, if the fault is known.
    pub evaluation: Option<Evaluation>,
}

/// A suspicious place and its evidence.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RankedPlace {
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    pub end_line: u32,
    /// The function that it is in or is.
    pub function: Option<String>,
    pub score: f64,
    pub rank: Rank,
    /// Mutants that make a failing test pass.
    pub repairs: Vec<MutantEffect>,
    /// Mutants that only break passing tests.
    pub breaks: Vec<MutantEffect>,
    /// How many mutants changed no result.
    pub silent: usize,
    /// How many mutants were not run.
    #[serde(default)]
    pub unrun: usize,
    /// How many failing tests execute it.
    pub failing: u64,
    /// How many passing tests execute it.
    pub passing: u64,
}

/// What a mutant does to the tests.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantEffect {
    /// The mutant's id.
    pub mutant: String,
    pub operator: String,
    /// The lines that it removes and adds, with `-` and `+` before them.
    pub change: Vec<String>,
    /// Failing tests that pass under it.
    pub repaired: Vec<String>,
    /// Passing tests that fail under it.
    pub broken: Vec<String>,
}

/// Methods compared over many faults.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareDocument {
    /// The version of this document.
    pub format: u32,
    pub methods: Vec<MethodSummary>,
}

/// The result of one method.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MethodSummary {
    pub name: String,
    pub summary: LocalizeSummary,
    /// Compared with the first method; null for the first itself, or if no rank differs.
    pub wilcoxon: Option<Wilcoxon>,
}

impl LocalizeDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of a result, with the first `top` places of each method. `change` gives the lines that a mutant
    /// changes; there must be at least one method.
    pub fn new(result: &Localization, top: usize, change: &dyn Fn(&MutantRow) -> Vec<String>) -> Self {
        let Localization { found, shortcomings, ran } = result;
        let method = |localized: &Localized| MethodRanking::new(localized, top, change);
        let subject = found.first().map(|first| &*first.subject);
        Self {
            format: Self::FORMAT,
            failing: subject.map_or(vec![], |subject| names(subject, &subject.failing)),
            passing: subject.map_or(0, |subject| subject.passing.len()),
            statements: subject.map_or(0, |subject| subject.spectrum.statements.len()),
            executed: subject.map_or(0, Subject::targets),
            methods: found.iter().map(method).collect(),
            warnings: shortcomings.iter().map(shortcoming_text).collect(),
            sandbox: ran.map(|ran| ran.protection.clone()),
            audit: EffectFigures::of(result),
        }
    }

    /// Reads a document; `origin` names it in errors.
    pub fn read(text: &str, origin: &str) -> Result<Self, DocumentError> {
        read(text, origin, "wildcaught localize --json", Self::FORMAT)
    }

    /// What a comparison needs of it.
    pub fn into_fault_result(self, origin: &str) -> FaultResult {
        let methods = self.methods.into_iter().map(|method| (method.name, method.evaluation));
        FaultResult { origin: origin.to_owned(), methods: methods.collect() }
    }
}

impl MethodRanking {
    fn new(localized: &Localized, top: usize, change: &dyn Fn(&MutantRow) -> Vec<String>) -> Self {
        let Localized { method, subject, scores, ranking, evaluation } = localized;
        let places = ranking.places.iter().take(top);
        Self {
            name: method.name().to_owned(),
            figures: scores.facts.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            test: scores.test.map(|test| subject.matrix.tests[test as usize].name.clone()),
            ranking: places.map(|place| RankedPlace::new(subject, place, change)).collect(),
            evaluation: evaluation.clone(),
        }
    }
}

impl RankedPlace {
    fn new(subject: &Subject, ranked: &Ranked, change: &dyn Fn(&MutantRow) -> Vec<String>) -> Self {
        let found = evidence(subject, ranked);
        let effect = |effect: &Effect| {
            let row = &subject.matrix.mutants[effect.mutant];
            MutantEffect {
                mutant: row.id.clone(),
                operator: row.operator.clone(),
                change: change(row),
                repaired: names(subject, &effect.repaired),
                broken: names(subject, &effect.broken),
            }
        };
        Self {
            file: ranked.place.file.clone(),
            line: ranked.place.line,
            end_line: ranked.place.end_line,
            function: ranked.function.clone(),
            score: ranked.score,
            rank: ranked.rank,
            repairs: found.repairs.iter().map(effect).collect(),
            breaks: found.breaks.iter().map(effect).collect(),
            silent: found.silent,
            unrun: found.unrun,
            failing: found.failing.len(),
            passing: found.passing.len(),
        }
    }
}

impl CompareDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of a comparison.
    pub fn new(compared: &[ComparedMethod]) -> Self {
        let method = |method: &ComparedMethod| MethodSummary {
            name: method.name.clone(),
            summary: method.summary.clone(),
            wilcoxon: method.wilcoxon,
        };
        Self { format: Self::FORMAT, methods: compared.iter().map(method).collect() }
    }
}

fn names(subject: &Subject, tests: &RoaringBitmap) -> Vec<String> {
    tests.iter().map(|test| subject.matrix.tests[test as usize].name.clone()).collect()
}
