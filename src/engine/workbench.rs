//! A copy of a project in which it is built and tested, with the runtime that switches mutants in place.

use std::path::Path;

use crate::control::Events;
use crate::control::Phase;
use crate::files::TemporaryDirectory;
use crate::langdef::LangDef;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::workspace::Runtime;
use crate::workspace::TreeWatch;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::error::TestError;
use super::guard::Guard;
use super::project::Project;
use super::project::scratch;

/// A copy, and what is needed to build in it.
pub struct Workbench<'a> {
    pub project: &'a Project<'a>,
    pub events: &'a Events,
    pub workspace: Workspace,
    /// None where nothing is known about switching in this language.
    pub runtime: Option<Runtime>,
    /// What the runtime sets in the environment. A meta-program is built without warnings: its guards draw some.
    pub runtime_env: Vec<(String, String)>,
    /// The environment of builds and tests in this copy.
    pub env: Vec<(String, String)>,
    scratch: TemporaryDirectory,
}

/// Runners side by side, each in a copy of its own but the first. The copies live as long as this does.
pub struct Runners {
    pub runners: Vec<Box<dyn Runner>>,
    pub copies: Vec<Workspace>,
}

impl<'a> Workbench<'a> {
    /// Copies a project and installs a runtime with room for this many units.
    pub fn set_up(
        project: &'a Project<'a>,
        def: &LangDef,
        units: usize,
        events: &'a Events,
    ) -> Result<Self, TestError> {
        events.enter(Phase::CopyingProject);
        let workspace = project.copy()?;
        let scratch = scratch()?;
        if def.file.switch.is_given() {
            events.enter(Phase::InstallingRuntime);
        }
        let (tree, outer) = (workspace.path(), &project.outer);
        let (home, kept) = (scratch.path(), &project.cache);
        let runtime = Runtime::install(def, units as u32, home, kept, tree, outer)?;
        let runtime_env = runtime.as_ref().map_or(vec![], |runtime| runtime.env.clone());
        let env = project.env(&runtime_env, 0);
        Ok(Self { project, events, workspace, runtime, runtime_env, env, scratch })
    }

    /// Where the copy is.
    pub fn tree(&self) -> &Path {
        self.workspace.path()
    }

    /// A directory that is gone when the work is done.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Builds and tests the project as it is.
    pub fn baseline(&self) -> Result<Baseline, TestError> {
        let (said, baseline) = self.build_and_test()?;
        let baseline = self.settle(baseline, &said)?;
        baseline.warn(self.events);
        Ok(baseline)
    }

    /// Tests what was built here, without mutants; `said` is what the build said.
    pub fn baseline_of_built(&self, said: &[u8]) -> Result<Baseline, TestError> {
        self.settle(self.test_original(said)?, said)
    }

    /// If tests fail, tests once more whether that is due to the sandbox.
    fn settle(&self, mut baseline: Baseline, said: &[u8]) -> Result<Baseline, TestError> {
        let project = self.project;
        if !baseline.failing(project.config).is_empty() && project.containment.share_temporary(true) {
            baseline = self.test_less_contained(baseline, said)?;
        }
        project.containment.settle();
        project.warn_of_strays(self.events);
        Ok(baseline)
    }

    /// Builds and tests a project that has a fault. Tests that fail are no sign that the sandbox is in their way, so
    /// they are not tried with less of it.
    pub fn baseline_with_fault(&self) -> Result<Baseline, TestError> {
        self.build_and_test().map(|(_, baseline)| baseline)
    }

    /// What the build said, and what the tests did.
    fn build_and_test(&self) -> Result<(Vec<u8>, Baseline), TestError> {
        self.events.enter(Phase::BuildingOriginal);
        let built = self.project.build(self.tree(), &self.env)?;
        if !built.fine {
            let said = built.last_lines();
            return Err(TestError::Baseline(format!("the unchanged project does not build:\n{said}")));
        }
        self.events.enter(Phase::TestingOriginal);
        let baseline = self.test_original(&built.said)?;
        Ok((built.said, baseline))
    }

