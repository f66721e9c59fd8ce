//! A run of tests against mutants.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use roaring::RoaringBitmap;

use crate::control::Events;
use crate::engine::Campaign;
use crate::engine::CampaignSummary;
use crate::engine::Canary;
use crate::engine::EngineChoice;
use crate::engine::Goal;
use crate::engine::Project;
use crate::engine::StaleCheck;
use crate::engine::TestError;
use crate::engine::Until;
use crate::engine::with_switches;
use crate::exec::Protection;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::matrix::Begun;
use crate::matrix::Earlier;
use crate::matrix::KillMatrix;
use crate::matrix::Memory;
use crate::matrix::MutantRow;
use crate::matrix::Part;
use crate::matrix::ProjectChange;
use crate::matrix::RunDir;
use crate::matrix::RunDirError;
use crate::matrix::Store;
use crate::matrix::TestRow;
use crate::matrix::fingerprint;
use crate::matrix::mutant_rows;
use crate::runner::RunError;

use super::super::error::PipelineError;
use super::audit::AuditChoice;
use super::audit::AuditRequest;
use super::audit::AuditResult;
use super::plan::TestPlan;
use super::recall::Recall;
use super::recall::recall;

/// What is to be tested.
pub struct TestRequest<'a> {
    pub project: &'a Project<'a>,
    pub out: &'a RunDir,
    pub inserter: &'a Inserter<'a>,
    pub mutants: Vec<&'a Mutant>,
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
    /// All sources that the settings name with their paths, where only a part of them is the target.
    pub sources: Option<(&'a Inserter<'a>, &'a [PathBuf])>,
    /// What becomes of earlier results.
    pub earlier: Earlier,
    /// What is taken over from the run before.
    pub remember: Remember,
    pub engine: EngineChoice,
    pub until: Until,
    pub jobs: usize,
    /// Compare compiled code, and do not run what changes nothing.
    pub compare: bool,
    /// Keep the copy with all mutants in it.
    pub keep: bool,
    /// Verdicts to try again in the original project, if any.
    pub audit: Option<AuditChoice>,
    /// What was decided about the mutants before, if others share the run.
    pub plan: Option<&'a TestPlan>,
}

/// Which verdicts of the run before are kept, where results are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remember {
    /// None.
    Nothing,
    /// Those that still hold, judged by the code.
    WhatHolds,
    /// All but those of missed mutants, which are run again.
    AllButMissed,
}

/// The result of it.
pub struct TestResult {
    pub matrix: KillMatrix,
    pub summary: CampaignSummary,
    pub took: Duration,
    /// What mutants were kept from.
    pub protection: Protection,
    /// Where the results are, if they were kept apart from those of the last whole run.
    pub apart: Option<PathBuf>,
    /// The result of trying verdicts again.
    pub audit: Option<AuditResult>,
    /// What was taken over from the run before, if there was one.
    pub recall: Option<Recall>,
}

