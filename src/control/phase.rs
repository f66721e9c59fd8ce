//! The phases of long work, as a type: what is shown and counted depends on the phase, not on a text.

use std::fmt;

/// What is being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Starting,
    CopyingProject,
    InstallingRuntime,
    BuildingOriginal,
    TestingOriginal,
    BuildingMutants,
    CheckingWarnings,
    ComparingCode,
    TestingSwitchedOff,
    FindingReach,
    TestingMutants,
    TestingAlone,
    BuildingWatched,
    FindingStatements,
    BuildingPoints,
    TestingPoints,
    FindingPoints,
    TestingFirstOrder,
    BuildingEdits,
    TestingEdits,
    Searching,
    Verifying,
    TryingBuild,
    TryingTests,
    Auditing,
    Canary,
    RunningProgram,
    Reducing,
    SearchingWitnesses,
    RunningDeveloperTests,
    Bisecting,
}

impl Phase {
    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::CopyingProject => "copying the project",
            Self::InstallingRuntime => "building the runtime that switches mutants",
            Self::BuildingOriginal => "building the unchanged project",
            Self::TestingOriginal => "testing the unchanged project",
            Self::BuildingMutants => "building all mutants at once",
            Self::CheckingWarnings => "checking warnings that the project treats as errors",
            Self::ComparingCode => "comparing compiled code",
            Self::TestingSwitchedOff => "testing all mutants switched off",
            Self::FindingReach => "measuring which tests reach which mutants",
            Self::TestingMutants => "testing",
            Self::TestingAlone => "testing mutants that must be built one by one",
            Self::BuildingWatched => "building with all statements instrumented",
            Self::FindingStatements => "measuring which tests execute which statements",
            Self::BuildingPoints => "building with exchangeable operators",
            Self::TestingPoints => "testing with no operator exchanged",
            Self::FindingPoints => "measuring which tests reach which points",
            Self::TestingFirstOrder => "testing mutants one by one",
            Self::BuildingEdits => "building all edits at once",
            Self::TestingEdits => "testing with no edit switched on",
            Self::Searching => "searching",
            Self::Verifying => "verifying results: building from the sources",
            Self::TryingBuild => "building the project in a copy",
            Self::TryingTests => "running its tests",
            Self::Auditing => "checking verdicts in the original project",
            Self::Canary => "checking that tests execute the sources",
            Self::RunningProgram => "running the failing program",
            Self::Reducing => "reducing the failing program",
            Self::SearchingWitnesses => "searching for variations that pass",
            Self::RunningDeveloperTests => "running the developers' programs",
            Self::Bisecting => "searching for the first bad commit",
        }
    }

    /// Whether mutants are counted off in this phase, so that a bar can show how many are left.
    pub fn counts_mutants(self) -> bool {
        matches!(self, Self::TestingMutants | Self::TestingAlone)
    }
}

/// A phase, and how far it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    pub phase: Phase,
    /// Empty if there is nothing to add.
    pub detail: String,
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.phase.name())?;
        if !self.detail.is_empty() {
            write!(out, ", {}", self.detail)?;
        }
        Ok(())
    }
}
