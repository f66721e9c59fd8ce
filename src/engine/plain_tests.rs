//! Tests of the original project, one by one.
//!
//! In: edits of a file, and names of tests. Out: what each of these tests says in a fresh copy that the project's own
//! command built, without a meta-program or a runtime.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::exec::Ended;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::insert::apply_all;
use crate::runner::RunError;
use crate::runner::Said;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::error::TestError;
use super::project::Project;
use super::project::put;
use super::scenario::ChangedFile;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::Until;
use super::scenario::Variant;
use super::switched::ask;

/// What every run of tests gets in addition to its limit: a machine may be busy.
pub const SLACK: Duration = Duration::from_secs(5);

/// A copy that was built, and what the build said.
pub struct PlainBuild<'a> {
    pub project: &'a Project<'a>,
    pub tree: &'a Path,
    pub said: &'a [u8],
    pub env: &'a [(String, String)],
}

/// A project whose tests run by name.
pub struct PlainTests<'a> {
    project: &'a Project<'a>,
    /// A command that says whether a file is code, where nothing is built.
    check: Option<&'a str>,
    baseline: Baseline,
}

impl PlainBuild<'_> {
    /// The tests of the unchanged project.
    pub fn baseline(&self) -> Result<Baseline, RunError> {
        let Self { project, tree, said, env } = self;
        let mut runner = project.runner(tree, tree, said, env, 1, None)?;
        let mut baseline = Baseline::run(&mut *runner, project.config, project.progress)?;
        baseline.expected = runner.expected();
        baseline.limits.floor += SLACK;
        Ok(baseline)
    }

    /// What tests say, by their numbers in the baseline.
    pub fn ask(&self, baseline: &Baseline, tests: &[u32]) -> Result<Vec<Said>, RunError> {
        let Self { project, tree, said, env } = self;
        let runner = project.runner(tree, tree, said, env, 1, Some(&baseline.names()))?;
        let mut runner = baseline.align(runner);
        let (variant, limits) = (Variant::Nothing, &baseline.limits);
        let scenario = Scenario { variant, tests, limits, until: Until::All, reach: false };
        match ask(&mut *runner, &scenario, "", project.progress)? {
            Run::Tested(ran) => Ok(ran.said),
            _ => Ok(vec![]),
        }
    }
}

impl<'a> PlainTests<'a> {
    /// Builds the unchanged project and runs its tests.
    pub fn set_up(project: &'a Project<'a>, check: Option<&'a str>) -> Result<Self, TestError> {
        let copy = project.copy()?;
        let env = project.plain_env(copy.path(), 0)?;
        let built = project.build(copy.path(), &env)?;
        if !built.fine {
            let said = built.last_lines();
            return Err(TestError::Baseline(format!("the original project does not build:\n{said}")));
        }
        let build = PlainBuild { project, tree: copy.path(), said: &built.said, env: &env };
        Ok(Self { project, check, baseline: build.baseline()? })
    }

    /// What a test says of the unchanged project; none if it is not there, or says now this and now that.
    pub fn unchanged(&self, name: &str) -> Option<Verdict> {
        let test = self.number(name)?;
        Some(self.baseline.tests[test as usize].verdict)
    }

    /// The tests of a project as they were seen before.
    pub fn known(project: &'a Project<'a>, check: Option<&'a str>, baseline: &Baseline) -> Self {
        let mut baseline = baseline.clone();
        baseline.limits.floor += SLACK;
        Self { project, check, baseline }
    }

    /// Edits files in a fresh copy, builds, and runs these tests; none if it does not build. Tests that are not there
    /// say nothing. `worker` keeps apart what must not be shared.
    pub fn run(
        &self,
        changes: &[ChangedFile],
        names: &[&str],
        worker: usize,
    ) -> Result<Option<BTreeMap<String, Verdict>>, RunError> {
        self.changed(changes, worker)?.map(|copy| copy.ask(names)).transpose()
    }

    /// A fresh copy with files edited, built; none if it does not build.
    pub fn changed(
        &self,
        changes: &[ChangedFile],
        worker: usize,
    ) -> Result<Option<ChangedCopy<'_>>, RunError> {
        let copy: Workspace = self.project.copy()?;
        let env = self.project.plain_env(copy.path(), worker)?;
        for change in changes {
            put(&copy, &change.path, &apply_all(change.original, &change.edits))?;
        }
        let paths: Vec<&Path> = changes.iter().map(|change| change.path.as_path()).collect();
        let limit = self.project.mutant_build_limit();
        let built = self.project.build_or_check(copy.path(), &paths, self.check, &env, limit);
        match built {
            Ok(built) if built.fine => Ok(Some(ChangedCopy { tests: self, copy, env, said: built.said })),
            Ok(_) | Err(RunError::Broken(_) | RunError::Late(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn number(&self, name: &str) -> Option<u32> {
        let tests = self.baseline.heard().into_iter();
        tests.into_iter().find(|test| self.baseline.tests[*test as usize].name == name)
    }
}

/// A copy with files edited, built.
pub struct ChangedCopy<'a> {
    tests: &'a PlainTests<'a>,
    copy: Workspace,
    env: Vec<(String, String)>,
    said: Vec<u8>,
}

impl ChangedCopy<'_> {
    /// What these tests say.
    pub fn ask(&self, names: &[&str]) -> Result<BTreeMap<String, Verdict>, RunError> {
        let PlainTests { project, baseline, .. } = self.tests;
        let tests: Vec<u32> = names.iter().filter_map(|name| self.tests.number(name)).collect();
        let build = PlainBuild { project, tree: self.copy.path(), said: &self.said, env: &self.env };
        let said = build.ask(baseline, &tests)?;
        let name = |test: u32| baseline.tests[test as usize].name.clone();
        Ok(said.into_iter().map(|said| (name(said.test), said.verdict)).collect())
    }

    /// Whether a command succeeds in it, within the time that a build may take.
    pub fn succeeds(&self, line: &str) -> Result<bool, RunError> {
        let project = self.tests.project;
        let sandbox = project.plain_sandbox(self.copy.path(), &self.env)?;
        let spec = Spec::shell(line, self.copy.path()).envs(&self.env).time(project.config.build.timeout);
        let seen = spec.sandboxed(&sandbox).stopped_by(project.progress).run().map_err(RunError::io(line))?;
        if seen.ended == Ended::Stopped { Err(RunError::Stopped) } else { Ok(seen.is_success()) }
    }
}
