//! Asks for the coupling of repositories.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use crate::control::Progress;
use crate::history::FixCollector;
use crate::history::GitOptions;
use crate::history::HistoryError;
use crate::history::SmallFix;
use crate::history::Snapshots;
use crate::history::read_git;
use crate::history::test_files;
use crate::insert::Density;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Rules;
use crate::insert::likeliest_first;
use crate::langdef::LangDef;

use super::column::Column;
use super::fault::Fault;
use super::fault::NoFault;
use super::loss::Loss;
use super::loss::harvest;
use super::result::Attempt;
use super::result::Coupling;
use super::result::FixResult;

/// A repository.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    pub path: PathBuf,
}

/// What counts as a small fix.
#[derive(Clone, Copy, Debug)]
pub struct FixLimits {
    /// Most changed lines on either side.
    pub lines: usize,
    /// Most fixes of a repository, the newest.
    pub most: usize,
    /// Only fixes that change a test file, too.
    pub with_test: bool,
    /// Lines around the changed ones whose mutants count as near.
    pub around: usize,
}

/// Operator sets, and what counts.
pub struct CouplingRequest<'a> {
    pub def: &'a LangDef,
    pub git: &'a GitOptions,
    pub columns: &'a [Column],
    pub fit: &'a Fit,
    pub limits: FixLimits,
}

/// Why there is no result.
#[derive(Debug, Error)]
pub enum CouplingError {
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl CouplingRequest<'_> {
    /// The small fixes of a repository, newest first.
    pub(super) fn fixes(&self, subject: &Subject) -> Result<(Vec<SmallFix>, Vec<String>), CouplingError> {
        let tests = test_files(self.def)?;
        let unseen = Progress::default();
        let collector = || FixCollector::new(&tests);
        let reading = read_git(&subject.path, self.def, self.git, &unseen, collector)?;
        let mut fixes = FixCollector::finish(reading.collectors);
        fixes.retain(|fix| fix.with_test || !self.limits.with_test);
        Ok((fixes, reading.warnings))
    }

    /// Looks for the fixes of a repository, then for the mutants of each, and adds what it finds. Stopped, it adds
    /// what it has. The progress counts fixes.
    pub fn run(
        &self,
        subject: &Subject,
        progress: &Progress,
        coupling: &mut Coupling,
    ) -> Result<(), CouplingError> {
        let (fixes, warnings) = self.fixes(subject)?;
        coupling.warnings.extend(warnings.into_iter().map(|warning| format!("{}: {warning}", subject.name)));
        let snapshots = Snapshots::open(&subject.path)?;
        progress.expect(fixes.len().min(self.limits.most) as u64);
        let mut kept = 0;
        for fix in &fixes {
            if kept == self.limits.most || progress.stopped() {
                break;
            }
            match self.fault(&snapshots, fix)? {
                Ok(fault) => {
                    coupling.fixes.push(self.result(subject, fix, &fault));
                    kept += 1;
                    progress.advance(1024);
                }
                Err(why) => *coupling.left_out.entry(why).or_default() += 1,
            }
        }
        coupling.stopped |= progress.stopped();
        Ok(())
    }

    pub(super) fn fault(
        &self,
        snapshots: &Snapshots,
        fix: &SmallFix,
    ) -> Result<Result<Fault, NoFault>, CouplingError> {
        // What is certain without any file is asked first.
        let lines = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
        if fix.blocks.len() == 1 && lines(&fix.blocks[0].before) > self.limits.lines {
            return Ok(Err(NoFault::TooLong));
        }
        // A few files tell most of those that do not count.
        let touched = |path: &[u8]| fix.blocks.iter().any(|block| block.path == path);
        match self.fault_in(snapshots, fix, touched)? {
            Ok(_) => self.fault_in(snapshots, fix, |_| true),
            Err(why) => Ok(Err(why)),
        }
    }

