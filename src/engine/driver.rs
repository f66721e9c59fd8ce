//! Repeats builds until the program builds: the only such driver.
//!
//! In: something that weaves guards, points or mutants into files ([`Weaving`]). Out: the output of the last build.
//! Each round writes what changed, builds, reads the compiler's errors, and lets the weaver leave out what they point
//! at.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use thiserror::Error;

use crate::control::Phase;
use crate::insert::Inserter;
use crate::runner::RunError;
use crate::workspace::Runtime;

use super::built::Built;
use super::lines::files_that_use_lines;
use super::project::complaints;
use super::project::put;
use super::screen::Complaint;
use super::workbench::Workbench;

/// Weaves something into the files of a target, and leaves out what does not compile.
pub trait Weaving {
    /// Weaves all files anew.
    fn weave(&mut self);

    /// The files that are woven, by their number in the target, with their text.
    fn files(&self) -> Vec<(usize, &[u8])>;

    /// A file whose lines have the numbers of the original, where the language can say them.
    fn with_lines(&self, _file: usize) -> Option<Vec<u8>> {
        None
    }

    /// The program builds, but with warnings that are errors in the project's own build: leaves out what is at fault.
    /// Whether anything was.
    fn refuse(&mut self, _refused: &[Complaint]) -> bool {
        false
    }

    /// The program builds; whether that is the end of it.
    fn accept(&mut self) -> bool {
        true
    }

    /// The program does not build: leaves out what is at fault. If nothing is, says so.
    fn leave_out(&mut self, failed: &FailedBuild) -> Result<(), NoCulprit>;
}

/// A build that failed.
pub struct FailedBuild<'b> {
    /// The number of the build, from 1.
    pub round: usize,
    /// The errors, with lines of the woven files.
    pub complaints: &'b [Complaint],
    pub said: &'b [u8],
}

/// The errors point to no part of the inserted code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoCulprit;

/// Why there is no program that builds.
#[derive(Debug, Error)]
pub enum BuildError {
    #[error(transparent)]
    Run(#[from] RunError),
    /// The last lines of what the build said.
    #[error("the program does not build, and the errors point to no inserted code: {0}")]
    Hopeless(String),
}

/// A program that builds.
pub struct Finished {
    pub rounds: usize,
    pub said: Vec<u8>,
    /// Files of the target whose lines tell the numbers that they have in the original.
    pub lined: Vec<usize>,
}

/// Where and how programs are built.
pub struct Driver<'d> {
    pub bench: &'d Workbench<'d>,
    pub runtime: &'d Runtime,
    pub inserter: &'d Inserter<'d>,
    /// Per file of the target, its path inside of the project.
    pub paths: &'d [PathBuf],
    pub phase: Phase,
}

impl Driver<'_> {
    /// Builds until it builds.
    pub fn build(&self, weaving: &mut dyn Weaving) -> Result<Finished, BuildError> {
        let complaints = complaints(self.inserter.def)?;
        let mut written: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for round in 1.. {
            self.bench.events.at(self.phase, format!("round {round}"));
            weaving.weave();
            if round == 1 {
                self.put_companions(&weaving.files())?;
            }
            let changed = self.write(&weaving.files(), &mut written)?;
            let built = self.build_once(&changed)?;
            if built.fine {
                if weaving.refuse(&complaints.refused(&built.said)) {
                    continue;
                }
                if weaving.accept() {
                    let (said, lined) = self.keep_lines(weaving, built.said)?;
                    return Ok(Finished { rounds: round, said, lined });
                }
                continue;
            }
            let found = complaints.read(&built.said);
            let failed = FailedBuild { round, complaints: &found, said: &built.said };
            if weaving.leave_out(&failed).is_err() {
                return Err(BuildError::Hopeless(built.last_lines()));
            }
        }
        unreachable!("rounds do not end by themselves")
    }

    /// Builds again where a program can tell its lines, with the numbers that they have in the original. While
    /// mutants were screened, a line of the woven file had to have a number of its own.
    fn keep_lines(&self, weaving: &dyn Weaving, said: Vec<u8>) -> Result<(Vec<u8>, Vec<usize>), RunError> {
        let telling = files_that_use_lines(self.inserter, self.bench.tree());
        let lined: Vec<(usize, Vec<u8>)> =
            telling.into_iter().filter_map(|file| Some((file, weaving.with_lines(file)?))).collect();
        if lined.is_empty() {
            return Ok((said, vec![]));
        }
        self.bench.events.at(self.phase, "with the line numbers of the original".to_owned());
        let texts: Vec<(usize, &[u8])> = lined.iter().map(|(file, text)| (*file, &text[..])).collect();
        let again = self.build_once(&self.write(&texts, &mut BTreeMap::new())?)?;
        if again.fine {
            return Ok(([said, again.said].concat(), lined.iter().map(|(file, _)| *file).collect()));
        }
        self.bench.events.warn(
            "the program under test has different line numbers from the sources, since it does not build with \
             the original ones; messages and logs of tests may show wrong lines",
        );
        let mut texts = weaving.files();
        texts.retain(|(file, _)| lined.iter().any(|(telling, _)| telling == file));
        let again = self.build_once(&self.write(&texts, &mut BTreeMap::new())?)?;
        Ok(([said, again.said].concat(), vec![]))
    }

    fn put_companions(&self, files: &[(usize, &[u8])]) -> Result<(), RunError> {
        let sources = &self.inserter.target.files;
        let used: Vec<_> =
            files.iter().map(|(file, _)| (self.paths[*file].as_path(), &sources[*file])).collect();
        for (path, text) in self.runtime.companions(&used) {
            put(&self.bench.workspace, &path, &text)?;
        }
        Ok(())
    }

    /// Writes the files whose text changed since the last round; gives their paths.
    fn write(
        &self,
        files: &[(usize, &[u8])],
        written: &mut BTreeMap<usize, Vec<u8>>,
    ) -> Result<Vec<&Path>, RunError> {
        let mut changed = Vec::new();
        for &(file, text) in files {
            if written.get(&file).is_some_and(|known| known == text) {
                continue;
            }
            let path = self.paths[file].as_path();
            let dressed = self.runtime.dress(&self.inserter.target.files[file], text);
            put(&self.bench.workspace, path, &dressed)?;
            written.insert(file, text.to_vec());
            changed.push(path);
        }
        Ok(changed)
    }

    fn build_once(&self, changed: &[&Path]) -> Result<Built, RunError> {
        let check = self.inserter.def.file.switch.check.as_deref();
        let (project, env) = (self.bench.project, &self.bench.env);
        project.build_or_check(self.bench.tree(), changed, check, env, project.config.build.timeout)
    }
}
