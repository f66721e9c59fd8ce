//! Does a project build, what do its tests say, and do they execute its sources, before anything is mutated?

use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::Canary;
use crate::engine::Executed;
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::Workbench;

use super::target::Prepared;
use super::target::TargetRequest;

/// The result of trying a project.
pub enum TriedOut {
    /// It does not build; the last lines that the build printed.
    Broken(String),
    /// Its tests pass, but they do not execute its sources; what the user should know.
    Idle(String),
    Tested(Baseline),
}

/// Builds a project in a copy as `test` would, and runs its tests. If some pass, they must execute code of the sources.
pub fn try_out(project: &Project, events: &Events) -> Result<TriedOut, TestError> {
    let target = match TargetRequest::of_settings(project.root, project.config).run() {
        Ok(target) => target,
        Err(error) => return Ok(TriedOut::Idle(format!("{error}; change `sources` in wildcaught.toml"))),
    };
    events.enter(Phase::TryingBuild);
    let bench = Workbench::set_up(project, &target.def, 1, events)?;
    let (tree, env) = (bench.tree(), &bench.env);
    let built = project.build(tree, env)?;
    if !built.fine {
        return Ok(TriedOut::Broken(built.last_lines()));
    }
    events.enter(Phase::TryingTests);
    let baseline = bench.baseline_of_built(&built.said)?;
    Ok(match idle(project, &target, &baseline, events)? {
        Some(complaint) => TriedOut::Idle(complaint),
        None => TriedOut::Tested(baseline),
    })
}

/// What is wrong if tests that pass do not execute the sources.
fn idle(
    project: &Project,
    target: &Prepared,
    baseline: &Baseline,
    events: &Events,
) -> Result<Option<String>, TestError> {
    if baseline.trusted().is_empty() {
        return Ok(None);
    }
    let (inserter, paths) = (target.inserter(), target.inside(project.root));
    let canary = Canary { project, inserter: &inserter, paths: &paths, events };
    Ok(match canary.check(baseline)? {
        Executed::No(complaint) => Some(complaint),
        Executed::Yes | Executed::Unknown => None,
    })
}
