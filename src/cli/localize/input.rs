//! What is known of a fault, from files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::analysis::localize::CoverageChanges;
use crate::analysis::localize::FunctionTable;
use crate::analysis::localize::LocalizeError;
use crate::analysis::localize::Spectrum;
use crate::analysis::localize::TestNames;
use crate::exec::Verdict;
use crate::insert::function_lines;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::matrix::read_coverage;
use crate::matrix::read_matrix;
use crate::pipeline::localize::Gathered;
use crate::report::counted;

use super::super::languages;
use super::args::TestsArgs;

/// Names shown of a longer list.
const SHOWN: usize = 3;

/// All that a localization goes by, wherever it comes from.
pub struct Input {
    pub matrix: KillMatrix,
    pub spectrum: Spectrum,
    /// What mutants do to the coverage of failing tests, if that was measured.
    pub changes: Option<CoverageChanges>,
    /// What is missing.
    pub warnings: Vec<String>,
}

/// Reads what the options name.
pub fn from_files(matrix: &Path, tests: &TestsArgs, root: &Path) -> Result<Input> {
    let mut matrix = read_matrix(matrix)?;
    if let Some(list) = &tests.failing {
        mark_failing(&mut matrix, list)?;
    }
    let coverage = tests.coverage.as_deref().map(read_coverage).transpose()?;
    let functions = functions(&matrix, coverage.as_ref(), root);
    let spectrum = match &coverage {
        Some(coverage) => Spectrum::with_coverage(&matrix, coverage, &functions),
        None => Spectrum::from_matrix(&matrix, &functions),
    };
    let mut warnings = gaps(&matrix, &spectrum);
    let under = tests.mutant_coverage.as_deref();
    let changes = under.map(|under| changes(under, &matrix, &spectrum, &mut warnings)).transpose()?;
    Ok(Input { matrix, spectrum, changes, warnings })
}

/// What running mutants showed.
pub fn from_run(gathered: Gathered, root: &Path) -> Input {
    let Gathered { matrix, coverage } = gathered;
    let coverage = Some(coverage).filter(|coverage| !coverage.lines.is_empty());
    let functions = functions(&matrix, coverage.as_ref(), root);
    let spectrum = match &coverage {
        Some(coverage) => Spectrum::with_coverage(&matrix, coverage, &functions),
        None => Spectrum::from_matrix(&matrix, &functions),
    };
    let warnings = gaps(&matrix, &spectrum);
    Input { matrix, spectrum, changes: None, warnings }
}

fn mark_failing(matrix: &mut KillMatrix, list: &Path) -> Result<()> {
    let text = fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let names: Vec<String> = matrix.tests.iter().map(|test| test.name.clone()).collect();
    let known = TestNames::new(names.iter().map(String::as_str));
    for (number, line) in text.lines().enumerate() {
        let name = line.trim();
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        let Some(test) = known.find(name) else {
            bail!("{}:{}: {}", list.display(), number + 1, LocalizeError::NoSuchTest(name.to_owned()));
        };
        // A crash stays one: the list says less than the matrix may.
        let verdict = &mut matrix.tests[test as usize].verdict;
        *verdict = (*verdict).max(Verdict::Fail);
    }
    Ok(())
}

/// The functions of all files that are there to be read.
fn functions(matrix: &KillMatrix, coverage: Option<&LineCoverage>, root: &Path) -> FunctionTable {
    let covered = coverage.into_iter().flat_map(|coverage| coverage.lines.keys());
    let files = matrix.mutants.iter().map(|row| &row.file).chain(covered);
    let languages = languages::all();
    let mut table: BTreeMap<String, _> = BTreeMap::new();
    for file in files {
        if table.contains_key(file) {
            continue;
        }
        let Some(def) = languages.iter().find(|def| def.owns(file.as_bytes())) else { continue };
        if let Ok(text) = fs::read(root.join(file)) {
            table.insert(file.clone(), function_lines(def, &text));
        }
    }
    table
}

fn gaps(matrix: &KillMatrix, spectrum: &Spectrum) -> Vec<String> {
    let mut warnings = Vec::new();
    if !spectrum.strangers.is_empty() {
        warnings.push(format!(
            "{} in the coverage that the matrix does not have: {}",
            counted(spectrum.strangers.len() as u64, "test"),
            some(spectrum.strangers.iter().map(String::as_str))
        ));
    }
    if !spectrum.unseen.is_empty() {
        let names = spectrum.unseen.iter().map(|test| matrix.tests[test as usize].name.as_str());
        warnings.push(format!(
            "{} without coverage, judged by the mutants that they reach: {}",
            counted(spectrum.unseen.len(), "test"),
            some(names)
        ));
    }
    warnings
}

/// The first few names of a list.
pub fn some<'a>(mut names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let mut shown: Vec<&str> = names.by_ref().take(SHOWN).collect();
    let rest = format!("{} more", count.saturating_sub(SHOWN));
    if count > SHOWN {
        shown.push(&rest);
    }
    shown.join(", ")
}

fn changes(
    directory: &Path,
    matrix: &KillMatrix,
    spectrum: &Spectrum,
    warnings: &mut Vec<String>,
) -> Result<CoverageChanges> {
    let ids: BTreeMap<&str, usize> =
        (0..).zip(&matrix.mutants).map(|(at, row)| (row.id.as_str(), at)).collect();
    let entries = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    let mut changes = CoverageChanges::default();
    let mut strangers = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(mutant) = ids.get(name.as_str()).or_else(|| ids.get(stem.as_str())) else {
            strangers.push(name);
            continue;
        };
        changes.compare(matrix, spectrum, *mutant, &read_coverage(&path)?);
    }
    if !strangers.is_empty() {
        warnings.push(format!(
            "{}: {} named after no mutant: {}",
            directory.display(),
            counted(strangers.len() as u64, "file"),
            some(strangers.iter().map(String::as_str))
        ));
    }
    Ok(changes)
}
