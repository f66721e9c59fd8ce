//! The original project: a fresh copy, one file edited as text, the project's own build and test commands.
//!
//! In: edits of a file. Out: whether the project builds, and whether its tests pass. Nothing of ours takes part: no
//! meta-program, no runtime, no choice of tests, nothing that another run left. Where a project has no command of its
//! own (cases of a program), its tests are started one by one. Where the build tool knows what depends on what, a
//! worker builds the project once, only what the edit changes is built again, and the tree is restored after it.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::exec::Verdict;
use crate::harness::Config;
use crate::insert::apply_all;
use crate::matrix::TestRow;
use crate::runner::RunError;
use crate::runner::fetching_line;
use crate::runner::plain_line;
use crate::runner::read_report;
use crate::workspace::Pristine;
use crate::workspace::Workspace;

use super::baseline::Baseline;
use super::classic::first_error;
use super::error::TestError;
use super::plain_tests::PlainBuild;
use super::plain_tests::SLACK;
use super::project::Project;
use super::project::put;
use super::scenario::ChangedFile;

/// How many bytes of what tests print are read.
const MOST_READ: u64 = 64 << 20;

/// Presets whose build tool notes which files a compiler reads, and so builds again what an edit changes.
const TRACKING: [&str; 2] = ["ctest", "meson"];

/// The outcome of an original project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainVerdict {
    /// It does not build.
    Unviable,
    /// All tests that count pass.
    Passed,
    /// A test fails, or the command that runs them does.
    Failed,
    /// The tests do not end in time.
    TimedOut,
}

/// A verdict, and what was printed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainRun {
    pub verdict: PlainVerdict,
    /// The last lines of what the build or the tests printed; empty if all went well.
    pub message: String,
}

/// A project that is tried with its own commands.
pub struct Plain<'a> {
    project: &'a Project<'a>,
    /// A command that says whether a file is code, where nothing is built.
    check: Option<&'a str>,
    how: How,
    limit: Duration,
}

/// Tries mutants in the original project, one after the other.
pub struct PlainWorker {
    number: usize,
    /// The project as it was built, where that is used again.
    kept: Option<(Workspace, Pristine)>,
}

/// Who says whether tests pass.
enum How {
    /// The exit code of this command.
    Exit(String),
    /// The report of this command, on the tests that pass without a change.
    Report { line: String, passing: BTreeSet<String> },
    /// Tests that are started one by one.
    Each(Box<Baseline>),
}

impl<'a> Plain<'a> {
    /// Builds and tests the unchanged project. `tests` are the tests as they were before: those that fail or are
    /// flaky do not count.
    pub fn set_up(
        project: &'a Project<'a>,
        check: Option<&'a str>,
        tests: &[TestRow],
    ) -> Result<Self, TestError> {
        let copy = project.copy()?;
        let tree = copy.path();
        let env = project.plain_env(tree, 0)?;
        let built = project.build(tree, &env)?;
        if !built.fine {
            let said = built.last_lines();
            return Err(TestError::Baseline(format!("the original project does not build:\n{said}")));
        }
        let names: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
        let mut plain = Self { project, check, how: How::Exit(String::new()), limit: Duration::ZERO };
        let Some(line) = plain_line(project.config, tree, &names)? else {
            let build = PlainBuild { project, tree, said: &built.said, env: &env };
            let mut baseline = build.baseline()?;
            for row in &mut baseline.tests {
                row.flaky |= tests.iter().any(|known| known.name == row.name && !counts(known));
            }
            plain.how = How::Each(Box::new(baseline));
            return Ok(plain);
        };
        let seen = plain.first_run(&line, tree, &env)?;
        plain.limit = seen.took.mul_f64(project.config.limits.factor) + project.config.limits.floor + SLACK;
        plain.how = how(line, project, tests, &seen, tree)?;
        Ok(plain)
    }

    /// Tests the unchanged project. If its command lacks something that can be fetched, it is fetched with the network
    /// of builds, and the tests are run again.
    fn first_run(&self, line: &str, tree: &Path, env: &[(String, String)]) -> Result<Observation, RunError> {
        let limit = self.project.config.limits.baseline;
        let seen = self.observe(line, tree, env, limit)?;
        let Some(fetching) = fetching_line(self.project.config).filter(|_| !seen.is_success()) else {
            return Ok(seen);
        };
        self.observe_in(&self.project.build_sandbox(&[tree], env)?, &fetching, tree, env, limit)?;
        self.observe(line, tree, env, limit)
    }

