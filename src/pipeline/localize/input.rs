//! What a localization goes by: a kill matrix, who executes what, and what mutants do to the coverage.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::analysis::localize::CoverageChanges;
use crate::analysis::localize::FunctionTable;
use crate::analysis::localize::LocalizeError;
use crate::analysis::localize::Spectrum;
use crate::analysis::localize::TestNames;
use crate::exec::Verdict;
use crate::insert::function_lines;
use crate::langdef::LangDef;
use crate::langdef::builtin;
use crate::langdef::builtin_names;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::matrix::read_coverage;
use crate::matrix::read_matrix;
use crate::workspace::read_below;

use super::error::InputError;
use super::gather::Gathered;
use super::gather::RanWith;
use super::shortcoming::Shortcoming;

/// Files from which a localization takes its input.
pub struct InputFiles<'a> {
    pub matrix: &'a Path,
    /// Tests that fail on the unchanged program, one name a line.
    pub failing: Option<&'a Path>,
    /// Which lines tests execute; if left out, the mutants that tests reach stand in for lines.
    pub coverage: Option<&'a Path>,
    /// Coverage under mutants, an entry per mutant.
    pub mutant_coverage: Option<&'a Path>,
    /// The project's root, whose files are searched for functions.
    pub root: &'a Path,
}

/// The input of a localization, from files or from a run.
pub struct LocalizeInput {
    pub matrix: KillMatrix,
    pub spectrum: Spectrum,
    /// What mutants do to the coverage of failing tests, if that was measured.
    pub changes: Option<CoverageChanges>,
    pub shortcomings: Vec<Shortcoming>,
    /// How mutants were run, if they were.
    pub ran: Option<RanWith>,
}

impl LocalizeInput {
    /// Reads files.
    pub fn read(files: &InputFiles) -> Result<Self, InputError> {
        let mut matrix = read_matrix(files.matrix)?;
        if let Some(list) = files.failing {
            mark_failing(&mut matrix, list)?;
        }
        let coverage = files.coverage.map(read_coverage).transpose()?;
        let mut input = Self::new(matrix, coverage.as_ref(), files.root);
        if let Some(directory) = files.mutant_coverage {
            input.read_changes(directory)?;
        }
        Ok(input)
    }

    /// Takes what running mutants showed.
    pub fn from_run(gathered: Gathered, root: &Path) -> Self {
        let Gathered { matrix, coverage, ran } = gathered;
        let coverage = Some(coverage).filter(|coverage| !coverage.lines.is_empty());
        Self { ran: Some(ran), ..Self::new(matrix, coverage.as_ref(), root) }
    }

    fn new(matrix: KillMatrix, coverage: Option<&LineCoverage>, root: &Path) -> Self {
        let functions = functions(&matrix, coverage, root);
        let spectrum = match coverage {
            Some(coverage) => Spectrum::with_coverage(&matrix, coverage, &functions),
            None => Spectrum::from_matrix(&matrix, &functions),
        };
        let shortcomings = gaps(&matrix, &spectrum);
        Self { matrix, spectrum, changes: None, shortcomings, ran: None }
    }

    /// Reads coverage under mutants and compares it with that of the unchanged program.
    fn read_changes(&mut self, directory: &Path) -> Result<(), InputError> {
        let ids: BTreeMap<&str, usize> =
            (0..).zip(&self.matrix.mutants).map(|(at, row)| (row.id.as_str(), at)).collect();
        let mut changes = CoverageChanges::default();
        let mut files = Vec::new();
        for path in entries(directory).map_err(InputError::read(directory))? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let Some(mutant) = ids.get(name.as_str()).or_else(|| ids.get(&*stem)) else {
                files.push(name);
                continue;
            };
            changes.compare(&self.matrix, &self.spectrum, *mutant, &read_coverage(&path)?);
        }
        self.changes = Some(changes);
        if !files.is_empty() {
            let directory = directory.to_owned();
            self.shortcomings.push(Shortcoming::UnknownMutants { directory, files });
        }
        Ok(())
    }

    /// The number of the test of that name.
    pub fn test(&self, name: &str) -> Result<u32, LocalizeError> {
        let known = TestNames::new(self.matrix.tests.iter().map(|test| test.name.as_str()));
        known.find(name).ok_or_else(|| LocalizeError::NoSuchTest(name.to_owned()))
    }
}

/// What is in a directory, sorted by name.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn mark_failing(matrix: &mut KillMatrix, list: &Path) -> Result<(), InputError> {
    let text = fs::read_to_string(list).map_err(InputError::read(list))?;
    let names: Vec<String> = matrix.tests.iter().map(|test| test.name.clone()).collect();
    let known = TestNames::new(names.iter().map(String::as_str));
    for (number, line) in text.lines().enumerate() {
        let name = line.trim();
        if name.is_empty() || name.starts_with('#') {
            continue;
        }
        let Some(test) = known.find(name) else {
            let problem = LocalizeError::NoSuchTest(name.to_owned());
            return Err(InputError::FailingTest { list: list.to_owned(), line: number + 1, problem });
        };
        // A crash stays one: the list says less than the matrix may.
        let verdict = &mut matrix.tests[test as usize].verdict;
        *verdict = (*verdict).max(Verdict::Fail);
    }
    Ok(())
}

/// The functions of all files that can be read.
fn functions(matrix: &KillMatrix, coverage: Option<&LineCoverage>, root: &Path) -> FunctionTable {
    let covered = coverage.into_iter().flat_map(|coverage| coverage.lines.keys());
    let files = matrix.mutants.iter().map(|row| &row.file).chain(covered);
    let languages: Vec<LangDef> = builtin_names().filter_map(builtin).collect();
    let mut table: BTreeMap<String, _> = BTreeMap::new();
    for file in files {
        if table.contains_key(file) {
            continue;
        }
        let Some(def) = languages.iter().find(|def| def.owns(file.as_bytes())) else { continue };
        if let Ok(text) = read_below(root, file) {
            table.insert(file.clone(), function_lines(def, &text));
        }
    }
    table
}

fn gaps(matrix: &KillMatrix, spectrum: &Spectrum) -> Vec<Shortcoming> {
    let mut gaps = Vec::new();
    if !spectrum.strangers.is_empty() {
        gaps.push(Shortcoming::UnknownTests(spectrum.strangers.clone()));
    }
    if !spectrum.unseen.is_empty() {
        let names = spectrum.unseen.iter().map(|test| matrix.tests[test as usize].name.clone());
        gaps.push(Shortcoming::UncoveredTests(names.collect()));
    }
    gaps
}
