//! The engine that builds: every variant is edited into a copy of the tree, which is then built and tested.
//!
//! A variant stays in the copy until another one is requested, so running it again needs no build.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::built::Built;
use super::built::rendered;
use super::guard::Guard;
use super::project::Project;
use super::project::put;
use super::scenario::ChangedFile;
use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::Variant;
use super::screen::Complaints;
use super::switched::ask;
use super::targets::share_dependencies;
use super::waves::Engines;

/// What all workers of the classic engine share.
pub struct Classic<'a> {
    pub project: &'a Project<'a>,
    pub baseline: &'a Baseline,
    /// The environment that the runtime asks for, without what belongs to a worker.
    pub env: &'a [(String, String)],
    /// The same for a project whose own options refuse it even unchanged: warnings are not heard.
    pub silent: &'a [(String, String)],
    /// Finds warnings that are errors in the project's own build.
    pub complaints: &'a Complaints,
    /// A command that says whether a file is code, where nothing is built.
    pub check: Option<&'a str>,
    /// What a mutant changes, by its number.
    pub edits: &'a (dyn Fn(u32) -> ChangedFile<'a> + Sync),
}

/// One worker with a copy of its own, which is made when it is first needed.
struct ClassicWorker<'a> {
    shared: &'a Classic<'a>,
    number: usize,
    env: Vec<(String, String)>,
    copy: Option<Workspace>,
    /// How many such warnings the unchanged project draws.
    refused: usize,
    /// Of the copy, as it is without a variant.
    guard: Option<Guard>,
    present: Option<Present>,
}

/// A variant that is in the copy.
struct Present {
    files: Vec<EditedFile>,
    state: State,
}

/// The result of building a variant.
enum State {
    Unviable(String),
    Unrunnable(String),
    Ready(Box<dyn Runner>),
}

/// A file as a variant wants it.
#[derive(PartialEq)]
struct EditedFile {
    path: PathBuf,
    original: Vec<u8>,
    edits: Vec<TextEdit>,
}

impl<'a> Classic<'a> {
    /// This many workers side by side.
    pub fn engines(&'a self, workers: usize) -> Engines<'a> {
        let worker = |number| Box::new(self.worker(number)) as Box<dyn Engine>;
        Engines::new((0..workers).map(worker).collect(), self.project.progress)
    }

    fn worker(&'a self, number: usize) -> ClassicWorker<'a> {
        let env = self.project.env(self.env, number + 1);
        ClassicWorker { shared: self, number, env, copy: None, refused: 0, guard: None, present: None }
    }

    fn files(&self, variant: &Variant) -> Vec<EditedFile> {
        match variant {
            Variant::Nothing => vec![],
            Variant::Mutants(mutants) => merged(mutants.iter().map(|mutant| (self.edits)(*mutant))),
            Variant::Edits(files) => merged(files.iter().cloned()),
        }
    }
}

/// The changes of each file put together, in the order of their places.
fn merged<'f>(files: impl Iterator<Item = ChangedFile<'f>>) -> Vec<EditedFile> {
    let mut by_path: BTreeMap<PathBuf, EditedFile> = BTreeMap::new();
    for ChangedFile { path, original, edits } in files {
        let new = || EditedFile { path: path.clone(), original: original.to_vec(), edits: vec![] };
        let file = by_path.entry(path.clone()).or_insert_with(new);
        file.edits.extend(edits);
        file.edits.sort_by_key(|edit| (edit.start, edit.end));
    }
    by_path.into_values().collect()
}

impl ClassicWorker<'_> {
    /// Makes the copy, and builds once what does not depend on a variant.
    fn copy(&mut self) -> Result<&Workspace, RunError> {
        if self.copy.is_none() {
            let copy = self.shared.project.copy()?;
            let cache = &self.shared.project.cache;
            share_dependencies(cache, self.number + 1).map_err(RunError::io(cache.display().to_string()))?;
            let built = self.build_unchanged(copy.path())?;
            self.run_unchanged(copy.path(), &built.said)?;
            self.refused = self.shared.complaints.refused(&built.said).len();
            self.guard = Some(Guard::of_tree(copy.path(), &self.shared.baseline.written)?);
            self.copy = Some(copy);
        }
        Ok(self.copy.as_ref().expect("it was just made"))
    }

    /// Builds without a variant, and without warnings if the project calls its own ones errors.
    fn build_unchanged(&mut self, tree: &Path) -> Result<Built, RunError> {
        let (shared, project) = (self.shared, self.shared.project);
        let built = project.build(tree, &self.env)?;
        if built.fine || shared.silent == shared.env {
            return Ok(built);
        }
        self.env = project.env(shared.silent, self.number + 1);
        project.build(tree, &self.env)
    }

