//! Failing conditions that others computed, from files to a solution.
//!
//! In: a folder with a file per test, or one document of boxes. Out: a problem ([`read_conditions`]), and all
//! strongly subsuming higher-order mutants that follow from it ([`solve_conditions`]). No program is run.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use crate::analysis::sshom::ConditionFileError;
use crate::analysis::sshom::ConditionTest;
use crate::analysis::sshom::Conditions;
use crate::analysis::sshom::Places;
use crate::analysis::sshom::PlacesRead;
use crate::analysis::sshom::Points;
use crate::analysis::sshom::Problem;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SolutionFigures;
use crate::analysis::sshom::SolveError;
use crate::analysis::sshom::SolveLimits;
use crate::analysis::sshom::TooLarge;
use crate::analysis::sshom::Which;
use crate::analysis::sshom::deep;
use crate::analysis::sshom::read_boxes;
use crate::analysis::sshom::read_dimacs;
use crate::analysis::sshom::read_groups;
use crate::analysis::sshom::read_javabdd;
use crate::analysis::sshom::read_places;
use crate::analysis::sshom::solve;
use crate::control::Progress;

/// The files to read.
#[derive(Clone, Copy, Debug)]
pub struct ConditionFiles<'a> {
    /// A folder with a file per test (`*.txt` as JavaBDD saves it, or `*.cnf`, `*.dimacs`), or a document of
    /// boxes (`*.json`).
    pub conditions: &'a Path,
    /// The groups file; boxes have their own points.
    pub groups: Option<&'a Path>,
    /// Where mutants are. Boxes may say it themselves.
    pub places: Option<&'a Path>,
    /// The number of the first mutant's variable.
    pub first: u32,
    /// Nodes that all conditions together may have.
    pub max_nodes: usize,
}

/// What the files say.
pub struct ConditionsRead {
    pub problem: Problem,
    /// Where mutants are, if that is known.
    pub places: Option<Places>,
    /// Lines of the file of places about mutants that are in no group.
    pub unknown_places: usize,
}

/// All strongly subsuming higher-order mutants of a problem.
pub struct SolvedConditions {
    pub solution: Solution,
    pub figures: SolutionFigures,
}

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum ConditionsError {
    #[error("cannot read {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Refused(#[from] ConditionFileError),
    #[error(transparent)]
    Unsolved(#[from] SolveError),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    #[error("mutant `{name}` is in an SSHOM, but --places does not list it; add it, or remove --places")]
    NoPlace { name: String },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    JavaBdd,
    Dimacs,
}

/// Reads points, failing conditions and places. The progress counts files.
pub fn read_conditions(
    files: &ConditionFiles,
    progress: &Progress,
) -> Result<ConditionsRead, ConditionsError> {
    let (problem, own) =
        if files.conditions.is_dir() { (folder(files, progress)?, None) } else { document(files)? };
    let Some(path) = files.places else {
        return Ok(ConditionsRead { problem, places: own, unknown_places: 0 });
    };
    let PlacesRead { places, unknown } =
        read_places(&path.display().to_string(), &text(path)?, &problem.points)?;
    Ok(ConditionsRead { problem, places: Some(places), unknown_places: unknown })
}

/// Finds all strongly subsuming higher-order mutants, and their figures. The progress counts tests.
pub fn solve_conditions(
    read: &ConditionsRead,
    limits: &SolveLimits,
    which: Which,
    progress: &Progress,
) -> Result<SolvedConditions, ConditionsError> {
    let solution = solve(&read.problem, limits, progress)?;
    if let Some(missing) = read.places.as_ref().and_then(|places| solution.without_place(places)) {
        let name = read.problem.points.name(missing.mutant).to_owned();
        return Err(ConditionsError::NoPlace { name });
    }
    let figures = SolutionFigures::new(&solution, read.places.as_ref(), which)?;
    Ok(SolvedConditions { solution, figures })
}

/// Reads one document of boxes.
fn document(files: &ConditionFiles) -> Result<(Problem, Option<Places>), ConditionsError> {
    let path = files.conditions;
    if path.exists() && path.extension().is_none_or(|ending| ending != "json") {
        return Err(refused(path, "neither a directory with one file per test nor boxes (*.json)"));
    }
    let text = text(path)?;
    if files.groups.is_some() {
        return Err(refused(path, "boxes have their own points; remove --groups"));
    }
    Ok(read_boxes(&path.display().to_string(), &text, files.max_nodes)?)
}

/// Reads a folder with a file per test.
fn folder(files: &ConditionFiles, progress: &Progress) -> Result<Problem, ConditionsError> {
    let Some(groups) = files.groups else {
        return Err(refused(
            files.conditions,
            "it is unknown which mutants belong to one point; give --groups",
        ));
    };
    let points = read_groups(&groups.display().to_string(), &text(groups)?)?;
    let (format, paths) = list(files.conditions)?;
    progress.expect(paths.len() as u64);
    let (conditions, tests) =
        deep(points.mutants(), || read_tests(files, format, &paths, &points, progress))?;
    Ok(Problem { points, conditions, tests })
}

fn read_tests(
    files: &ConditionFiles,
    format: Format,
    paths: &[PathBuf],
    points: &Points,
    progress: &Progress,
) -> Result<(Conditions, Vec<ConditionTest>), ConditionsError> {
    let mut conditions = Conditions::new(files.max_nodes);
    let mut tests = Vec::new();
    for path in paths {
        let (origin, text) = (path.display().to_string(), text(path)?);
        let read = if format == Format::JavaBdd { read_javabdd } else { read_dimacs };
        let fails = read(&origin, &text, points, files.first, &mut conditions)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        tests.push(ConditionTest { name, fails });
        progress.advance(1024);
    }
    Ok((conditions, tests))
}

/// The files of a folder in the order of their names, all of one format.
fn list(folder: &Path) -> Result<(Format, Vec<PathBuf>), ConditionsError> {
    let failed = |source| ConditionsError::Io { path: folder.to_owned(), source };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    let Some(first) = files.first() else {
        return Err(refused(folder, "the directory is empty; it must contain one file per test"));
    };
    let first = format_of(first)?;
    for path in &files {
        if format_of(path)? != first {
            return Err(refused(
                folder,
                "both diagrams (*.txt) and formulas (*.cnf, *.dimacs) in one directory; \
                split them",
            ));
        }
    }
    Ok((first, files))
}

fn format_of(path: &Path) -> Result<Format, ConditionsError> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("txt") => Ok(Format::JavaBdd),
        Some("cnf" | "dimacs") => Ok(Format::Dimacs),
        _ => {
            let problem = "unknown file; diagrams are *.txt, formulas *.cnf or *.dimacs; move it elsewhere";
            Err(refused(path, problem))
        }
    }
}

fn text(path: &Path) -> Result<String, ConditionsError> {
    let failed = |source| ConditionsError::Io { path: path.to_owned(), source };
    fs::read_to_string(path).map_err(failed)
}

fn refused(path: &Path, problem: &str) -> ConditionsError {
    ConditionFileError::File { origin: path.display().to_string(), problem: problem.into() }.into()
}
