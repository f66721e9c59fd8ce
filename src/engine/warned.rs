//! Mutants that only cause a warning, in projects that treat warnings as errors.

use crate::control::Phase;
use crate::workspace::Runtime;

use super::campaign::Campaign;
use super::error::TestError;
use super::project::complaints;
use super::screen::Ladder;
use super::tce::Bench;
use super::warnings::WarningCheck;
use super::workbench::Workbench;

impl Campaign<'_> {
    /// Takes mutants that the project's own build refuses out of the meta-program; gives them.
    pub(super) fn refuse_warned(
        &self,
        bench: &Workbench,
        runtime: &Runtime,
        ladder: &mut Ladder,
    ) -> Result<Vec<u32>, TestError> {
        let Some(compiles) = runtime.compiles() else { return Ok(vec![]) };
        self.events.enter(Phase::CheckingWarnings);
        let env = self.project.env(&[], 0);
        let check = WarningCheck {
            inserter: self.inserter,
            ladder,
            paths: self.paths,
            tree: bench.tree(),
            compiles,
            bench: Bench {
                env: &env,
                desk: &self.project.desk(&env)?,
                limit: self.project.config.build.timeout,
                progress: self.project.progress,
                complaints: &complaints(self.inserter.def)?,
            },
            known: &self.known,
            jobs: self.jobs,
        };
        let found = check.run()?;
        if found.unchecked > 0 {
            self.events.warn(format!(
                "the project treats warnings as errors, but {} mutants are in files that are not compiled \
                 separately, so their warnings cannot be checked: some of them are tested although the project \
                 would not build with them",
                found.unchecked
            ));
        }
        for (mutant, message) in &found.refused {
            ladder.set_dead(*mutant, message);
        }
        Ok(found.refused.into_iter().map(|(mutant, _)| mutant).collect())
    }
}
