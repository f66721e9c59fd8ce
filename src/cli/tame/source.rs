//! Where inputs come from: a matrix, coverage, the inputs themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::analysis::tame::Chosen;
use crate::analysis::tame::Counts;
use crate::analysis::tame::Distance;
use crate::analysis::tame::Failing;
use crate::analysis::tame::LeftOut;
use crate::analysis::tame::RepairVectors;
use crate::analysis::tame::Texts;
use crate::analysis::tame::TruthFile;
use crate::analysis::tame::covered_sets;
use crate::analysis::tame::reach_sets;
use crate::analysis::tame::repair_vectors;
use crate::matrix::Coverage;
use crate::matrix::KillMatrix;
use crate::matrix::from_plain;
use crate::matrix::list_plain;
use crate::matrix::read_coverage as read_reports;
use crate::matrix::read_matrix;
use crate::matrix::read_plain;
use crate::report::counted;
use crate::report::thousands;

use super::args::DistanceArg;
use super::args::SourceArgs;
use super::space::Space;

/// Inputs that can be compared.
pub struct Inputs {
    pub names: Vec<String>,
    pub space: Chosen<Space>,
    pub distance: DistanceArg,
    /// What is known of where they come from, a line each.
    pub notes: Vec<String>,
    /// What should have been among them and is not.
    pub left_out: Vec<String>,
}

impl Inputs {
    /// The number of an input.
    pub fn number(&self, name: &str) -> Result<usize> {
        let found = self.names.iter().position(|known| known == name);
        found.with_context(|| {
            let some: Vec<&str> = self.names.iter().take(3).map(String::as_str).collect();
            let more = if self.names.len() > 3 { ", …" } else { "" };
            format!("no input is called `{name}`; there are {}{more}", some.join(", "))
        })
    }

    /// The inputs of which nothing is known.
    pub fn blank(&self) -> Vec<usize> {
        let numbers = self.space.inputs.iter().enumerate();
        numbers.filter(|(_, inner)| self.space.of.is_blank(**inner)).map(|(input, _)| input).collect()
    }
}

/// Gets the inputs; with a truth only those that it knows.
pub fn inputs(args: &SourceArgs, truth: Option<&TruthFile>) -> Result<Inputs> {
    let from = &args.from;
    let mut inputs = match (&from.matrix, &from.coverage, &from.texts) {
        (Some(path), ..) => from_matrix(path, args)?,
        (_, Some(path), _) => from_coverage(path, args)?,
        (_, _, Some(path)) => from_texts(path, args)?,
        _ => bail!("say where the inputs come from: --matrix, --coverage or --texts"),
    };
    if let Some(truth) = truth {
        let known = |input: &usize| truth.knows(&inputs.names[*input]);
        let (kept, lost): (Vec<usize>, Vec<usize>) = (0..inputs.names.len()).partition(known);
        if !lost.is_empty() {
            let first = &inputs.names[lost[0]];
            inputs.left_out.push(format!(
                "{} of which the truth names no bug, the first `{first}`",
                counted(lost.len() as u64, "input")
            ));
        }
        inputs.names = kept.iter().map(|input| inputs.names[*input].clone()).collect();
        inputs.space.inputs = kept.iter().map(|input| inputs.space.inputs[*input]).collect();
    }
    Ok(inputs)
}

fn all(names: Vec<String>, space: Space, distance: DistanceArg, notes: Vec<String>) -> Inputs {
    let inputs = (0..space.inputs()).collect();
    Inputs { names, space: Chosen { of: space, inputs }, distance, notes, left_out: Vec::new() }
}

fn refuse<T>(distance: DistanceArg, from: &str, can: &str) -> Result<T> {
    bail!("--distance {} cannot be had from {from}; take {can}", distance.name())
}