    /// The command that runs the tests, if there is one.
    pub fn line(&self) -> Option<&str> {
        match &self.how {
            How::Exit(line) | How::Report { line, .. } => Some(line),
            How::Each(_) => None,
        }
    }

    /// Edits a file in a copy, builds and tests.
    pub fn run(&self, change: &ChangedFile, worker: &mut PlainWorker) -> Result<PlainRun, RunError> {
        if !TRACKING.contains(&self.project.config.tests.style.name()) {
            return self.run_fresh(change, worker.number);
        }
        if worker.kept.is_none() {
            worker.kept = self.built_copy(worker.number)?;
        }
        let Some((copy, pristine)) = &mut worker.kept else { return self.run_fresh(change, worker.number) };
        let run = self.run_in(copy, change, worker.number)?;
        pristine.restore().map_err(RunError::io(format!("putting {} right", copy.path().display())))?;
        Ok(run)
    }

    /// Edits a file in a fresh copy, builds all of it and tests. `worker` keeps apart what must not be shared.
    pub fn run_fresh(&self, change: &ChangedFile, worker: usize) -> Result<PlainRun, RunError> {
        self.run_in(&self.project.copy()?, change, worker)
    }

    /// A copy in which the unchanged project is built; none if it does not build there.
    fn built_copy(&self, worker: usize) -> Result<Option<(Workspace, Pristine)>, RunError> {
        let copy = self.project.copy()?;
        let env = self.project.plain_env(copy.path(), worker)?;
        if !self.project.build(copy.path(), &env)?.fine {
            return Ok(None);
        }
        let kept = Pristine::keep(copy.path()).map_err(RunError::io("a copy of what was built"))?;
        Ok(Some((copy, kept)))
    }

    fn run_in(&self, copy: &Workspace, change: &ChangedFile, worker: usize) -> Result<PlainRun, RunError> {
        let mut run = self.tried(copy, change, worker)?;
        // Where the copy was says nothing, and is another place each time.
        run.message = run.message.replace(&copy.path().display().to_string(), ".");
        Ok(run)
    }

    fn tried(&self, copy: &Workspace, change: &ChangedFile, worker: usize) -> Result<PlainRun, RunError> {
        let (tree, env) = (copy.path(), self.project.plain_env(copy.path(), worker)?);
        put(copy, &change.path, &apply_all(change.original, &change.edits))?;
        let limit = self.project.mutant_build_limit();
        let built = self.project.build_or_check(tree, &[&change.path], self.check, &env, limit);
        let built = match built {
            Ok(built) if built.fine => built,
            Err(RunError::Late(why)) => return Ok(PlainRun::new(PlainVerdict::TimedOut, &why)),
            Ok(built) if built.ran_what_failed() => {
                return Ok(PlainRun::new(PlainVerdict::Failed, &built.last_lines()));
            }
            Ok(built) => return Ok(PlainRun::new(PlainVerdict::Unviable, &first_error(&built.said))),
            Err(RunError::Broken(why)) => return Ok(PlainRun::new(PlainVerdict::Unviable, &why)),
            Err(error) => return Err(error),
        };
        match &self.how {
            How::Exit(line) => Ok(by_exit(&self.observe(line, tree, &env, self.limit)?)),
            How::Report { line, passing } => {
                let seen = self.observe(line, tree, &env, self.limit)?;
                Ok(by_report(self.project.config, &seen, tree, passing))
            }
            How::Each(baseline) => {
                let build = PlainBuild { project: self.project, tree, said: &built.said, env: &env };
                self.run_each(&build, baseline)
            }
        }
    }

    fn run_each(&self, build: &PlainBuild, baseline: &Baseline) -> Result<PlainRun, RunError> {
        let said = build.ask(baseline, &baseline.trusted())?;
        let worst = said.iter().max_by_key(|said| said.verdict).filter(|said| said.verdict.is_kill());
        Ok(match worst {
            None => PlainRun::new(PlainVerdict::Passed, ""),
            Some(said) => {
                let name = &baseline.tests[said.test as usize].name;
                let verdict = match said.verdict {
                    Verdict::TimeOut => PlainVerdict::TimedOut,
                    _ => PlainVerdict::Failed,
                };
                PlainRun::new(verdict, &format!("{name}: {}", said.message))
            }
        })
    }

    fn observe(
        &self,
        line: &str,
        tree: &Path,
        env: &[(String, String)],
        limit: Duration,
    ) -> Result<Observation, RunError> {
        // A plain command may build as well as test.
        self.observe_in(&self.project.plain_sandbox(tree, env)?, line, tree, env, limit)
    }

