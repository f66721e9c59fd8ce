//! Does a project build, and what do its tests say, before anything is mutated?

use crate::control::Events;
use crate::control::Phase;
use crate::engine::Baseline;
use crate::engine::Project;
use crate::runner::RunError;

/// What came of trying a project.
pub enum TriedOut {
    /// It does not build; the last lines that the build printed.
    Broken(String),
    Tested(Baseline),
}

/// Builds a project in a copy and runs its tests.
pub fn try_out(project: &Project, events: &Events) -> Result<TriedOut, RunError> {
    events.enter(Phase::TryingBuild);
    let workspace = project.copy()?;
    let (tree, env) = (workspace.path(), project.env(&[], 0));
    let built = project.build(tree, &env)?;
    if !built.fine {
        return Ok(TriedOut::Broken(built.last_lines()));
    }
    events.enter(Phase::TryingTests);
    let mut runner = project.runner(tree, tree, &built.said, &env, 1, None)?;
    Ok(TriedOut::Tested(Baseline::run(&mut *runner, project.config, &events.progress)?))
}
