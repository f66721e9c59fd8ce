//! Where inputs come from: a run, a matrix, coverage, the inputs themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::analysis::tame::ChosenDistance;
use crate::analysis::tame::Distance;
use crate::analysis::tame::Failing;
use crate::analysis::tame::LineCounts;
use crate::analysis::tame::RepairAndReach;
use crate::analysis::tame::RepairVectors;
use crate::analysis::tame::Texts;
use crate::analysis::tame::covered_sets;
use crate::analysis::tame::reach_sets;
use crate::analysis::tame::repair_vectors;
use crate::exec::Protection;
use crate::matrix::Coverage;
use crate::matrix::KillMatrix;
use crate::matrix::from_plain;
use crate::matrix::list_plain;
use crate::matrix::read_coverage as read_reports;
use crate::matrix::read_matrix;
use crate::matrix::read_plain;

use super::super::localize::Gathered;
use super::error::TameError;
use super::kind::DistanceKind;
use super::note::InputNote;
use super::note::LeftOutInputs;
use super::space::Space;
use super::truth_file::TruthFile;

/// Where inputs come from.
pub enum InputSource {
    /// A run of the mutants of a project: its failing tests.
    Run(Gathered),
    /// A kill matrix: its failing tests.
    Matrix { path: PathBuf, failing: Failing },
    /// Coverage of the inputs; with an ending, of those that have a file of this ending in the directory.
    Coverage { path: PathBuf, ending: Option<String> },
    /// A directory with a file per input; with an ending, the files that have it.
    Texts { path: PathBuf, ending: Option<String> },
}

/// Inputs that can be compared.
pub struct Inputs {
    pub names: Vec<String>,
    pub space: ChosenDistance<Space>,
    pub distance: DistanceKind,
    pub notes: Vec<InputNote>,
    pub left_out: Vec<LeftOutInputs>,
    /// What mutants were kept from, if any were run.
    pub protection: Option<Protection>,
}

impl Inputs {
    /// Reads inputs; `distance` is the usual one of their source if left out.
    pub fn read(source: InputSource, distance: Option<DistanceKind>) -> Result<Self, TameError> {
        match source {
            InputSource::Run(gathered) => {
                let protection = Some(gathered.ran.protection.clone());
                Ok(Self { protection, ..from_run(gathered, distance)? })
            }
            InputSource::Matrix { path, failing } => from_matrix(read_matrix(&path)?, failing, distance),
            InputSource::Coverage { path, ending } => {
                from_coverage(read_coverage(&path, ending.as_deref())?, distance)
            }
            InputSource::Texts { path, ending } => from_texts(&path, ending.as_deref(), distance),
        }
    }

    fn new(names: Vec<String>, space: Space, distance: DistanceKind, notes: Vec<InputNote>) -> Self {
        let inputs = (0..space.inputs()).collect();
        let space = ChosenDistance { of: space, inputs };
        Self { names, space, distance, notes, left_out: Vec::new(), protection: None }
    }

    /// Leaves out inputs of which the truth names no bug.
    #[must_use]
    pub fn known_to(mut self, truth: &TruthFile) -> Self {
        if let Some((inputs, first)) = self.retain(|name| truth.knows(name)) {
            self.left_out.push(LeftOutInputs::NotInTruth { inputs, first });
        }
        self
    }

    /// Keeps some inputs; gives how many went, and the first of them.
    fn retain(&mut self, keeps: impl Fn(&str) -> bool) -> Option<(usize, String)> {
        let (kept, lost): (Vec<usize>, Vec<usize>) =
            (0..self.names.len()).partition(|input| keeps(&self.names[*input]));
        let gone = lost.first().map(|first| (lost.len(), self.names[*first].clone()));
        self.names = kept.iter().map(|input| self.names[*input].clone()).collect();
        self.space.inputs = kept.iter().map(|input| self.space.inputs[*input]).collect();
        gone
    }

