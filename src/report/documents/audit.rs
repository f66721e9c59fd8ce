//! Verdicts that were tried again in the original project, as part of the result of `wildcaught test`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::engine::PlainVerdict;
use crate::matrix::Fate;
use crate::pipeline::test::AuditResult;
use crate::pipeline::test::Audited;

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditFigures {
    /// How many verdicts of each fate to check.
    pub count: usize,
    pub seed: u32,
    /// Verdicts that were checked.
    pub tried: usize,
    /// Verdicts that the original project confirms.
    pub agreed: usize,
    pub fates: Vec<AuditedFate>,
    pub verdicts: Vec<AuditedVerdict>,
}

/// The verdicts of one fate.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditedFate {
    pub fate: Fate,
    pub tried: usize,
    pub agreed: usize,
    /// Verdicts whose first run in the original project disagreed; each was run once more.
    pub repeated: usize,
}

/// One verdict and the result in the original project.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditedVerdict {
    /// The mutant's id.
    pub id: String,
    pub fate: Fate,
    /// The fate that is compared: for a duplicate, that of the other mutant.
    pub claimed: Fate,
    pub plain: PlainName,
    pub agrees: bool,
    pub repeated: bool,
    /// The last lines that the project's own build or test command printed; empty if it succeeded.
    pub message: String,
}

/// The outcome of the original project with a mutant in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlainName {
    /// It does not build.
    Unviable,
    /// The tests pass.
    Passed,
    /// A test fails.
    Failed,
    /// The tests time out.
    TimeOut,
}

impl PlainName {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unviable => "unviable",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::TimeOut => "time-out",
        }
    }
}

impl From<PlainVerdict> for PlainName {
    fn from(verdict: PlainVerdict) -> Self {
        match verdict {
            PlainVerdict::Unviable => Self::Unviable,
            PlainVerdict::Passed => Self::Passed,
            PlainVerdict::Failed => Self::Failed,
            PlainVerdict::TimedOut => Self::TimeOut,
        }
    }
}

impl AuditFigures {
    /// The figures of an audit.
    pub fn new(result: &AuditResult) -> Self {
        let mut fates: BTreeMap<Fate, AuditedFate> = BTreeMap::new();
        for one in &result.audited {
            let new = AuditedFate { fate: one.fate, tried: 0, agreed: 0, repeated: 0 };
            let row = fates.entry(one.fate).or_insert(new);
            row.tried += 1;
            row.agreed += usize::from(one.agrees());
            row.repeated += usize::from(one.repeated);
        }
        Self {
            count: result.choice.count,
            seed: result.choice.seed,
            tried: result.audited.len(),
            agreed: result.audited.len() - result.disagreements().count(),
            fates: fates.into_values().collect(),
            verdicts: result.audited.iter().map(AuditedVerdict::new).collect(),
        }
    }
}

impl AuditedVerdict {
    fn new(one: &Audited) -> Self {
        Self {
            id: one.id.clone(),
            fate: one.fate,
            claimed: one.claimed,
            plain: one.plain.verdict.into(),
            agrees: one.agrees(),
            repeated: one.repeated,
            message: one.plain.message.clone(),
        }
    }
}
