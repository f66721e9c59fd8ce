//! Runs the mutants of a project in which tests fail: only in code executed by failing tests, failing tests first.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use std::time::Instant;

use roaring::RoaringBitmap;
use xxhash_rust::xxh3::Xxh3;

use crate::control::Events;
use crate::control::Shard;
use crate::control::within;
use crate::engine::Project;
use crate::engine::Survey;
use crate::exec::Protection;
use crate::files::replace;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::matrix::Earlier;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::matrix::MutantRow;
use crate::matrix::Part;
use crate::matrix::RunDir;
use crate::matrix::RunDirError;
use crate::matrix::fingerprint;
use crate::matrix::mutant_rows;
use crate::matrix::to_lcov;

use super::super::error::PipelineError;
use super::super::test::AuditChoice;
use super::audit::AuditedEffect;
use super::audit::EffectAudit;
use super::observed::coverage;
use super::rounds::Rounds;

/// What is to be found out about a project.
pub struct GatherRequest<'a> {
    pub project: &'a Project<'a>,
    pub out: &'a RunDir,
    pub inserter: &'a Inserter<'a>,
    pub all: &'a [FileMutants],
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
    pub resume: bool,
    /// Only operators of these names; all if there are none.
    pub operators: &'a [&'a str],
    /// At most this many mutants of a statement, drawn; 0 for all.
    pub per_statement: usize,
    pub seed: u32,
    /// Whether mutants are run at all, or only the tests.
    pub mutants: bool,
    /// Whether passing tests run on mutants that repair nothing.
    pub thorough: bool,
    pub jobs: usize,
    /// Mutants to try again in the original project, if any.
    pub audit: Option<AuditChoice>,
    /// The part of the mutants that is run here, if others share them.
    pub shard: Option<Shard>,
    /// At most this many mutants in all, those of the most suspicious statements.
    pub max: Option<usize>,
    /// How long it may take, the survey included, which is always finished.
    pub budget: Option<Duration>,
    /// Whether a run that was stopped has a result: what was found until then.
    pub partial: bool,
}

/// How the run of the mutants ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatherEnd {
    /// All were run.
    Whole,
    /// Its time was over.
    OutOfTime,
    /// Somebody stopped it.
    Stopped,
}

/// What was found out.
pub struct Gathered {
    pub matrix: KillMatrix,
    pub coverage: LineCoverage,
    pub ran: RanWith,
}

/// How mutants were run.
#[derive(Clone, Debug, PartialEq)]
pub struct RanWith {
    /// What mutants were kept from.
    pub protection: Protection,
    /// The result of trying mutants again, if that was wanted.
    pub audit: Option<Vec<AuditedEffect>>,
    pub end: GatherEnd,
}

impl<'a> GatherRequest<'a> {
    /// Runs tests and mutants. The results are also in the directory, the coverage as `coverage.info`.
    pub fn run(&self, events: &Events) -> Result<Gathered, PipelineError> {
        let begun = Instant::now();
        let survey = Survey::run(self.project, self.inserter, self.paths, self.jobs, events)?;
        let failing: RoaringBitmap = survey.baseline.broken().into_iter().collect();
        if failing.is_empty() {
            let tests = survey.baseline.tests.len();
            return Err(PipelineError::Baseline(format!(
                "no test fails ({tests} run), so there is no fault to locate"
            )));
        }
        let mutants = if self.mutants { self.choose(&survey, &failing, events) } else { vec![] };
        events.inform(format!(
            "{} mutants in code executed by {} failing of {} tests",
            mutants.len(),
            failing.len(),
            survey.baseline.tests.len()
        ));
        let left = self.budget.map(|budget| budget.saturating_sub(begun.elapsed()));
        let (matrix, coverage, end) = self.campaign(mutants, &survey, left, events)?;
        let audit = if end == GatherEnd::Whole { self.audit(&matrix, events)? } else { None };
        let protection = self.project.containment.protection().clone();
        Ok(Gathered { matrix, coverage, ran: RanWith { protection, audit, end } })
    }

    /// Tries mutants again in the original project, if that is wanted.
    fn audit(
        &self,
        matrix: &KillMatrix,
        events: &Events,
    ) -> Result<Option<Vec<AuditedEffect>>, PipelineError> {
        let Some(choice) = self.audit else { return Ok(None) };
        let check = self.inserter.def.file.switch.check.as_deref();
        let audit = EffectAudit { project: self.project, matrix, choice, check, jobs: self.jobs };
        Ok(Some(audit.run(events)?))
    }

    /// Runs the mutants in `left` of time, if that is limited.
    fn campaign(
        &self,
        mutants: Vec<&'a Mutant>,
        survey: &Survey,
        left: Option<Duration>,
        events: &Events,
    ) -> Result<(KillMatrix, LineCoverage, GatherEnd), PipelineError> {
        let rows = mutant_rows(self.inserter, &mutants, self.paths);
        let (part, mutants, rows) = self.own(mutants, rows);
        let earlier = if self.resume { Earlier::Resumed } else { Earlier::Replaced };
        let begun = self.out.begin(earlier, &self.fingerprint(), &rows)?;
        if let Some(part) = part {
            part.write(&begun.store)?;
        }
        begun.store.put_tests(&survey.baseline.tests)?;
        events.progress.expect(begun.known.iter().filter(|known| !**known).count() as u64);
        self.write(&coverage(survey, self.paths, &BTreeMap::new()))?;
        let mut rounds = Rounds::new(self, &mutants, survey, &begun.store, events);
        let (ran, over) = within(left, &events.progress, || rounds.run());
        let end = match ran {
            Ok(()) => GatherEnd::Whole,
            Err(PipelineError::Stopped { .. }) if over => GatherEnd::OutOfTime,
            Err(PipelineError::Stopped { .. }) if self.partial => GatherEnd::Stopped,
            Err(error) => return Err(error),
        };
        let (matrix, coverage) = rounds.found()?;
        self.write(&coverage)?;
        Ok((matrix, coverage, end))
    }

    /// Keeps who executes what beside the results.
    fn write(&self, coverage: &LineCoverage) -> Result<(), PipelineError> {
        let file = self.out.coverage();
        let written = replace(&file, to_lcov(coverage).as_bytes());
        Ok(written.map_err(|source| RunDirError::Io { path: file, source })?)
    }

    /// The mutants of this part, and what results of it say that they are; all of them if the work is not shared.
    fn own(
        &self,
        mutants: Vec<&'a Mutant>,
        rows: Vec<MutantRow>,
    ) -> (Option<Part>, Vec<&'a Mutant>, Vec<MutantRow>) {
        let Some(shard) = self.shard else { return (None, mutants, rows) };
        let mut hash = Xxh3::new();
        hash.update(self.fingerprint().as_bytes());
        rows.iter().for_each(|row| hash.update(row.id.as_bytes()));
        let plan = format!("{:016x}", hash.digest());
        let all = rows.len();
        let own = (0u32..).zip(mutants.into_iter().zip(rows)).filter(|(_, (_, row))| shard.owns(&row.id));
        let (numbers, own): (Vec<u32>, Vec<_>) = own.unzip();
        let (mutants, rows) = own.into_iter().unzip();
        (Some(Part::new(&plan, shard, all, numbers)), mutants, rows)
    }

    fn fingerprint(&self) -> String {
        let settings = format!("{} {}", self.project.verdict_settings(self.inserter.def), self.thorough);
        fingerprint(self.project.root, self.out.path(), &settings)
    }
}
