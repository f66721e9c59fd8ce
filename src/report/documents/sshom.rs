//! The result of `wildcaught sshom`.

use roaring::RoaringBitmap;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::sshom::Which;
use crate::exec::Protection;
use crate::pipeline::sshom::SearchResult;
use crate::pipeline::sshom::Sshom;
use crate::pipeline::sshom::SshomResult;
use crate::pipeline::sshom::points::PointProgram;

use super::sshom_figures::CountDocument;
use super::sshom_figures::FiguresDocument;

/// The format that this version writes.
const FORMAT: u32 = 1;

/// The strongly subsuming higher-order mutants (SSHOMs) of a program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SshomDocument {
    /// The version of this format.
    pub format: u32,
    /// The search whose results are listed: var, pri, gen or bf.
    pub search: String,
    /// Whether it found all there are, or what is missing.
    pub complete: String,
    /// Mutants of the program.
    pub mutants: usize,
    /// Places whose operators are exchanged.
    pub points: usize,
    pub tests: usize,
    /// Places that look like operators, but do not compile with any other one.
    pub dropped_points: usize,
    /// Runs of a test with single mutants.
    pub runs_one_by_one: u64,
    /// Runs of a test during the search.
    pub runs: u64,
    /// Those that were forked from another run.
    pub forks: u64,
    /// Leaves (var) or combinations that were tried.
    pub looked_at: u64,
    /// How long it took, including single mutants.
    pub millis: u64,
    /// Figures of all SSHOMs; missing with --strict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<FiguresDocument>,
    /// Figures of the strict ones.
    pub strict: FiguresDocument,
    /// What behaves differently when built from the sources; null without --verify.
    pub differing: Option<Vec<String>>,
    /// All searches, in the order of --search.
    pub searches: Vec<SearchDocument>,
    /// The first SSHOMs, by order, then by mutants.
    pub list: Vec<SshomEntry>,
    /// The sandbox in force while tests ran; missing if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Protection>,
}

/// One of the searches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchDocument {
    /// var, pri, gen or bf.
    pub search: String,
    /// Whether it found all there are, or what is missing.
    pub complete: String,
    /// How many it found.
    pub count: CountDocument,
    /// How many of them are strict.
    pub strict: CountDocument,
    /// Leaves (var) or combinations that were tried.
    pub looked_at: u64,
    /// Runs of a test.
    pub runs: u64,
    /// Those that were forked from another run.
    pub forks: u64,
    /// How long it took, including single mutants.
    pub millis: u64,
    /// Compared with var; null for var itself, and where var is not complete for any order.
    pub in_var: Option<SharedDocument>,
}

/// How many SSHOMs of a search var also found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedDocument {
    pub found: usize,
    /// SSHOMs of the search of an order that is complete in var.
    pub of: usize,
}

/// An SSHOM.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SshomEntry {
    pub order: usize,
    pub strict: bool,
    pub mutants: Vec<MutantDocument>,
    /// The tests that kill it.
    pub killed_by: Vec<String>,
    /// Tests that kill one of its mutants, but not it.
    pub escapes: Vec<String>,
}

/// A mutant: an operator that is exchanged.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutantDocument {
    /// A path inside of the project.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Empty if it is in none that has a name.
    pub function: String,
    /// relational, arithmetic or logical.
    pub kind: String,
    /// The original operator.
    pub before: String,
    /// The operator in its place.
    pub after: String,
}

impl SshomDocument {
    /// The result of a search in a program.
    pub fn new(result: &SshomResult, program: &PointProgram, protection: &Protection) -> Self {
        let listed = &result.searches[0];
        let differing = result.differing.as_ref();
        Self {
            format: FORMAT,
            search: listed.kind.name().into(),
            complete: listed.findings.completeness.to_string(),
            mutants: program.points.mutants(),
            points: program.points.len(),
            tests: program.tests.len(),
            dropped_points: program.dropped,
            runs_one_by_one: result.first_order.runs,
            runs: listed.runs,
            forks: listed.forks,
            looked_at: listed.findings.looked,
            millis: listed.took.as_millis() as u64,
            all: result.figures.all.as_ref().map(FiguresDocument::new),
            strict: FiguresDocument::new(&result.figures.strict),
            differing: differing.map(|all| all.iter().map(|one| one.text(program)).collect()),
            searches: result.searches.iter().map(|search| SearchDocument::new(result, search)).collect(),
            list: result.listed().map(|sshom| SshomEntry::new(&sshom, result, program)).collect(),
            sandbox: Some(protection.clone()),
        }
    }
}

impl SearchDocument {
    fn new(result: &SshomResult, search: &SearchResult) -> Self {
        let shared = result.shared_with_var(search);
        Self {
            search: search.kind.name().into(),
            complete: search.findings.completeness.to_string(),
            count: CountDocument::from(&search.findings.count(Which::All)),
            strict: CountDocument::from(&search.findings.count(Which::Strict)),
            looked_at: search.findings.looked,
            runs: search.runs,
            forks: search.forks,
            millis: search.took.as_millis() as u64,
            in_var: shared.map(|shared| SharedDocument { found: shared.found, of: shared.of }),
        }
    }
}

impl SshomEntry {
    fn new(sshom: &Sshom, result: &SshomResult, program: &PointProgram) -> Self {
        let names = |tests: &RoaringBitmap| {
            tests.iter().map(|test| program.test_name(test as usize).to_owned()).collect()
        };
        Self {
            order: sshom.mutants.len(),
            strict: sshom.strict,
            mutants: sshom.mutants.iter().map(|mutant| MutantDocument::new(*mutant, program)).collect(),
            killed_by: names(&sshom.kills),
            escapes: names(&result.escaped(sshom)),
        }
    }
}

impl MutantDocument {
    fn new(mutant: u32, program: &PointProgram) -> Self {
        let (place, alternative) = program.mutant(mutant);
        Self {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
            function: place.function.clone(),
            kind: place.kind.clone(),
            before: place.operator(0).into(),
            after: place.operator(alternative).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn schemas_name_every_key() {
        let schema = schemars::schema_for!(SshomDocument).to_value();
        let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        for key in ["format", "search", "all", "strict", "searches", "list"] {
            assert!(keys.iter().any(|known| *known == key), "{key}: {keys:?}");
        }
        let required = schema["required"].as_array().unwrap();
        assert!(required.contains(&json!("strict")) && !required.contains(&json!("all")));
    }
}
