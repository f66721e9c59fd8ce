//! A run of tests against mutants.

use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use crate::control::Events;
use crate::engine::Campaign;
use crate::engine::CampaignSummary;
use crate::engine::Canary;
use crate::engine::EngineChoice;
use crate::engine::Goal;
use crate::engine::Project;
use crate::engine::TestError;
use crate::engine::Until;
use crate::exec::Protection;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::matrix::Begun;
use crate::matrix::Earlier;
use crate::matrix::KillMatrix;
use crate::matrix::MutantRow;
use crate::matrix::RunDir;
use crate::matrix::fingerprint;
use crate::matrix::mutant_rows;
use crate::runner::RunError;

use super::super::error::PipelineError;
use super::audit::AuditChoice;
use super::audit::AuditRequest;
use super::audit::AuditResult;

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
    pub engine: EngineChoice,
    pub until: Until,
    pub jobs: usize,
    /// Compare compiled code, and do not run what changes nothing.
    pub compare: bool,
    /// Keep the copy with all mutants in it.
    pub keep: bool,
    /// Verdicts to try again in the plain project, if any.
    pub audit: Option<AuditChoice>,
}

/// What came of it.
pub struct TestResult {
    pub matrix: KillMatrix,
    pub summary: CampaignSummary,
    pub took: Duration,
    /// What mutants were kept from.
    pub protection: Protection,
    /// Where the results are, if they were kept apart from those of the last whole run.
    pub apart: Option<PathBuf>,
    /// What came of trying verdicts again.
    pub audit: Option<AuditResult>,
}

impl TestRequest<'_> {
    /// Runs the tests.
    pub fn run(&self, events: &Events) -> Result<TestResult, PipelineError> {
        let begun_at = Instant::now();
        let rows = mutant_rows(self.inserter, &self.mutants, self.paths);
        let begun = self.out.begin(self.earlier, &self.fingerprint(), &rows)?;
        events.progress.expect(begun.known.iter().filter(|known| !**known).count() as u64);
        let done = self.campaign_of_unknown(&begun, rows, events);
        let matrix = KillMatrix::load(&begun.store)?;
        let apart = begun.apart.clone();
        self.out.finish(begun)?;
        let summary = done.map_err(|error| match error.into() {
            PipelineError::Stopped { .. } => {
                let tested = matrix.outcomes.iter().flatten().count();
                PipelineError::Stopped { tested, mutants: matrix.mutants.len() }
            }
            error => error,
        })?;
        let took = begun_at.elapsed();
        let audit = self.audit(&matrix, events)?;
        let protection = self.project.containment.protection().clone();
        Ok(TestResult { matrix, summary, took, protection, apart, audit })
    }

    /// Tries verdicts again in the plain project, if that is wanted.
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

    fn fingerprint(&self) -> String {
        let how = (self.until, self.engine);
        let settings = format!("{} {how:?}", self.project.verdict_settings(self.inserter.def));
        fingerprint(self.project.root, self.out.path(), &settings)
    }

    /// Runs mutants whose fate is not known, and keeps where each is in the meta-program. If all that is known, nothing
    /// is built.
    fn campaign_of_unknown(
        &self,
        begun: &Begun,
        rows: Vec<MutantRow>,
        events: &Events,
    ) -> Result<CampaignSummary, TestError> {
        // A run that was killed at its end has all fates, but not how mutants were run.
        let placed = || Ok::<_, TestError>(begun.store.mutants()?.iter().all(|row| !row.engine.is_empty()));
        if begun.known.iter().all(|known| *known) && placed()? {
            let tests = begun.store.tests()?.len();
            return Ok(CampaignSummary { tests, ..CampaignSummary::default() });
        }
        let summary = self.campaign(begun, events)?;
        begun.store.put_mutants(&with_switches(rows, &summary))?;
        Ok(summary)
    }

    fn campaign(&self, begun: &Begun, events: &Events) -> Result<CampaignSummary, TestError> {
        let (inserter, paths) = self.sources.unwrap_or((self.inserter, self.paths));
        let campaign = Campaign {
            project: self.project,
            inserter: self.inserter,
            mutants: self.mutants.clone(),
            paths: self.paths,
            known: begun.known.clone(),
            engine: self.engine,
            goal: Goal::Score,
            until: self.until,
            jobs: self.jobs,
            store: &begun.store,
            events,
            compare: self.compare,
            keep: self.keep,
            baseline: None,
            canary: Some(Canary { project: self.project, inserter, paths, events }),
        };
        campaign.run()
    }
}

/// The rows with where each mutant is in the meta-program.
fn with_switches(rows: Vec<MutantRow>, summary: &CampaignSummary) -> Vec<MutantRow> {
    let switches = summary.switches.iter().copied().chain(std::iter::repeat(None));
    let with = |(row, unit): (MutantRow, Option<_>)| {
        let engine = if unit.is_some() { "switch" } else { "classic" };
        MutantRow { unit, engine: engine.into(), ..row }
    };
    rows.into_iter().zip(switches).map(with).collect()
}