    fn test_original(&self, said: &[u8]) -> Result<Baseline, TestError> {
        let (project, tree) = (self.project, self.tree());
        let mut runner = project.runner(tree, tree, said, &self.env, 1, None)?;
        runner.notes().iter().for_each(|note| self.events.warn_once(note));
        let mut watch = TreeWatch::over(tree);
        if runner.tests().is_empty() {
            return Err(TestError::Baseline("no tests were found; change [tests] in wildcaught.toml".into()));
        }
        let mut baseline = Baseline::run(&mut *runner, project.config, &self.events.progress)?;
        baseline.expected = runner.expected();
        baseline.written = watch.written().map_err(RunError::io("the tree after its tests"))?;
        Ok(baseline)
    }

    /// Tests the project again where tests may write to what all programs share. If fewer fail, it stays so.
    fn test_less_contained(&self, contained: Baseline, said: &[u8]) -> Result<Baseline, TestError> {
        let (project, config) = (self.project, self.project.config);
        let baseline = self.test_original(said)?;
        let (before, now) = (contained.failing(config).len(), baseline.failing(config).len());
        if now >= before {
            project.containment.share_temporary(false);
            return Ok(contained);
        }
        let fixed = before - now;
        self.events.warn(format!(
            "{fixed} tests need to write to /tmp or /dev/shm, so mutants may write there, too; to allow less, \
             list the directories under write in [sandbox]"
        ));
        Ok(baseline)
    }

    /// Runners for what was built here: the first in this copy, the others in copies of it. `extra` adds to the
    /// environment of each.
    pub fn runners(
        &self,
        jobs: usize,
        said: &[u8],
        baseline: &Baseline,
        extra: impl Fn(usize) -> Vec<(String, String)>,
    ) -> Result<Runners, RunError> {
        let (tree, names) = (self.tree(), baseline.names());
        let units = self.runtime.as_ref().map_or(1, Runtime::units);
        let mut all = Runners { runners: vec![], copies: vec![] };
        let mut guard: Option<Guard> = None;
        for number in 0..jobs.max(1) {
            let copy = if number > 0 { Some(Project::copy_of(tree)?) } else { None };
            let at = copy.as_ref().map_or(tree, Workspace::path);
            let env = [&self.env[..], &extra(number)].concat();
            let runner = self.project.runner(at, tree, said, &env, units, Some(&names))?;
            runner.notes().iter().filter(|_| number == 0).for_each(|note| self.events.warn_once(note));
            let runner = match &guard {
                Some(guard) => guard.copied_to(at).over(runner),
                None => {
                    let first = Guard::of_tree(at, &baseline.written)?.with_programs(&*runner, at)?;
                    guard = Some(first.copied_to(at));
                    first.over(runner).learning()
                }
            };
            all.runners.push(baseline.align(Box::new(runner)));
            all.copies.extend(copy);
        }
        Ok(all)
    }

    /// Runs the tests on what was built here with nothing switched on. Tests that say something else than of the
    /// original are not trusted from then on, and named; if most do, that is an error. `when` completes the
    /// sentence "the test fails …".
    pub fn compare_unchanged(
        &self,
        runner: &mut dyn Runner,
        baseline: &mut Baseline,
        when: &str,
    ) -> Result<Result<(), String>, RunError> {
        let woven = Baseline::run(runner, self.project.config, &self.events.progress)?;
        runner.settle();
        let differing = baseline.differing(&woven);
        if differing.len() * 2 > baseline.tests.len() {
            let (count, all) = (differing.len(), baseline.tests.len());
            let said = woven.messages.iter().find(|said| !said.is_empty());
            let said = said.map_or("", |said| first_line(said));
            return Ok(Err(format!("{count} of {all} tests fail {when} ({said})")));
        }
        baseline.distrust(&differing, &woven, when, self.events);
        baseline.slow_down(&woven, self.project.config);
        Ok(Ok(()))
    }

    /// The directories, for whoever goes on to run what was built in them.
    pub fn into_directories(self) -> (Workspace, TemporaryDirectory) {
        (self.workspace, self.scratch)
    }

    /// Keeps the copy; gives where it is.
    pub fn keep(self) -> std::path::PathBuf {
        self.workspace.keep()
    }
}

/// The first line of a message.
pub(super) fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
