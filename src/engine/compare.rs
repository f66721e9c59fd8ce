//! Mutants whose fate follows from their compiled code.

use crate::control::Phase;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::workspace::Runtime;

use super::campaign::Campaign;
use super::error::TestError;
use super::project::complaints;
use super::screen::Ladder;
use super::tce::Bench;
use super::tce::ComparedCode;
use super::tce::Comparison;
use super::tce::Same;
use super::workbench::Workbench;

impl Campaign<'_> {
    /// Compares compiled code where the runtime recorded how it was compiled, and notes what is the same; gives
    /// the mutants that need not be run. What is the same depends on a file as a whole, so that the fates of mutants
    /// that are known from an earlier run are noted anew.
    pub(super) fn settled(
        &self,
        bench: &Workbench,
        runtime: &Runtime,
        ladder: &Ladder,
    ) -> Result<Vec<u32>, TestError> {
        let Some(compiles) = runtime.compiles().filter(|_| self.compare) else { return Ok(vec![]) };
        self.events.enter(Phase::ComparingCode);
        let env = self.project.env(&[], 0);
        let comparison = Comparison {
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
            jobs: self.jobs,
        };
        let compared = comparison.run()?;
        self.warn_of_uncompared(&compared);
        self.note_same(&compared.same)
    }

    fn warn_of_uncompared(&self, compared: &ComparedCode) {
        if let Some((path, why)) = compared.left.first() {
            let more = match compared.left.len() - 1 {
                0 => String::new(),
                more => format!(", and {more} more files"),
            };
            let path = path.display();
            self.events
                .warn(format!("cannot find equivalent mutants by compiled code in {path}{more}: {why}"));
        }
    }

    fn note_same(&self, same: &[Same]) -> Result<Vec<u32>, TestError> {
        let rows = self.store.mutants()?;
        let mut settled = Vec::new();
        for (mutant, same) in (0u32..).zip(same) {
            let (fate, log) = match same {
                Same::Different => continue,
                Same::Original => (Fate::Equivalent, "compiled to the same code as the original".to_owned()),
                Same::Mutant(first) => {
                    let id = rows.get(*first as usize).map_or("", |row| row.id.as_str());
                    (Fate::Duplicate, format!("compiled to the same code as mutant {id}"))
                }
            };
            let mut outcome = Outcome::new(fate);
            outcome.log = log;
            match self.known[mutant as usize] {
                true => self.store.record(mutant, &outcome)?,
                false => self.done(mutant, &outcome)?,
            }
            settled.push(mutant);
        }
        Ok(settled)
    }
}
