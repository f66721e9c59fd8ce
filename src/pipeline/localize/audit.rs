//! Do repaired and broken tests hold in the original project?
//!
//! In: a kill matrix of a project in which tests fail, and how many mutants are tried. Out: per mutant, which of the
//! tests that it repaired or broke say the same in a fresh copy with its edit, built by the project's own command. A
//! mutant that disagrees is tried once more, with nothing else running; only what disagrees twice counts.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::analysis::Changes;
use crate::analysis::localize::sides;
use crate::control::Events;
use crate::control::Phase;
use crate::control::share_turns;
use crate::engine::ChangedFile;
use crate::engine::PlainTests;
use crate::engine::Project;
use crate::engine::TestError;
use crate::insert::Sampler;
use crate::insert::TextEdit;
use crate::matrix::KillMatrix;
use crate::runner::RunError;

use super::super::test::AuditChoice;

/// Tests of each kind that run on a mutant.
const MOST_TESTS: usize = 20;

/// A mutant that was tried again.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditedEffect {
    /// Its number in the matrix.
    pub mutant: usize,
    /// Whether the original project builds with it.
    pub builds: bool,
    pub repaired: AuditedTests,
    pub broken: AuditedTests,
    /// Whether the first try disagreed.
    pub repeated: bool,
}

/// Tests that changed with a mutant here, and whether they do in the original project.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditedTests {
    pub tried: usize,
    /// The names of those that say something else there.
    pub otherwise: Vec<String>,
}

/// Inputs of an audit.
pub struct EffectAudit<'a> {
    pub project: &'a Project<'a>,
    pub matrix: &'a KillMatrix,
    /// How many mutants that repair a test are tried, and as many of those that only break some.
    pub choice: AuditChoice,
    /// A command that says whether a file is code, where nothing is built.
    pub check: Option<&'a str>,
    pub jobs: usize,
}

impl AuditedEffect {
    /// Whether all tests say the same.
    pub fn agrees(&self) -> bool {
        self.repaired.otherwise.is_empty() && self.broken.otherwise.is_empty()
    }
}

impl EffectAudit<'_> {
    /// Tries mutants again.
    pub fn run(&self, events: &Events) -> Result<Vec<AuditedEffect>, TestError> {
        events.enter(Phase::Auditing);
        let chosen = self.chosen();
        if chosen.is_empty() {
            return Ok(vec![]);
        }
        let plain = PlainTests::set_up(self.project, self.check)?;
        let tried: Mutex<Vec<Option<AuditedEffect>>> = Mutex::new(vec![None; chosen.len()]);
        let work = |worker: &mut usize, turn: usize| -> Result<(), RunError> {
            let audited = self.audit(&plain, &chosen[turn], *worker)?;
            let mut tried = tried.lock().expect("the lock is not poisoned");
            tried[turn] = Some(audited);
            let done = tried.iter().flatten().count();
            events.at(Phase::Auditing, format!("{done} of {}", chosen.len()));
            Ok(())
        };
        let done = share_turns(self.jobs, chosen.len(), self.project.progress, Ok, work);
        let audited = tried.into_inner().expect("the lock is not poisoned");
        let mut audited: Vec<AuditedEffect> = audited.into_iter().flatten().collect();
        let done = done.and_then(|()| self.repeat(&plain, &chosen, &mut audited));
        self.project.remove_plain_targets(self.jobs);
        done?;
        Ok(audited)
    }

    fn repeat(
        &self,
        plain: &PlainTests,
        chosen: &[(usize, Changes)],
        audited: &mut [AuditedEffect],
    ) -> Result<(), RunError> {
        for (one, chosen) in audited.iter_mut().zip(chosen).filter(|(one, _)| !one.agrees()) {
            *one = AuditedEffect { repeated: true, ..self.audit(plain, chosen, 0)? };
        }
        Ok(())
    }

    /// Mutants that are tried, and what they change: some that repair, and some that only break.
    fn chosen(&self) -> Vec<(usize, Changes)> {
        let (failing, passing) = sides(self.matrix);
        let changes = |mutant| Changes::of(self.matrix, mutant, &failing, &passing);
        let all = (0..self.matrix.mutants.len()).map(|mutant| (mutant, changes(mutant)));
        let flipping = all.filter(|(_, changes)| changes.flips());
        let (repairing, breaking): (Vec<_>, Vec<_>) =
            flipping.partition(|(_, changes)| !changes.repaired.is_empty());
        let mut chosen = Vec::new();
        for mut kind in [repairing, breaking] {
            let mut drawn = Sampler::new(self.choice.seed).choose(self.choice.count, kind.len());
            drawn.sort_unstable();
            chosen.extend(drawn.into_iter().map(|at| std::mem::take(&mut kind[at])));
        }
        chosen
    }

    /// Applies a mutant as its diff, and runs the tests that it changes.
    fn audit(
        &self,
        plain: &PlainTests,
        (mutant, changes): &(usize, Changes),
        worker: usize,
    ) -> Result<AuditedEffect, RunError> {
        let row = &self.matrix.mutants[*mutant];
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
        let (repaired, broken) = (self.names(&changes.repaired), self.names(&changes.broken));
        let said =
            plain.run(std::slice::from_ref(&change), &[&repaired[..], &broken[..]].concat(), worker)?;
        let builds = said.is_some();
        let said = said.unwrap_or_default();
        let passes = |name: &str| said.get(name).is_some_and(|verdict| !verdict.is_kill());
        let fails = |name: &str| said.get(name).is_none_or(|verdict| verdict.is_kill()) && builds;
        let known = |name: &str, verdict| plain.unchanged(name).is_some_and(|said| said.is_kill() == verdict);
        Ok(AuditedEffect {
            mutant: *mutant,
            builds,
            repaired: AuditedTests::new(&repaired, |name| known(name, true) && passes(name)),
            broken: AuditedTests::new(&broken, |name| known(name, false) && fails(name)),
            repeated: false,
        })
    }

    /// The names of the first tests of a set.
    fn names(&self, tests: &RoaringBitmap) -> Vec<&str> {
        let names = tests.iter().map(|test| self.matrix.tests[test as usize].name.as_str());
        names.take(MOST_TESTS).collect()
    }
}

impl AuditedTests {
    fn new(names: &[&str], holds: impl Fn(&str) -> bool) -> Self {
        let otherwise = names.iter().filter(|name| !holds(name)).map(|name| (*name).to_owned()).collect();
        Self { tried: names.len(), otherwise }
    }
}
