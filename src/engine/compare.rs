//! Mutants that are settled by their compiled code.

use std::path::Path;

use crate::control::Phase;
use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::runner::RunError;

use super::campaign::Campaign;
use super::campaign::TestError;
use super::screen::Complaints;
use super::screen::Ladder;
use super::tce::Bench;
use super::tce::Compared;
use super::tce::Comparison;
use super::tce::Same;

impl Campaign<'_> {
    /// Whether compiled code can be compared.
    pub(super) fn compares(&self) -> bool {
        self.compare && self.inserter.def.file.switch.runtime == "c"
    }

    /// Compares compiled code and notes what is the same; gives the mutants that need not be run.
    pub(super) fn settled(
        &self,
        tree: &Path,
        compiles: &Path,
        ladder: &Ladder,
    ) -> Result<Vec<u32>, TestError> {
        self.events.enter(Phase::ComparingCode);
        let complaints = Complaints::new(&self.inserter.def.file.switch)
            .map_err(|error| RunError::Broken(format!("[switch] of the language definition: {error}")))?;
        let comparison = Comparison {
            inserter: self.inserter,
            ladder,
            paths: &self.paths,
            tree,
            compiles,
            bench: Bench {
                env: &self.project.env(&[], 0),
                limit: self.project.config.build.timeout,
                progress: self.project.progress,
                complaints: &complaints,
            },
            jobs: self.jobs,
        };
        let compared = comparison.run()?;
        self.tell_left(&compared);
        self.note_same(&compared.same)
    }

    fn tell_left(&self, compared: &Compared) {
        if let Some((path, why)) = compared.left.first() {
            let more = match compared.left.len() - 1 {
                0 => String::new(),
                more => format!(", and that of {more} more files"),
            };
            let path = path.display();
            self.events.warn(format!("the compiled code of {path} is not compared: {why}{more}"));
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
            if !self.known[mutant as usize] {
                let mut outcome = Outcome::new(fate);
                outcome.log = log;
                self.store.record(mutant, &outcome)?;
                self.events.count(fate.name());
                settled.push(mutant);
            }
        }
        Ok(settled)
    }
}
