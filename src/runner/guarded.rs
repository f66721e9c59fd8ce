//! A runner whose tree is restored after every run.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;

use crate::exec::Verdict;
use crate::workspace::Pristine;
use crate::workspace::Programs;
use crate::workspace::TreeChanges;

use super::request::OriginalLines;
use super::request::Ran;
use super::request::Request;
use super::request::RunError;
use super::request::Runner;
use super::split::Ending;

/// A runner with its tree and the programs that it shares with others.
pub struct Guarded {
    inner: Box<dyn Runner>,
    tree: Pristine,
    programs: Arc<Mutex<Programs>>,
    /// Whether runs are those of the unchanged program, so that what they change is right.
    learning: bool,
}

impl Guarded {
    /// Guards the tree of a runner.
    pub fn new(inner: Box<dyn Runner>, tree: Pristine, programs: Arc<Mutex<Programs>>) -> Self {
        Self { inner, tree, programs, learning: false }
    }

    /// Takes what runs change as right until [`Runner::settle`].
    pub fn learning(mut self) -> Self {
        self.learning = true;
        self
    }

    /// Puts right what was changed.
    fn restore(&mut self) -> Result<TreeChanges, RunError> {
        let mut changes = match self.learning {
            true => self.tree.adopt().map(|_| TreeChanges::default()),
            false => self.tree.restore(),
        }
        .map_err(RunError::io("a tree to restore"))?;
        let mut programs = self.programs.lock().expect("the lock is not poisoned");
        programs.restore(&mut changes).map_err(RunError::io("a program to restore"))?;
        drop(programs);
        if !changes.is_empty() {
            // A server may have loaded what was written.
            self.inner.renew()?;
        }
        Ok(changes)
    }
}

impl Runner for Guarded {
    fn tests(&self) -> &[String] {
        self.inner.tests()
    }

    fn notes(&self) -> &[String] {
        self.inner.notes()
    }

    fn run(&mut self, request: &Request) -> Result<Ran, RunError> {
        let ran = self.inner.run(request);
        let changes = self.restore()?;
        let mut ran = ran?;
        if !changes.is_empty() {
            ran.note = changes.note();
        }
        Ok(ran)
    }

    fn expected(&self) -> Vec<Option<u64>> {
        self.inner.expected()
    }

    fn expect(&mut self, expected: &[Option<u64>]) {
        self.inner.expect(expected);
    }

    fn restore_lines(&mut self, lines: &OriginalLines) {
        self.inner.restore_lines(lines);
    }

    fn judge(&mut self, test: u32, ending: &Ending) -> Option<Verdict> {
        self.inner.judge(test, ending)
    }

    fn chooses(&self) -> bool {
        self.inner.chooses()
    }

    fn shares_processes(&self) -> bool {
        self.inner.shares_processes()
    }

    fn programs(&self) -> Vec<PathBuf> {
        self.inner.programs()
    }

    fn settle(&mut self) {
        self.learning = false;
    }

    fn renew(&mut self) -> Result<(), RunError> {
        self.restore()?;
        self.inner.renew()
    }
}