    /// The fault of a fix, as these files of the fixed revision show it.
    pub(super) fn fault_in(
        &self,
        snapshots: &Snapshots,
        fix: &SmallFix,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<Result<Fault, NoFault>, CouplingError> {
        let tests = test_files(self.def)?;
        let files = snapshots.files(&fix.commit, |path| {
            wanted(path)
                && self.git.selection.judge_path(self.def, path).is_none()
                && !tests.is_match(String::from_utf8_lossy(path).as_ref())
        })?;
        let files = files.into_iter().filter(|(_, text)| self.git.selection.judge_text(text).is_none());
        Ok(Fault::new(self.def, fix, files.collect(), &self.limits))
    }

    fn result(&self, subject: &Subject, fix: &SmallFix, fault: &Fault) -> FixResult {
        FixResult {
            repository: subject.name.clone(),
            commit: fix.commit.clone(),
            path: String::from_utf8_lossy(&fault.block.path).into_owned(),
            line: fault.line,
            with_test: fix.with_test,
            only_adds: fault.block.before.is_empty(),
            behaviour: !self.is_churn(fault),
            tokens: fault.target.files[fault.file].tokens.len(),
            attempts: self.columns.iter().map(|column| self.attempt(column, fault)).collect(),
        }
    }

    /// Whether mining would call the fix churn; unknown, and thus no, where no set was mined.
    fn is_churn(&self, fault: &Fault) -> bool {
        let rules = self.columns.iter().find_map(|column| column.harvest.as_ref());
        rules.is_some_and(|rules| harvest(self.def, fault, rules).is_churn())
    }

    /// Looks for the fault among the mutants of a set.
    fn attempt(&self, column: &Column, fault: &Fault) -> Attempt {
        let file = &fault.target.files[fault.file];
        let literals = &column.arsenal.literals;
        let is_fault = |mutant: &&Mutant| fault.version.is_made_by(file, literals, &mutant.edit);
        let mutants = self.mutants(column, fault, self.fit.clone());
        let order = likeliest_first(&mutants, &column.arsenal);
        let found = mutants.iter().find(is_fault);
        // How many mutants a range has, and at which place the fault stands among them.
        let inside = |range: &Range<usize>| {
            let here = |at: &&usize| range.contains(&(mutants[**at].edit.from as usize));
            let rank = order.iter().filter(here).position(|at| is_fault(&&mutants[*at]));
            (order.iter().filter(here).count(), rank.map(|rank| rank + 1))
        };
        let ((near, rank_near), (function, rank_function)) = (inside(&fault.near), inside(&fault.function));
        let operator = found.map(|mutant| column.arsenal.entries[mutant.entries[0] as usize].id.clone());
        let loss = if operator.is_some() {
            None
        } else {
            let unfit = Fit { keep_unfit: true, density: Density::All, ..self.fit.clone() };
            let refused = self.mutants(column, fault, unfit).iter().find(is_fault).map(|mutant| mutant.unfit);
            Some(self.loss(column, fault, refused))
        };
        Attempt { operator, near, function, file: mutants.len(), rank_near, rank_function, loss }
    }

    fn mutants(&self, column: &Column, fault: &Fault, fit: Fit) -> Vec<Mutant> {
        let inserter = Inserter { def: self.def, arsenal: &column.arsenal, target: &fault.target, fit };
        inserter.file(fault.file).mutants
    }

    fn loss(&self, column: &Column, fault: &Fault, refused: Option<Rules>) -> Loss {
        match (refused, &column.harvest) {
            (Some(rules), _) if rules.is_empty() => Loss::Unlikely,
            (Some(rules), _) => Loss::fit(rules),
            (None, Some(rules)) => harvest(self.def, fault, rules),
            (None, None) => Loss::NoOperator,
        }
    }
}

/// Losses by name, most frequent first.
pub(super) fn by_frequency(losses: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    losses.for_each(|loss| *counts.entry(loss).or_default() += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