    /// Runs the tests once if they write into the tree, so that what they leave there is not made for every variant.
    fn run_unchanged(&self, tree: &Path, said: &[u8]) -> Result<(), RunError> {
        let (project, baseline) = (self.shared.project, self.shared.baseline);
        if baseline.written.is_empty() {
            return Ok(());
        }
        let (names, tests) = (baseline.names(), baseline.trusted());
        let mut runner = baseline.align(project.runner(tree, tree, said, &self.env, 1, Some(&names))?);
        let scenario = Scenario::unchanged(&tests, &baseline.limits);
        ask(&mut *runner, &scenario, "", project.progress).map(drop)
    }

    /// Takes out of the copy what is in it.
    fn restore(&mut self) -> Result<(), RunError> {
        if let (Some(present), Some(copy)) = (self.present.take(), &self.copy) {
            for file in &present.files {
                put(copy, &file.path, &file.original)?;
            }
        }
        Ok(())
    }

    /// Brings a variant into the copy and builds it, unless it is there already.
    fn enter(&mut self, variant: &Variant) -> Result<&mut State, RunError> {
        let files = self.shared.files(variant);
        if self.present.as_ref().is_none_or(|present| present.files != files) {
            self.restore()?;
            let copy = self.copy()?;
            for file in &files {
                put(copy, &file.path, &apply_all(&file.original, &file.edits))?;
            }
            // What was written must be taken back even if the build cannot be started.
            self.present = Some(Present { files, state: State::Unviable(String::new()) });
            let state = self.build()?;
            self.present.as_mut().expect("it was just put there").state = state;
        }
        Ok(&mut self.present.as_mut().expect("it is there").state)
    }

    fn build(&self) -> Result<State, RunError> {
        let (project, baseline) = (self.shared.project, self.shared.baseline);
        let (Some(copy), Some(present)) = (&self.copy, &self.present) else {
            return Ok(State::Unviable(String::new()));
        };
        let tree = copy.path();
        let paths: Vec<&Path> = present.files.iter().map(|file| file.path.as_path()).collect();
        let limit = project.mutant_build_limit();
        let built = match project.build_or_check(tree, &paths, self.shared.check, &self.env, limit) {
            Ok(built) if built.fine => built,
            Err(RunError::Late(why)) => return Ok(State::Unrunnable(why)),
            Ok(built) if built.ran_what_failed() => return Ok(State::Unrunnable(built.last_lines())),
            Ok(built) => return Ok(State::Unviable(first_error(&built.said))),
            Err(RunError::Broken(why)) => return Ok(State::Unviable(why)),
            Err(error) => return Err(error),
        };
        let refused = self.shared.complaints.refused(&built.said);
        if let Some(complaint) = refused.first().filter(|_| refused.len() > self.refused) {
            return Ok(State::Unviable(complaint.message.clone()));
        }
        match project.runner(tree, tree, &built.said, &self.env, 1, Some(&baseline.names())) {
            Ok(runner) => {
                let guard = self.guard.as_ref().expect("it is made with the copy").copied_to(tree);
                let runner = guard.with_programs(&*runner, tree)?.over(runner);
                Ok(State::Ready(baseline.align(Box::new(runner))))
            }
            Err(RunError::Broken(why)) => Ok(State::Unrunnable(why)),
            Err(error) => Err(error),
        }
    }
}

impl Engine for ClassicWorker<'_> {
    fn run(&mut self, scenario: &Scenario) -> Result<Run, RunError> {
        let progress = self.shared.project.progress;
        match self.enter(&scenario.variant)? {
            State::Unviable(why) => Ok(Run::Unviable(why.clone())),
            State::Unrunnable(why) => Ok(Run::Unrunnable(why.clone())),
            State::Ready(runner) => {
                let run = ask(&mut **runner, scenario, "", progress)?;
                // What was restored is as it was without the variant: it must be built again.
                if matches!(&run, Run::Tested(ran) if !ran.note.is_empty()) {
                    self.restore()?;
                }
                Ok(run)
            }
        }
    }

    fn chooses(&self) -> bool {
        self.shared.baseline.chooses
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.restore()
    }
}

/// The first line that mentions an error, else the last.
pub(super) fn first_error(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let error = |line: &str| match line.starts_with('{') {
        true => rendered(line).map(|error| error.lines().next().unwrap_or("").to_owned()),
        false => line.contains("error").then(|| line.to_owned()),
    };
    let line = text.lines().find_map(error).or_else(|| text.lines().last().map(str::to_owned));
    line.unwrap_or_default().trim().to_owned()
}
