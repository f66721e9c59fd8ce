//! Mutants of one project, compiled.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::control::Progress;
use crate::engine::Compilers;
use crate::engine::complaints;
use crate::insert::Describer;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Sampler;
use crate::runner::RunError;
use crate::workspace::Copying;
use crate::workspace::Workspace;

use super::super::viability::Viability;
use super::bulk::Bulk;
use super::verdicts::Verdicts;

/// How mutants of a project are drawn and compiled.
pub struct SampleRequest<'a> {
    pub inserter: &'a Inserter<'a>,
    pub all: &'a [FileMutants],
    pub root: &'a Path,
    pub check: &'a str,
    pub whole: &'a str,
    /// So many mutants of operators that were caught, and half as many that only those written by hand make.
    pub draw: usize,
    pub seed: u32,
    pub limit: Duration,
    /// What the commands may do.
    pub compilers: &'a Compilers,
}

/// Why nothing was compiled.
#[derive(Debug, Error)]
pub enum SampleError {
    #[error("cannot compile mutants of {}", .root.display())]
    Io { root: PathBuf, source: io::Error },
    #[error("{}: a file is outside of the project", .0.display())]
    Outside(PathBuf),
    #[error("{}: the unchanged project fails {command:?}, so mutants cannot be checked; fix `check`", .root.display())]
    Baseline { root: PathBuf, command: String },
    #[error(transparent)]
    Language(#[from] RunError),
}

impl<'a> SampleRequest<'a> {
    /// Draws mutants, in their order.
    pub fn draw(&self) -> Vec<&'a Mutant> {
        let entries = &self.inserter.arsenal.entries;
        let caught = |mutant: &Mutant| {
            mutant.entries.iter().any(|entry| entries[*entry as usize].evidence().is_wild())
        };
        let (wild, written): (Vec<&Mutant>, Vec<&Mutant>) =
            self.all.iter().flat_map(|found| &found.mutants).partition(|mutant| caught(mutant));
        let mut sampler = Sampler::new(self.seed);
        let both = [(wild, self.draw), (written, self.draw / 2)];
        let mut drawn: Vec<&Mutant> = Vec::new();
        for (known, count) in both {
            drawn.extend(sampler.choose(count, known.len()).into_iter().map(|at| known[at]));
        }
        drawn.sort_unstable_by_key(|mutant| mutant.place());
        drawn
    }

    /// The sites of mutants, by which verdicts are kept.
    pub fn sites(&self, mutants: &[&Mutant]) -> Vec<String> {
        let mut describer: Option<(usize, Describer)> = None;
        let mut site = |mutant: &&Mutant| {
            let fresh = describer.take().filter(|(file, _)| *file == mutant.file);
            let here = fresh.unwrap_or_else(|| (mutant.file, Describer::new(self.inserter, mutant.file)));
            describer.insert(here).1.site(mutant)
        };
        mutants.iter().map(&mut site).collect()
    }

    /// Compiles those whose verdicts are not known.
    pub fn compile(
        &self,
        mutants: &[&Mutant],
        verdicts: &mut Verdicts,
        progress: &Progress,
    ) -> Result<(), SampleError> {
        let failed = |source| SampleError::Io { root: self.root.to_owned(), source };
        let sites = self.sites(mutants);
        let open: Vec<usize> = (0..mutants.len()).filter(|at| verdicts.get(&sites[*at]).is_none()).collect();
        if open.is_empty() {
            return Ok(());
        }
        let root = self.root.canonicalize().map_err(failed)?;
        let inside = |path: &Path| -> Result<PathBuf, SampleError> {
            let full = path.canonicalize().map_err(failed)?;
            let inside = full.strip_prefix(&root).map_err(|_| SampleError::Outside(path.to_owned()))?;
            Ok(inside.to_owned())
        };
        let files: Vec<PathBuf> =
            self.inserter.target.files.iter().map(|file| inside(&file.path)).collect::<Result<_, _>>()?;
        let workspace = Workspace::copy(&root, &Copying::default()).map_err(failed)?;
        let complaints = complaints(self.inserter.def)?;
        let bulk = Bulk {
            inserter: self.inserter,
            files: &files,
            workspace: &workspace,
            check: self.check,
            whole: self.whole,
            complaints: &complaints,
            limit: self.limit,
            sandbox: &self.compilers.sandbox(self.check, workspace.path()).map_err(failed)?,
            progress,
        };
        let chosen: Vec<&Mutant> = open.iter().map(|at| mutants[*at]).collect();
        let used: Vec<usize> = chosen.iter().map(|mutant| mutant.file).collect();
        if !bulk.passes_unchanged(&used).map_err(failed)? {
            return Err(SampleError::Baseline { root, command: self.check.to_owned() });
        }
        let found = bulk.run(&chosen).map_err(failed)?;
        // What is left when the work is stopped is tried the next time.
        for (at, verdict) in open.iter().zip(&found) {
            if !(progress.stopped() && *verdict == Viability::Untried) {
                verdicts.put(&sites[*at], verdict);
            }
        }
        Ok(())
    }
}
