//! One build per mutant: for what cannot be switched, in copies of the tree, one per worker.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use roaring::RoaringBitmap;

use crate::exec::Verdict;
use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::Request;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::order::TestOrder;
use super::project::Project;
use super::project::put;
use super::switched::fate;

/// A mutant to be built: its number, and what it changes.
pub struct ClassicTask<'a> {
    pub mutant: u32,
    pub files: Vec<ChangedFile<'a>>,
}

/// A file inside of the tree, its text, and how that is changed.
pub struct ChangedFile<'a> {
    pub path: PathBuf,
    pub original: &'a [u8],
    /// In order; they do not touch each other.
    pub edits: Vec<TextEdit>,
}

/// How mutants are built and run.
pub struct Classic<'a> {
    pub project: &'a Project<'a>,
    pub baseline: &'a Baseline,
    /// Tests that fail in the unchanged program.
    pub failing: RoaringBitmap,
    /// Whether the others are asked even if a mutant mends nothing.
    pub thorough: bool,
    pub full: bool,
    pub jobs: usize,
    pub env: &'a [(String, String)],
    /// Says whether a file is code, where nothing is built.
    pub check: Option<&'a str>,
}

impl Classic<'_> {
    /// Builds and runs all of them; `done` hears of each outcome.
    pub fn run(
        &self,
        tasks: &[ClassicTask],
        done: &(dyn Fn(u32, &Outcome) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let next = AtomicUsize::new(0);
        let order = Mutex::new(TestOrder::new(self.baseline));
        let worker = |number: usize| -> Result<(), RunError> {
            let workspace = self.project.copy()?;
            let env = self.project.env(self.env, number + 1);
            // What does not depend on the mutant is built once.
            self.project.build(workspace.path(), &env)?;
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(turn) else { return Ok(()) };
                if self.project.progress.stopped() {
                    return Err(RunError::Stopped);
                }
                let outcome = self.one(&workspace, &env, task, &order)?;
                done(task.mutant, &outcome)?;
            }
        };
        std::thread::scope(|scope| {
            let count = self.jobs.clamp(1, tasks.len().max(1));
            let worker = &worker;
            let workers: Vec<_> = (0..count).map(|number| scope.spawn(move || worker(number))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    fn one(
        &self,
        workspace: &Workspace,
        env: &[(String, String)],
        task: &ClassicTask,
        order: &Mutex<TestOrder>,
    ) -> Result<Outcome, RunError> {
        for file in &task.files {
            put(workspace, &file.path, &apply_all(file.original, &file.edits))?;
        }
        let built = match self.check {
            Some(line) if !self.project.builds() => {
                let paths: Vec<&Path> = task.files.iter().map(|file| file.path.as_path()).collect();
                self.project.check(workspace.path(), &paths, line, env)
            }
            _ => self.project.build(workspace.path(), env),
        };
        let outcome = match built {
            Ok(built) if built.fine => self.test(workspace, env, &built.said, order),
            Ok(built) => {
                let mut outcome = Outcome::new(Fate::Unviable);
                outcome.log = first_error(&built.said);
                Ok(outcome)
            }
            Err(RunError::Broken(why)) => {
                let mut outcome = Outcome::new(Fate::Unviable);
                outcome.log = why;
                Ok(outcome)
            }
            Err(error) => Err(error),
        };
        for file in &task.files {
            put(workspace, &file.path, file.original)?;
        }
        outcome
    }

    fn test(
        &self,
        workspace: &Workspace,
        env: &[(String, String)],
        said: &[u8],
        order: &Mutex<TestOrder>,
    ) -> Result<Outcome, RunError> {
        let tree = workspace.path();
        let mut outcome = Outcome::new(Fate::Survived);
        let trusted = self.baseline.trusted();
        outcome.covered = trusted.iter().copied().chain(&self.failing).collect();
        let mut runner = match self.project.runner(tree, tree, said, env, 1, Some(&self.baseline.names())) {
            Ok(runner) => self.baseline.align(runner),
            // Tests that cannot even be listed any more notice something.
            Err(RunError::Broken(why)) => {
                outcome.note(trusted.first().copied().unwrap_or(0), Verdict::Crash);
                outcome.log = why;
                outcome.fate = Fate::Killed;
                return Ok(outcome);
            }
            Err(error) => return Err(error),
        };
        if !self.failing.is_empty() {
            let failing: Vec<u32> = self.failing.iter().collect();
            self.judge(&mut *runner, &failing, true, &mut outcome)?;
            if !self.thorough && (&self.failing - &outcome.kills()).is_empty() {
                return Ok(outcome);
            }
        }
        let mut wanted = trusted;
        order.lock().expect("no worker panics with the lock").sort(&mut wanted);
        self.judge(&mut *runner, &wanted, self.full, &mut outcome)?;
        outcome.fate = fate(&outcome, &self.failing);
        order.lock().expect("no worker panics with the lock").learn(&outcome);
        Ok(outcome)
    }

    fn judge(
        &self,
        runner: &mut dyn Runner,
        wanted: &[u32],
        full: bool,
        outcome: &mut Outcome,
    ) -> Result<(), RunError> {
        let limits = |test| self.baseline.limit(test);
        let request = Request {
            on: "",
            tests: wanted,
            limits: &limits,
            floor: self.baseline.floor,
            work: self.baseline.work,
            first_kill: !full,
            reach: false,
            thrifty: false,
            progress: self.project.progress,
        };
        for said in runner.run(&request)?.said {
            if !wanted.contains(&said.test) {
                continue;
            }
            outcome.note(said.test, said.verdict);
            outcome.millis += said.millis;
            if said.verdict.is_kill() && outcome.log.is_empty() {
                outcome.log = said.message;
            }
        }
        Ok(())
    }
}

/// The first line that speaks of an error.
fn first_error(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let line = text.lines().find(|line| line.contains("error") && !line.starts_with('{'));
    line.or_else(|| text.lines().last()).unwrap_or("").trim().to_owned()
}