    /// The number of an input.
    pub fn number(&self, name: &str) -> Result<usize, TameError> {
        let found = self.names.iter().position(|known| known == name);
        found.ok_or_else(|| {
            let some: Vec<&str> = self.names.iter().take(3).map(String::as_str).collect();
            let more = if self.names.len() > 3 { ", …" } else { "" };
            TameError::NoSuchInput { name: name.to_owned(), known: format!("{}{more}", some.join(", ")) }
        })
    }

    /// The inputs of which nothing is known.
    pub fn blank(&self) -> Vec<usize> {
        let numbers = self.space.inputs.iter().enumerate();
        numbers.filter(|(_, inner)| self.space.of.is_blank(**inner)).map(|(input, _)| input).collect()
    }
}

/// The failing tests of a run: by its matrix, or by its coverage.
fn from_run(gathered: Gathered, distance: Option<DistanceKind>) -> Result<Inputs, TameError> {
    let Gathered { matrix, coverage, .. } = gathered;
    if !distance.is_some_and(DistanceKind::is_coverage) {
        return from_matrix(matrix, Failing::AsRecorded, distance);
    }
    let vectors = repair_vectors(&matrix, Failing::AsRecorded);
    let failing: Vec<&str> =
        vectors.tests.iter().map(|test| matrix.tests[*test as usize].name.as_str()).collect();
    let mut inputs = from_coverage(Coverage::from(&coverage), distance)?;
    // Passing tests have coverage, too, but they are no inputs to rank.
    inputs.retain(|name| failing.contains(&name));
    inputs.left_out = flaky(&vectors);
    let mut uncovered = failing.iter().filter(|test| !inputs.names.iter().any(|name| name == *test));
    if let Some(first) = uncovered.next() {
        let (first, inputs_lost) = ((*first).to_owned(), 1 + uncovered.count());
        inputs.left_out.push(LeftOutInputs::Uncovered { inputs: inputs_lost, first });
    }
    Ok(inputs)
}

fn from_matrix(
    matrix: KillMatrix,
    failing: Failing,
    distance: Option<DistanceKind>,
) -> Result<Inputs, TameError> {
    let vectors = repair_vectors(&matrix, failing);
    let names = vectors.tests.iter().map(|test| matrix.tests[*test as usize].name.clone()).collect();
    let (left_out, notes) = (flaky(&vectors), matrix_notes(&matrix, &vectors));
    let blank = !vectors.unrepaired().is_empty();
    let both = RepairAndReach { repairs: vectors, reach: reach_sets(&matrix, failing).1 };
    let distance = distance.unwrap_or(match blank && both.tells_apart() {
        true => DistanceKind::RepairReach,
        false => DistanceKind::Repair,
    });
    let inputs = match distance {
        DistanceKind::Repair => {
            Inputs::new(names, Space::Repair(both.repairs, matrix.mutants), distance, notes)
        }
        DistanceKind::RepairReach => {
            Inputs::new(names, Space::RepairReach(both, matrix.mutants), distance, notes)
        }
        DistanceKind::CoverageJaccard => {
            Inputs::new(names, Space::Reach(both.reach, matrix.mutants), distance, Vec::new())
        }
        DistanceKind::CoverageEuclid | DistanceKind::Levenshtein => {
            let possible = "repair, repair-reach or coverage-jaccard";
            return Err(TameError::Distance { distance, from: "a matrix", possible });
        }
    };
    Ok(Inputs { left_out, ..inputs })
}

fn flaky(vectors: &RepairVectors) -> Vec<LeftOutInputs> {
    let flaky = vectors.left_out.flaky_tests;
    if flaky == 0 { Vec::new() } else { vec![LeftOutInputs::Flaky(flaky)] }
}

