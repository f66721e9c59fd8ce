//! Do verdicts hold in the original project?
//!
//! In: a kill matrix, and how many verdicts of each fate are tried. Out: per verdict, what the project's own build and
//! test commands say about the same edit in a copy. A run that disagrees is repeated once in a fresh copy, with nothing
//! else running; only what disagrees twice counts as a disagreement.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::control::Events;
use crate::control::Phase;
use crate::control::share_turns;
use crate::engine::ChangedFile;
use crate::engine::Plain;
use crate::engine::PlainRun;
use crate::engine::PlainVerdict;
use crate::engine::PlainWorker;
use crate::engine::Project;
use crate::engine::TestError;
use crate::insert::Sampler;
use crate::insert::TextEdit;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::runner::RunError;

/// How many verdicts are tried, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditChoice {
    /// Verdicts of each fate.
    pub count: usize,
    pub seed: u32,
}

/// A verdict that was tried again.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    /// Its number in the matrix.
    pub mutant: u32,
    pub id: String,
    pub fate: Fate,
    /// The fate that the original project should confirm: for a duplicate, that of the other mutant.
    pub claimed: Fate,
    pub plain: PlainRun,
    /// Whether the first run disagreed.
    pub repeated: bool,
}

/// All verdicts that were tried again.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditResult {
    pub choice: AuditChoice,
    /// In the order of fates and mutants.
    pub audited: Vec<Audited>,
}

/// Inputs of an audit.
pub struct AuditRequest<'a> {
    pub project: &'a Project<'a>,
    pub matrix: &'a KillMatrix,
    pub choice: AuditChoice,
    /// A command that says whether a file is code, where nothing is built.
    pub check: Option<&'a str>,
    pub jobs: usize,
}

impl Audited {
    /// Whether the original project confirms the verdict.
    pub fn agrees(&self) -> bool {
        confirms(self.claimed, self.plain.verdict)
    }
}

impl AuditResult {
    /// Verdicts that the original project does not confirm.
    pub fn disagreements(&self) -> impl Iterator<Item = &Audited> {
        self.audited.iter().filter(|audited| !audited.agrees())
    }
}

