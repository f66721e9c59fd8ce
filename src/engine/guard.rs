//! What guards the trees of runners, and the programs that they share.

use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;

use crate::runner::Guarded;
use crate::runner::RunError;
use crate::runner::Runner;
use crate::workspace::Pristine;
use crate::workspace::Programs;

/// The guard of a tree.
pub struct Guard {
    tree: Pristine,
    programs: Arc<Mutex<Programs>>,
}

impl Guard {
    /// Keeps a tree as it is now.
    pub fn of_tree(at: &Path, written: &BTreeSet<PathBuf>) -> Result<Self, RunError> {
        let tree = Pristine::keep(at).map_err(RunError::io(format!("a copy of {}", at.display())))?;
        tree.expect(written.iter().cloned());
        Ok(Self { tree, programs: Arc::default() })
    }

    /// Guards the programs of a runner as well, as they are now.
    pub fn with_programs(mut self, runner: &dyn Runner, at: &Path) -> Result<Self, RunError> {
        let programs =
            Programs::outside(at, &runner.programs()).map_err(RunError::io("copies of programs"))?;
        self.programs = Arc::new(Mutex::new(programs));
        Ok(self)
    }

    /// A guard of a copy of the tree.
    pub fn copied_to(&self, copy: &Path) -> Self {
        Self { tree: self.tree.copied_to(copy), programs: self.programs.clone() }
    }

    /// A runner whose tree is guarded.
    pub fn over(self, runner: Box<dyn Runner>) -> Guarded {
        Guarded::new(runner, self.tree, self.programs)
    }
}
