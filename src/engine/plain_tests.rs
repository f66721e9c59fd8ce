//! Tests of the plain project, one by one.
//!
//! In: edits of a file, and names of tests. Out: what each of these tests says in a fresh copy that the project's own
//! command built, without a meta-program or a runtime.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

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

/// A project whose tests are asked by their names.
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
            return Err(TestError::Baseline(format!("the plain project does not build:\n{said}")));
        }
        let build = PlainBuild { project, tree: copy.path(), said: &built.said, env: &env };
        Ok(Self { project, check, baseline: build.baseline()? })
    }

    /// What a test says of the unchanged project; none if it is not there, or says now this and now that.
    pub fn unchanged(&self, name: &str) -> Option<Verdict> {
        let test = self.number(name)?;
        Some(self.baseline.tests[test as usize].verdict)
    }

    /// Edits a file in a fresh copy, builds, and asks these tests; none if it does not build. Tests that are not there
    /// say nothing. `worker` keeps apart what must not be shared.
    pub fn run(
        &self,
        change: &ChangedFile,
        names: &[&str],
        worker: usize,
    ) -> Result<Option<BTreeMap<String, Verdict>>, RunError> {
        let copy: Workspace = self.project.copy()?;
        let env = self.project.plain_env(copy.path(), worker)?;
        put(&copy, &change.path, &apply_all(change.original, &change.edits))?;
        let limit = self.project.mutant_build_limit();
        let built = self.project.build_or_check(copy.path(), &[&change.path], self.check, &env, limit);
        let built = match built {
            Ok(built) if built.fine => built,
            Ok(_) | Err(RunError::Broken(_) | RunError::Late(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let tests: Vec<u32> = names.iter().filter_map(|name| self.number(name)).collect();
        let build = PlainBuild { project: self.project, tree: copy.path(), said: &built.said, env: &env };
        let said = build.ask(&self.baseline, &tests)?;
        let name = |test: u32| self.baseline.tests[test as usize].name.clone();
        Ok(Some(said.into_iter().map(|said| (name(said.test), said.verdict)).collect()))
    }

    fn number(&self, name: &str) -> Option<u32> {
        let tests = self.baseline.heard().into_iter();
        tests.into_iter().find(|test| self.baseline.tests[*test as usize].name == name)
    }
}