/// The outcome of the mutants, and of the tests that are no inputs.
fn matrix_notes(matrix: &KillMatrix, vectors: &RepairVectors) -> Vec<InputNote> {
    let left_out = &vectors.left_out;
    let mut notes = vec![InputNote::Mutants {
        mutants: matrix.mutants.len(),
        repairing: vectors.sets.width(),
        breaking: left_out.breaking,
        repair_nothing: left_out.repair_nothing,
        not_run: left_out.not_run,
    }];
    if left_out.flaky_passing > 0 {
        notes.push(InputNote::FlakyPassing(left_out.flaky_passing));
    }
    if left_out.unknown_pairs > 0 {
        notes.push(InputNote::UnknownPairs(left_out.unknown_pairs));
    }
    notes
}

fn from_coverage(coverage: Coverage, distance: Option<DistanceKind>) -> Result<Inputs, TameError> {
    let names: Vec<String> = coverage.tests.iter().map(|test| test.name.clone()).collect();
    let notes = vec![InputNote::Statements(coverage.statements.len())];
    let distance = distance.unwrap_or(DistanceKind::CoverageJaccard);
    let space = match distance {
        DistanceKind::CoverageJaccard => Space::Lines(covered_sets(&coverage), coverage.statements),
        DistanceKind::CoverageEuclid => Space::Counts(LineCounts::new(coverage)),
        DistanceKind::Repair | DistanceKind::RepairReach | DistanceKind::Levenshtein => {
            let possible = "coverage-jaccard or coverage-euclid";
            return Err(TameError::Distance { distance, from: "coverage", possible });
        }
    };
    Ok(Inputs::new(names, space, distance, notes))
}

fn read_coverage(path: &Path, ending: Option<&str>) -> Result<Coverage, TameError> {
    if !path.is_dir() {
        let text = fs::read_to_string(path).map_err(TameError::read(path))?;
        let is_report = ["TN:", "SF:", "{", "<"].iter().any(|mark| text.trim_start().starts_with(mark));
        return match is_report {
            true => Ok(Coverage::from(&read_reports(path)?)),
            false => Ok(from_plain(&text, &path.display().to_string())?),
        };
    }
    let mut files = list_plain(path)?;
    if files.is_empty() {
        return Ok(Coverage::from(&read_reports(path)?));
    }
    if let Some(ending) = ending {
        let wanted: BTreeSet<String> =
            list_inputs(path, Some(ending))?.into_iter().map(|(name, _)| name).collect();
        files.retain(|file| wanted.contains(&file.name));
    }
    Ok(read_plain(&files)?)
}

fn from_texts(
    path: &Path,
    ending: Option<&str>,
    distance: Option<DistanceKind>,
) -> Result<Inputs, TameError> {
    let distance = distance.unwrap_or(DistanceKind::Levenshtein);
    if distance != DistanceKind::Levenshtein {
        return Err(TameError::Distance { distance, from: "texts", possible: "levenshtein" });
    }
    let files = list_inputs(path, ending)?;
    let read = |file: &Path| fs::read(file).map_err(TameError::read(file));
    let texts: Vec<Vec<u8>> = files.iter().map(|(_, file)| read(file)).collect::<Result<_, _>>()?;
    let notes = vec![InputNote::Bytes(texts.iter().map(Vec::len).sum())];
    let names = files.into_iter().map(|(name, _)| name).collect();
    Ok(Inputs::new(names, Space::Texts(Texts(texts)), distance, notes))
}

/// The files of a directory in the order of their names; with an ending, those that have it, named without it.
fn list_inputs(directory: &Path, ending: Option<&str>) -> Result<Vec<(String, PathBuf)>, TameError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(TameError::read(directory))? {
        let path = entry.map_err(TameError::read(directory))?.path();
        if !path.is_file() {
            continue;
        }
        let name = match ending {
            None => path.file_name(),
            Some(ending) if path.extension().is_some_and(|own| own == ending) => path.file_stem(),
            Some(_) => continue,
        };
        files.push((name.unwrap_or_default().to_string_lossy().into_owned(), path));
    }
    files.sort();
    Ok(files)
}