fn from_matrix(path: &Path, args: &SourceArgs) -> Result<Inputs> {
    let matrix = read_matrix(path)?;
    let failing = if args.all_failing { Failing::All } else { Failing::AsRecorded };
    let name = |test: &u32| matrix.tests[*test as usize].name.clone();
    let distance = args.distance.unwrap_or(DistanceArg::Repair);
    let vectors = repair_vectors(&matrix, failing);
    let names: Vec<String> = vectors.tests.iter().map(name).collect();
    let (left_out, notes) = (flaky(&vectors.left_out), matrix_notes(&matrix, &vectors));
    let mut inputs = match distance {
        DistanceArg::Repair => all(names, Space::Repair(vectors, matrix.mutants), distance, notes),
        DistanceArg::CoverageJaccard => {
            let (_, sets) = reach_sets(&matrix, failing);
            all(names, Space::Reach(sets, matrix.mutants), distance, Vec::new())
        }
        other => return refuse(other, "a matrix", "repair or coverage-jaccard"),
    };
    inputs.left_out = left_out;
    Ok(inputs)
}

fn flaky(left_out: &LeftOut) -> Vec<String> {
    let tests = counted(left_out.flaky_tests as u64, "failing test");
    if left_out.flaky_tests == 0 { Vec::new() } else { vec![format!("{tests} that changed its mind")] }
}

/// What became of the mutants, and of the tests that are no inputs.
fn matrix_notes(matrix: &KillMatrix, vectors: &RepairVectors) -> Vec<String> {
    let left_out = &vectors.left_out;
    let mut notes = vec![format!(
        "{}: {} repair an input and break no passing test, {} repair one and break a passing test, {} repair \
         nothing, {} were not run",
        counted(matrix.mutants.len() as u64, "mutant"),
        thousands(vectors.sets.width() as u64),
        thousands(left_out.breaking as u64),
        thousands(left_out.repair_nothing as u64),
        thousands(left_out.not_run as u64),
    )];
    if left_out.flaky_passing > 0 {
        let tests = counted(left_out.flaky_passing as u64, "passing test");
        notes.push(format!("{tests} changed its mind: mutants may break it"));
    }
    if left_out.unknown_pairs > 0 {
        let pairs = counted(left_out.unknown_pairs, "pair");
        notes.push(format!(
            "{pairs} of an input and a mutant that it reaches were not run; `--matrix full` runs them all"
        ));
    }
    notes
}

fn from_coverage(path: &Path, args: &SourceArgs) -> Result<Inputs> {
    let coverage = read_coverage(path, args.ending.as_deref())?;
    let names: Vec<String> = coverage.tests.iter().map(|test| test.name.clone()).collect();
    let notes = vec![format!("{} run", counted(coverage.statements.len() as u64, "statement"))];
    let distance = args.distance.unwrap_or(DistanceArg::CoverageJaccard);
    let space = match distance {
        DistanceArg::CoverageJaccard => Space::Lines(covered_sets(&coverage), coverage.statements),
        DistanceArg::CoverageEuclid => Space::Counts(Counts::new(coverage)),
        other => return refuse(other, "coverage", "coverage-jaccard or coverage-euclid"),
    };
    Ok(all(names, space, distance, notes))
}

fn read_coverage(path: &Path, ending: Option<&str>) -> Result<Coverage> {
    if !path.is_dir() {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
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

fn from_texts(path: &Path, args: &SourceArgs) -> Result<Inputs> {
    let distance = args.distance.unwrap_or(DistanceArg::Levenshtein);
    if distance != DistanceArg::Levenshtein {
        return refuse(distance, "texts", "levenshtein");
    }
    let files = list_inputs(path, args.ending.as_deref())?;
    let read = |file: &Path| fs::read(file).with_context(|| format!("cannot read {}", file.display()));
    let texts: Vec<Vec<u8>> = files.iter().map(|(_, file)| read(file)).collect::<Result<_>>()?;
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let notes = vec![counted(bytes as u64, "byte")];
    let names = files.into_iter().map(|(name, _)| name).collect();
    Ok(all(names, Space::Texts(Texts(texts)), distance, notes))
}

/// The files of a directory in the order of their names; with an ending, those that have it, named without it.
fn list_inputs(directory: &Path, ending: Option<&str>) -> Result<Vec<(String, std::path::PathBuf)>> {
    let unread = || format!("cannot read {}", directory.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).with_context(unread)? {
        let path = entry.with_context(unread)?.path();
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