impl TestRequest<'_> {
    /// Runs the tests.
    pub fn run(&self, events: &Events) -> Result<TestResult, PipelineError> {
        let begun_at = Instant::now();
        let rows = match self.plan {
            Some(plan) => plan.rows.clone(),
            None => mutant_rows(self.inserter, &self.mutants, self.paths),
        };
        let mut memory = self.memory();
        memory.place(&rows);
        let (begun, recall) = self.begin(&memory, &rows)?;
        events.progress.expect(begun.known.iter().filter(|known| !**known).count() as u64);
        let done = self.campaign_of_unknown(&begun, rows, recall.as_ref(), events);
        let matrix = KillMatrix::load(&begun.store)?;
        let apart = begun.apart.clone();
        self.out.finish(begun)?;
        if recall.is_some() && matches!(done, Err(TestError::Baseline(_))) {
            // No mutant was run. What was kept holds for the project as it is, and the next run may keep it, too.
            memory.write(self.out.path())?;
        }
        let summary = done.map_err(|error| match error.into() {
            PipelineError::Stopped { .. } => {
                let tested = matrix.outcomes.iter().flatten().count();
                PipelineError::Stopped { tested, mutants: matrix.mutants.len() }
            }
            error => error,
        })?;
        if self.earlier != Earlier::Updated {
            memory.write(self.out.path())?;
        }
        let took = begun_at.elapsed();
        let audit = self.audit(&matrix, events)?;
        let protection = self.project.containment.protection().clone();
        Ok(TestResult { matrix, summary, took, protection, apart, audit, recall })
    }

    /// Tries verdicts again in the original project, if that is wanted.
    fn audit(&self, matrix: &KillMatrix, events: &Events) -> Result<Option<AuditResult>, PipelineError> {
        let Some(choice) = self.audit else { return Ok(None) };
        let check = self.inserter.def.file.switch.check.as_deref();
        let audit = AuditRequest { project: self.project, matrix, choice, check, jobs: self.jobs };
        let mutants = matrix.mutants.len();
        match audit.run(events) {
            Ok(result) => Ok(Some(result)),
            Err(TestError::Run(RunError::Stopped)) => {
                Err(PipelineError::Stopped { tested: mutants, mutants })
            }
            Err(error) => Err(error.into()),
        }
    }

    fn settings(&self) -> String {
        let how = (self.until, self.engine);
        format!("{} {how:?}", self.project.verdict_settings(self.inserter.def))
    }

    pub(super) fn fingerprint(&self) -> String {
        fingerprint(self.project.root, self.out.path(), &self.settings())
    }

    /// What the verdicts of this run depend on.
    pub(super) fn memory(&self) -> Memory {
        // Tests that may use the network, or write anywhere, may say something else.
        let kept_from = self.project.containment.protection();
        let settings =
            format!("{} {} {} {kept_from:?}", env!("CARGO_PKG_VERSION"), self.settings(), self.compare);
        Memory::new(self.project.root, self.out.path(), self.inserter.def, &settings)
    }

    /// Makes the store, with what is taken over from the run before.
    fn begin(&self, memory: &Memory, rows: &[MutantRow]) -> Result<(Begun, Option<Recall>), PipelineError> {
        let fingerprint = self.fingerprint();
        if let Some(plan) = self.plan {
            return Ok((self.begin_part(plan, memory, &fingerprint, rows)?, None));
        }
        let recalled = match self.earlier {
            Earlier::Replaced => self.recall(memory, rows),
            _ => None,
        };
        if self.earlier != Earlier::Updated {
            Memory::forget(self.out.path());
        }
        let Some(recall) = recalled.filter(|recall| !recall.kept.is_empty() || recall.why_all.is_some())
        else {
            return Ok((self.out.begin(self.earlier, &fingerprint, rows)?, None));
        };
        let begun = match recall.kept.is_empty() {
            true => self.out.begin(self.earlier, &fingerprint, rows)?,
            false => self.out.begin_with(&fingerprint, rows, |id| recall.kept.contains_key(id))?,
        };
        Ok((begun, Some(recall)))
    }

    /// Makes the store of one part of a plan, with what the plan knows.
    fn begin_part(
        &self,
        plan: &TestPlan,
        memory: &Memory,
        fingerprint: &str,
        rows: &[MutantRow],
    ) -> Result<Begun, PipelineError> {
        if plan.fingerprint != fingerprint {
            return Err(PipelineError::PlanChanged { why: changed(memory, &plan.memory) });
        }
        let part = plan.part();
        let same = || -> Result<bool, PipelineError> {
            Ok(Part::read(&RunDir::open_store(self.out.path())?)?.as_ref() == Some(&part))
        };
        if self.earlier == Earlier::Resumed && self.out.has_results() && !same()? {
            return Err(RunDirError::Changed { path: self.out.path().to_owned() }.into());
        }
        Memory::forget(self.out.path());
        let mut begun = self.out.begin(self.earlier, fingerprint, rows)?;
        begun.store.record_all(plan.settled())?;
        plan.settled().for_each(|(number, _)| begun.known[number as usize] = true);
        begun.store.put_tests(&plan.plan.baseline.tests)?;
        part.write(&begun.store)?;
        if plan.plan.shares_temporary {
            self.project.containment.share_temporary(true);
        }
        Ok(begun)
    }

    /// What of the run before still holds; none if there is none.
    fn recall(&self, memory: &Memory, rows: &[MutantRow]) -> Option<Recall> {
        let matrix = || KillMatrix::load(&RunDir::open_store(self.out.path()).ok()?).ok();
        match self.remember {
            Remember::Nothing => None,
            Remember::WhatHolds => Some(recall(memory, &Memory::read(self.out.path())?, &matrix()?, rows)),
            Remember::AllButMissed => Some(Recall::all_but_missed(&matrix()?)),
        }
    }

    /// Whether the tests that reach a mutant are others than before, or its code is no longer that of the original or
    /// of another mutant: those that still are so need no run.
    fn is_stale(&self, recall: &Recall, id: &str, covered: &RoaringBitmap, tests: &[TestRow]) -> bool {
        if recall.by_code.contains(id) {
            return true;
        }
        let before = recall.kept.get(id).filter(|_| self.remember == Remember::WhatHolds);
        before.is_some_and(|before| {
            let name = |test: u32| tests.get(test as usize).map(|test| test.name.as_str());
            let now: BTreeSet<&str> = covered.iter().filter_map(name).collect();
            now.len() != before.len() || !before.iter().all(|test| now.contains(test.as_str()))
        })
    }

    /// Runs mutants whose fate is not known, and keeps where each is in the meta-program. If all that is known, nothing
    /// is built.
    fn campaign_of_unknown(
        &self,
        begun: &Begun,
        rows: Vec<MutantRow>,
        recall: Option<&Recall>,
        events: &Events,
    ) -> Result<CampaignSummary, TestError> {
        // A run that was killed at its end has all fates, but not how mutants were run.
        let placed = || Ok::<_, TestError>(begun.store.mutants()?.iter().all(|row| !row.engine.is_empty()));
        // A function that changed may be a test that reaches more.
        let unchanged = recall.is_none_or(|recall| recall.changed.is_empty());
        if unchanged && begun.known.iter().all(|known| *known) && placed()? {
            let tests = begun.store.tests()?.len();
            return Ok(CampaignSummary { tests, ..CampaignSummary::default() });
        }
        let stale = |mutant: u32, covered: &RoaringBitmap, tests: &[TestRow]| {
            recall.is_some_and(|recall| self.is_stale(recall, &rows[mutant as usize].id, covered, tests))
        };
        let summary = self.campaign(&begun.store, &begun.known, Some(&stale), events).run()?;
        if self.plan.is_none() {
            begun.store.put_mutants(&with_switches(rows, &summary))?;
        }
        Ok(summary)
    }

    pub(super) fn campaign<'c>(
        &'c self,
        store: &'c Store,
        known: &[bool],
        stale: Option<&'c StaleCheck<'c>>,
        events: &'c Events,
    ) -> Campaign<'c> {
        let (inserter, paths) = self.sources.unwrap_or((self.inserter, self.paths));
        let numbers = self.plan.map(|part| &part.own[..]);
        let is_known = |own: &Option<u32>| own.is_none_or(|own| known[own as usize]);
        let canary = Canary { project: self.project, inserter, paths, events };
        Campaign {
            project: self.project,
            inserter: self.inserter,
            mutants: self.mutants.clone(),
            paths: self.paths,
            known: numbers.map_or_else(|| known.to_vec(), |own| own.iter().map(is_known).collect()),
            numbers,
            stale,
            engine: self.engine,
            goal: Goal::Score,
            until: self.until,
            jobs: self.jobs,
            store,
            events,
            compare: self.compare,
            keep: self.keep,
            baseline: None,
            plan: self.plan.map(|part| &part.plan),
            // The plan knows whether tests execute the sources.
            canary: Some(canary).filter(|_| self.plan.is_none()),
        }
    }
}

/// What is not as it was, in words.
fn changed(now: &Memory, then: &Memory) -> String {
    match now.changes_since(then) {
        ProjectChange::All(why) => why,
        ProjectChange::Functions(names) if names.is_empty() => {
            "a file or setting outside of the code changed".to_owned()
        }
        ProjectChange::Functions(names) => {
            let names: Vec<String> = names.into_iter().take(5).collect();
            format!("changed: {}", names.join(", "))
        }
    }
}
