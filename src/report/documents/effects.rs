//! Mutants whose effects were tried again in the original project, as part of the result of `wildcaught localize`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::pipeline::localize::AuditedEffect;
use crate::pipeline::localize::AuditedTests;
use crate::pipeline::localize::Localization;

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffectFigures {
    /// Mutants that were checked.
    pub tried: usize,
    /// Mutants whose tests all give the same results in the original project.
    pub agreed: usize,
    /// Failing tests that mutants repaired.
    pub repaired: TestFigures,
    /// Passing tests that mutants broke.
    pub broken: TestFigures,
    pub mutants: Vec<EffectEntry>,
}

/// Tests that changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestFigures {
    pub tried: usize,
    pub agreed: usize,
}

/// A mutant that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EffectEntry {
    /// The mutant's id.
    pub id: String,
    pub file: String,
    /// From 1.
    pub line: u32,
    pub agrees: bool,
    /// Whether the first try disagreed.
    pub repeated: bool,
    /// Whether the original project builds with it.
    pub builds: bool,
    /// Tests that it repaired here and not there.
    pub not_repaired: Vec<String>,
    /// Tests that it broke here and not there.
    pub not_broken: Vec<String>,
}

impl EffectFigures {
    /// The figures of an audit, if there was one.
    pub fn of(result: &Localization) -> Option<Self> {
        let audited = result.ran?.audit.as_ref()?;
        let matrix = result.found.first()?.subject.matrix;
        let entry = |one: &AuditedEffect| {
            let row = &matrix.mutants[one.mutant];
            EffectEntry {
                id: row.id.clone(),
                file: row.file.clone(),
                line: row.line,
                agrees: one.agrees(),
                repeated: one.repeated,
                builds: one.builds,
                not_repaired: one.repaired.otherwise.clone(),
                not_broken: one.broken.otherwise.clone(),
            }
        };
        Some(Self {
            tried: audited.len(),
            agreed: audited.iter().filter(|one| one.agrees()).count(),
            repaired: audited.iter().map(|one| &one.repaired).collect(),
            broken: audited.iter().map(|one| &one.broken).collect(),
            mutants: audited.iter().map(entry).collect(),
        })
    }
}

impl<'a> FromIterator<&'a AuditedTests> for TestFigures {
    fn from_iter<T: IntoIterator<Item = &'a AuditedTests>>(all: T) -> Self {
        all.into_iter().fold(Self::default(), |sum, tests| Self {
            tried: sum.tried + tests.tried,
            agreed: sum.agreed + tests.tried - tests.otherwise.len(),
        })
    }
}