impl AuditRequest<'_> {
    /// Tries verdicts again.
    pub fn run(&self, events: &Events) -> Result<AuditResult, TestError> {
        events.enter(Phase::Auditing);
        let chosen = self.chosen();
        if chosen.is_empty() {
            return Ok(AuditResult { choice: self.choice, audited: vec![] });
        }
        let plain = Plain::set_up(self.project, self.check, &self.matrix.tests)?;
        let tried: Mutex<Vec<Option<Audited>>> = Mutex::new(vec![None; chosen.len()]);
        let work = |worker: &mut PlainWorker, turn: usize| -> Result<(), RunError> {
            let audited = self.audit(chosen[turn], |change| plain.run(change, worker))?;
            let mut tried = tried.lock().expect("the lock is not poisoned");
            tried[turn] = Some(audited);
            let done = tried.iter().flatten().count();
            events.at(Phase::Auditing, format!("{done} of {}", chosen.len()));
            Ok(())
        };
        let done =
            share_turns(self.jobs, chosen.len(), self.project.progress, |at| Ok(PlainWorker::new(at)), work);
        let audited = tried.into_inner().expect("the lock is not poisoned");
        let mut audited: Vec<Audited> = audited.into_iter().flatten().collect();
        let done = done.and_then(|()| self.repeat(&plain, &mut audited, events));
        self.project.remove_plain_targets(self.jobs);
        done?;
        Ok(AuditResult { choice: self.choice, audited })
    }

    /// Tries what disagrees once more, one by one.
    fn repeat(&self, plain: &Plain, audited: &mut [Audited], events: &Events) -> Result<(), RunError> {
        for one in audited.iter_mut().filter(|one| !one.agrees()) {
            events.at(Phase::Auditing, format!("{} again", one.id));
            let again = self.audit((one.mutant, one.claimed), |change| plain.run_fresh(change, 0))?;
            *one = Audited { repeated: true, ..again };
        }
        Ok(())
    }

    /// Mutants that are tried, with the fate that should be confirmed: some of each fate.
    fn chosen(&self) -> Vec<(u32, Fate)> {
        let mut chosen = Vec::new();
        for fate in Fate::ALL.into_iter().filter(|fate| *fate != Fate::Untested) {
            let of_fate = (0..self.matrix.mutants.len()).filter(|mutant| self.matrix.fate(*mutant) == fate);
            let all: Vec<(u32, Fate)> =
                of_fate.filter_map(|mutant| Some((mutant as u32, self.claimed(mutant)?))).collect();
            let mut drawn = Sampler::new(self.choice.seed).choose(self.choice.count, all.len());
            drawn.sort_unstable();
            chosen.extend(drawn.into_iter().map(|place| all[place]));
        }
        chosen
    }

    /// What the original project should confirm of a mutant. A duplicate should meet the fate of the other mutant,
    /// which its log names last; none if that is not known.
    fn claimed(&self, mutant: usize) -> Option<Fate> {
        let outcome = self.matrix.outcome(mutant)?;
        if outcome.fate != Fate::Duplicate {
            return Some(outcome.fate);
        }
        let other = outcome.log.split_whitespace().next_back()?;
        let other = self.matrix.mutants.iter().position(|row| row.id == other)?;
        Some(self.matrix.fate(other)).filter(|fate| !matches!(fate, Fate::Untested | Fate::Duplicate))
    }

    /// Applies a mutant as its diff shows it, and tries it.
    fn audit(
        &self,
        (mutant, claimed): (u32, Fate),
        run: impl FnOnce(&ChangedFile) -> Result<PlainRun, RunError>,
    ) -> Result<Audited, RunError> {
        let row = &self.matrix.mutants[mutant as usize];
        let path = self.project.root.join(&row.file);
        let original = fs::read(&path).map_err(RunError::io(path.display().to_string()))?;
        let edit = TextEdit { start: row.start as usize, end: row.end as usize, text: row.text.clone() };
        if edit.end > original.len() {
            return Err(RunError::Broken(format!(
                "{} has changed since the run; run again without --resume",
                row.file
            )));
        }
        let change = ChangedFile { path: PathBuf::from(&row.file), original: &original, edits: vec![edit] };
        let plain = run(&change)?;
        let (id, fate) = (row.id.clone(), self.matrix.fate(mutant as usize));
        Ok(Audited { mutant, id, fate, claimed, plain, repeated: false })
    }
}

/// Whether a plain verdict confirms a fate. A test that fails and one that does not end are both noticed.
fn confirms(claimed: Fate, plain: PlainVerdict) -> bool {
    match claimed {
        Fate::Killed | Fate::TimeOut => matches!(plain, PlainVerdict::Failed | PlainVerdict::TimedOut),
        Fate::Survived | Fate::NotCovered | Fate::Equivalent => plain == PlainVerdict::Passed,
        Fate::Unviable => plain == PlainVerdict::Unviable,
        Fate::Duplicate | Fate::Untested => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noticed_is_noticed_however_and_what_does_not_build_is_neither() {
        for fate in [Fate::Killed, Fate::TimeOut] {
            assert!(confirms(fate, PlainVerdict::Failed) && confirms(fate, PlainVerdict::TimedOut));
            assert!(!confirms(fate, PlainVerdict::Passed) && !confirms(fate, PlainVerdict::Unviable));
        }
        for fate in [Fate::Survived, Fate::NotCovered, Fate::Equivalent] {
            assert!(confirms(fate, PlainVerdict::Passed) && !confirms(fate, PlainVerdict::Failed));
        }
        assert!(confirms(Fate::Unviable, PlainVerdict::Unviable));
        assert!(!confirms(Fate::Unviable, PlainVerdict::Failed));
    }
}
