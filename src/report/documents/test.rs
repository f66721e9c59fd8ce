//! The result of `wildcaught test`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::Protection;
use crate::matrix::Draw;
use crate::matrix::Fate;
use crate::matrix::FateTally;
use crate::matrix::KillMatrix;
use crate::matrix::SuiteSpread;
use crate::pipeline::test::TestResult;

use super::audit::AuditFigures;
use super::report::SurvivorText;

/// The result of a run of tests against mutants.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestDocument {
    /// The version of this document.
    pub format: u32,
    /// Detected / (detected + missed); none if nothing was tested.
    pub score: Option<f64>,
    pub mutants: usize,
    pub tests: usize,
    /// How many mutants met which fate.
    pub counts: BTreeMap<Fate, u64>,
    pub seconds: f64,
    /// The sandbox in force while tests ran.
    pub sandbox: Protection,
    /// The phases of the run in order, and how long each took.
    pub phases: Vec<PhaseTime>,
    /// Builds until the program with all mutants built.
    pub builds: usize,
    /// Mutants that were switched on in that program.
    pub switched: usize,
    /// Mutants that were built one by one.
    pub built_alone: usize,
    /// The ids of mutants that tests execute but do not kill.
    pub survived: Vec<String>,
    /// The ids of mutants that no test executes.
    pub not_covered: Vec<String>,
    /// Missed mutants in full, the most useful to test first.
    #[serde(default)]
    pub survivors: Vec<SurvivorText>,
    pub files: Vec<FateTally>,
    pub operators: Vec<FateTally>,
    /// Random suites, with --suites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suites: Option<SuitesFigures>,
    /// Verdicts that were checked in the original project, with --audit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditFigures>,
}

/// A phase and its seconds; in files, a pair.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct PhaseTime(pub String, pub f64);

/// The share of detected mutants that random suites also detect (Am).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuitesFigures {
    pub suites: usize,
    /// Tests in each of them.
    pub tests: usize,
    pub seed: u32,
    pub mean: f64,
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl SuitesFigures {
    /// The figures of suites that were drawn.
    pub fn new(draw: &Draw, spread: &SuiteSpread) -> Self {
        Self {
            suites: draw.suites,
            tests: draw.tests,
            seed: draw.seed,
            mean: spread.mean,
            median: spread.median,
            min: spread.min,
            max: spread.max,
        }
    }
}

impl TestDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of a run without mutants.
    pub fn empty() -> Self {
        Self { format: Self::FORMAT, ..Self::default() }
    }

    /// The document of a result.
    pub fn new(result: &TestResult, survivors: Vec<SurvivorText>, suites: Option<SuitesFigures>) -> Self {
        let TestResult { matrix, summary, took, protection, .. } = result;
        let phase = |(phase, took): &(crate::control::Phase, std::time::Duration)| {
            PhaseTime(phase.name().to_owned(), took.as_secs_f64())
        };
        Self {
            format: Self::FORMAT,
            score: matrix.score(),
            mutants: matrix.mutants.len(),
            tests: matrix.tests.len(),
            counts: matrix.counts(),
            seconds: took.as_secs_f64(),
            sandbox: protection.clone(),
            phases: summary.times.iter().map(phase).collect(),
            builds: summary.rounds,
            switched: summary.switched,
            built_alone: summary.built_alone,
            survived: ids(matrix, Fate::Survived),
            not_covered: ids(matrix, Fate::NotCovered),
            survivors,
            files: matrix.by_file(),
            operators: matrix.by_operator(),
            suites,
            audit: result.audit.as_ref().map(AuditFigures::new),
        }
    }
}

fn ids(matrix: &KillMatrix, fate: Fate) -> Vec<String> {
    let with = (0..matrix.mutants.len()).filter(|mutant| matrix.fate(*mutant) == fate);
    with.map(|mutant| matrix.mutants[mutant].id.clone()).collect()
}
