//! A folder with a file per test, or one document of boxes.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::control::Progress;

use super::super::condition::Conditions;
use super::super::places::Places;
use super::super::problem::Problem;
use super::super::problem::Test;
use super::super::stack::deep;
use super::boxes::read_boxes;
use super::dimacs::read_dimacs;
use super::error::Origin;
use super::error::ReadError;
use super::groups::read_groups;
use super::javabdd::read_javabdd;

/// What to read.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// A folder with a file per test (`*.txt` as JavaBDD saves it, or `*.cnf`, `*.dimacs`), or a document of
    /// boxes (`*.json`).
    pub conditions: &'a Path,
    /// The groups file; boxes have their own points.
    pub groups: Option<&'a Path>,
    /// The number of the first mutant's variable.
    pub first: u32,
    /// Nodes that all conditions together may have.
    pub max_nodes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    JavaBdd,
    Dimacs,
}

/// Reads points and failing conditions, and where the points are if that is known. The progress counts files.
pub fn read_problem(source: &Source, progress: &Progress) -> Result<(Problem, Option<Places>), ReadError> {
    let name = source.conditions.display().to_string();
    if !source.conditions.is_dir() {
        let json = source.conditions.extension().is_some_and(|ending| ending == "json");
        if !json && source.conditions.exists() {
            return Err(Origin(&name).file("neither a folder with a file per test nor boxes (*.json)"));
        }
        let text = text(source.conditions)?;
        if source.groups.is_some() {
            return Err(Origin(&name).file("boxes have their own points; leave out --groups"));
        }
        return read_boxes(&name, &text, source.max_nodes);
    }
    let Some(groups) = source.groups else {
        return Err(Origin(&name).file("which mutants are of one point? give --groups"));
    };
    let points = read_groups(&groups.display().to_string(), &text(groups)?)?;
    let (format, files) = files(source.conditions)?;
    progress.expect(files.len() as u64);
    let (conditions, tests) = deep(points.mutants(), || {
        let mut conditions = Conditions::new(source.max_nodes);
        let mut tests = Vec::new();
        for path in &files {
            let (origin, text) = (path.display().to_string(), text(path)?);
            let read = if format == Format::JavaBdd { read_javabdd } else { read_dimacs };
            let fails = read(&origin, &text, &points, source.first, &mut conditions)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            tests.push(Test { name, fails });
            progress.advance(1024);
        }
        Ok((conditions, tests))
    })?;
    Ok((Problem { points, conditions, tests }, None))
}

/// The files of a folder in the order of their names, all of one format.
fn files(folder: &Path) -> Result<(Format, Vec<PathBuf>), ReadError> {
    let failed = |source| ReadError::Io { path: folder.to_owned(), source };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    let format = |path: &Path| match path.extension().and_then(|ending| ending.to_str()) {
        Some("txt") => Ok(Format::JavaBdd),
        Some("cnf" | "dimacs") => Ok(Format::Dimacs),
        _ => {
            let problem = "what is this? diagrams are *.txt, formulas *.cnf or *.dimacs; move it elsewhere";
            Err(Origin(&path.display().to_string()).file(problem))
        }
    };
    let name = folder.display().to_string();
    let Some(first) = files.first() else {
        return Err(Origin(&name).file("the folder is empty; it should have a file per test"));
    };
    let first = format(first)?;
    for path in &files {
        if format(path)? != first {
            return Err(Origin(&name).file("diagrams (*.txt) and formulas (*.cnf, *.dimacs) in one folder"));
        }
    }
    Ok((first, files))
}

fn text(path: &Path) -> Result<String, ReadError> {
    let failed = |source| ReadError::Io { path: path.to_owned(), source };
    fs::read_to_string(path).map_err(failed)
}
