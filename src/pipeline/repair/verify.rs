//! Builds patches from the plain sources and runs the whole suite.

use crate::engine::ChangedFile;
use crate::engine::PlainTests;
use crate::exec::Verdict;
use crate::pipeline::Subject;
use crate::runner::RunError;

use super::patch::Patch;
use super::program::SlotProgram;
use super::result::HeldOut;

/// Verifies patches.
pub struct Verifier<'a> {
    pub subject: &'a Subject<'a>,
    pub program: &'a SlotProgram,
    pub held_out: Option<&'a str>,
}

/// What the original project says of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmed {
    /// It builds and all tests pass; what the held-out command says, if there is one.
    Yes(Option<HeldOut>),
    No,
}

impl Verifier<'_> {
    /// Builds a patch in a fresh copy of the original project and runs all tests.
    pub fn verify(&self, patch: &Patch) -> Result<Confirmed, RunError> {
        let Subject { project, inserter, paths } = *self.subject;
        let file = |(file, edits): (&usize, &Vec<_>)| ChangedFile {
            path: paths[*file].clone(),
            original: &inserter.target.files[*file].text,
            edits: edits.clone(),
        };
        let changes: Vec<ChangedFile> = patch.files.iter().map(file).collect();
        let check = inserter.def.file.switch.check.as_deref();
        let plain = PlainTests::known(project, check, &self.program.baseline);
        let Some(copy) = plain.changed(&changes, 0)? else { return Ok(Confirmed::No) };
        let name = |test: &u32| self.program.baseline.tests[*test as usize].name.as_str();
        let names: Vec<&str> = self.program.failing.iter().chain(&self.program.passing).map(name).collect();
        let said = copy.ask(&names)?;
        let passes = |name: &&str| said.get(*name) == Some(&Verdict::Pass);
        if !names.iter().all(passes) {
            return Ok(Confirmed::No);
        }
        let held_out = self.held_out.map(|line| copy.succeeds(line)).transpose()?;
        Ok(Confirmed::Yes(held_out.map(|passes| if passes { HeldOut::Passes } else { HeldOut::Fails })))
    }
}