    fn observe_in(
        &self,
        sandbox: &Sandbox,
        line: &str,
        tree: &Path,
        env: &[(String, String)],
        limit: Duration,
    ) -> Result<Observation, RunError> {
        let spec = Spec::shell(line, tree).envs(env).time(limit);
        let spec = spec.keep(MOST_READ).sandboxed(sandbox).stopped_by(self.project.progress);
        let seen = spec.run().map_err(RunError::io(line))?;
        if seen.ended == Ended::Stopped { Err(RunError::Stopped) } else { Ok(seen) }
    }
}

/// Who says whether tests pass: the exit code, where all of the tests count and pass; else the report.
fn how(
    line: String,
    project: &Project,
    tests: &[TestRow],
    seen: &Observation,
    tree: &Path,
) -> Result<How, TestError> {
    let config = project.config;
    let chosen = !config.tests.only.is_empty() || !config.tests.skip.is_empty();
    // A command whose report is in files may exit with 0 whatever its tests say.
    let silent = config.tests.style.report().is_some() && line.contains("ignore");
    if seen.is_success() && !chosen && !silent && tests.iter().all(counts) {
        return Ok(How::Exit(line));
    }
    let reading = read_report(&config.tests.style, &seen.stdout, tree);
    let known: BTreeMap<&str, &TestRow> = tests.iter().map(|test| (test.name.as_str(), test)).collect();
    let wanted = |name: &str| match known.get(name) {
        Some(row) => counts(row),
        // A runner may put the name of a program or package before that of a test.
        None => tests.iter().filter(|test| test.name.ends_with(&format!("::{name}"))).all(counts),
    };
    let passing = reading.seen.iter().filter(|seen| seen.verdict == Verdict::Pass);
    let passing: BTreeSet<String> = passing
        .filter(|seen| wanted(&seen.name) && config.tests.wants(&seen.name))
        .map(|seen| seen.name.clone())
        .collect();
    if passing.is_empty() {
        let said = last_lines(&String::from_utf8_lossy(&seen.stdout));
        let hint = project.containment.hint();
        return Err(TestError::Baseline(format!(
            "--audit: the project's own command fails without any mutant, so verdicts cannot be checked: \
             {line}{hint}\n{said}"
        )));
    }
    Ok(How::Report { line, passing })
}

/// Whether a test runs on mutants.
fn counts(test: &TestRow) -> bool {
    test.verdict == Verdict::Pass && !test.flaky
}

fn by_exit(seen: &Observation) -> PlainRun {
    let verdict = match seen.ended {
        Ended::Code(0) => return PlainRun::new(PlainVerdict::Passed, ""),
        Ended::TimedOut | Ended::Flooded => PlainVerdict::TimedOut,
        _ => PlainVerdict::Failed,
    };
    PlainRun::new(verdict, &String::from_utf8_lossy(&seen.stdout))
}

fn by_report(config: &Config, seen: &Observation, tree: &Path, passing: &BTreeSet<String>) -> PlainRun {
    if seen.ended.is_over_limit() {
        return by_exit(seen);
    }
    let reading = read_report(&config.tests.style, &seen.stdout, tree);
    let now: BTreeMap<&str, Verdict> =
        reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect();
    let fails = passing.iter().find(|name| now.get(name.as_str()) != Some(&Verdict::Pass));
    match fails {
        None => PlainRun::new(PlainVerdict::Passed, ""),
        Some(name) => {
            let said = String::from_utf8_lossy(&seen.stdout);
            PlainRun::new(PlainVerdict::Failed, &format!("{name} does not pass\n{said}"))
        }
    }
}

impl PlainWorker {
    /// A worker; its number keeps apart what must not be shared.
    pub fn new(number: usize) -> Self {
        Self { number, kept: None }
    }
}

impl PlainRun {
    fn new(verdict: PlainVerdict, said: &str) -> Self {
        Self { verdict, message: last_lines(said) }
    }
}

/// The last lines of a text, without empty ones.
fn last_lines(text: &str) -> String {
    const LINES: usize = 8;
    const WIDTH: usize = 300;
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(|line| line.chars().take(WIDTH).collect()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Where cargo builds the original project of a worker: what it depends on is built once.
pub fn plain_target(cache: &Path, worker: usize) -> PathBuf {
    cache.join(format!("plain-{worker}"))
}
