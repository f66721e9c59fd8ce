//! What can be decided once, before machines share the mutants: what does not compile, what compiles to the same code,
//! what is switched and how, and which tests reach it.
//!
//! In: a campaign over all mutants. Out: a store in which every mutant has a fate, or the tests that reach it and how
//! it is to be run; and from such a store, the [`Plan`] for some of the mutants.

use std::borrow::Cow;

use roaring::RoaringBitmap;
use serde::Deserialize;
use serde::Serialize;

use crate::matrix::Fate;
use crate::matrix::MutantRow;
use crate::matrix::Outcome;
use crate::matrix::Store;
use crate::matrix::StoreError;

use super::baseline::Baseline;
use super::campaign::Campaign;
use super::campaign::CampaignSummary;
use super::campaign::EngineChoice;
use super::campaign::set_all_alone;
use super::campaign::set_strange;
use super::error::TestError;
use super::screen::Ladder;
use super::screen::Rung;
use super::workbench::Workbench;

/// Where a store keeps what the tests say of the unchanged project.
const BASELINE: &str = "plan.baseline";
/// How a mutant is to be run, as its outcome notes it.
const STATEMENT: &str = "switched as a statement";
const BODY: &str = "switched as a body";
const ALONE: &str = "built alone: ";

/// What was decided about some mutants.
#[derive(Clone, Debug)]
pub struct Plan {
    pub baseline: Baseline,
    /// Tests fail unless they may write to the temporary directories that all programs share.
    pub shares_temporary: bool,
    /// Per mutant.
    pub steps: Vec<Step>,
}

/// What was decided about a mutant.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Its fate.
    Settled(Outcome),
    /// It is switched, as a version of a whole body or only of a statement; and the tests that reach it.
    Switched { body: bool, covered: RoaringBitmap },
    /// It is built by itself; why.
    Alone(String),
    /// Nothing: it cannot be run as the user wants it.
    LeftOut,
}

#[derive(Deserialize, Serialize)]
struct KeptBaseline {
    shares_temporary: bool,
    baseline: Baseline,
}

impl Plan {
    /// Reads what a store says of these of its mutants, by number.
    pub fn read(store: &Store, numbers: &[u32]) -> Result<Self, StoreError> {
        let damaged =
            |what: &str| StoreError::Damaged { path: store.path().to_owned(), what: what.to_owned() };
        let text = store.meta(BASELINE)?.ok_or_else(|| damaged("the plan in it"))?;
        let kept: KeptBaseline = serde_json::from_str(&text).map_err(|_| damaged("the baseline"))?;
        let outcomes = store.outcomes_of(numbers)?;
        let steps = outcomes.into_iter().map(|outcome| outcome.map_or(Step::LeftOut, Step::of)).collect();
        Ok(Self { baseline: kept.baseline, shares_temporary: kept.shares_temporary, steps })
    }

    /// Puts mutants where they were found to belong.
    pub(super) fn place(&self, ladder: &mut Ladder) {
        for (mutant, step) in (0u32..).zip(&self.steps) {
            match step {
                Step::Switched { body: true, .. } => ladder.set_body(mutant),
                Step::Switched { body: false, .. } => {}
                Step::Alone(why) => ladder.set_alone(mutant, Cow::from(why.clone())),
                Step::Settled(_) | Step::LeftOut => ladder.set_alone(mutant, "its fate is known"),
            }
        }
    }

    /// Per mutant, the tests that reach it.
    pub(super) fn covered(&self) -> Vec<RoaringBitmap> {
        let of = |step: &Step| match step {
            Step::Switched { covered, .. } => covered.clone(),
            _ => RoaringBitmap::new(),
        };
        self.steps.iter().map(of).collect()
    }
}

impl Step {
    fn of(outcome: Outcome) -> Self {
        match (outcome.fate, outcome.log.as_str()) {
            (Fate::Untested, STATEMENT | BODY) => {
                Self::Switched { body: outcome.log == BODY, covered: outcome.covered }
            }
            (Fate::Untested, log) => {
                log.strip_prefix(ALONE).map_or(Self::LeftOut, |why| Self::Alone(why.to_owned()))
            }
            _ => Self::Settled(outcome),
        }
    }

    fn note(&self) -> Option<Outcome> {
        let (covered, log) = match self {
            Self::Settled(_) | Self::LeftOut => return None,
            Self::Switched { body, covered } => {
                (covered.clone(), if *body { BODY } else { STATEMENT }.into())
            }
            Self::Alone(why) => (RoaringBitmap::new(), format!("{ALONE}{why}")),
        };
        Some(Outcome { covered, log, ..Outcome::new(Fate::Untested) })
    }
}

impl Campaign<'_> {
    /// Decides what can be decided before mutants are run, and notes it in the store; the rows are given back with
    /// where each mutant is in the meta-program.
    pub fn plan(&self) -> Result<CampaignSummary, TestError> {
        let bench = Workbench::set_up(self.project, self.inserter.def, self.mutants.len(), self.events)?;
        let mut baseline = self.baseline(&bench)?;
        let mut summary = CampaignSummary { tests: baseline.tests.len(), ..CampaignSummary::default() };
        let mut ladder = Ladder::new(self.inserter, self.mutants.clone());
        let mut covered = vec![RoaringBitmap::new(); self.mutants.len()];
        match bench.runtime.as_ref().filter(|_| self.engine != EngineChoice::Classic) {
            None => {
                self.warn_of_cost(&baseline);
                set_all_alone(&mut ladder, "nothing is switched");
            }
            Some(runtime) => {
                if let Some(meta) = self.screened(&bench, runtime, &mut ladder, &mut summary)? {
                    match self.start(&bench, &meta, &mut baseline)? {
                        None => set_strange(&mut ladder, &meta),
                        Some(started) => {
                            let policy = self.policy(&baseline);
                            covered =
                                self.reach(&started.engines, &meta, &policy, &baseline, &mut summary)?;
                            let distrusted = policy.distrusted();
                            drop(policy);
                            self.withdraw(&distrusted, &mut baseline)?;
                            summary.switches.clone_from(&meta.switches);
                        }
                    }
                }
            }
        }
        if let Some(complaint) = self.complaint(&baseline, &mut summary)? {
            self.events.warn(complaint);
        }
        self.note_plan(&ladder, covered, baseline)?;
        summary.times = self.events.times();
        Ok(summary)
    }

    fn note_plan(
        &self,
        ladder: &Ladder,
        covered: Vec<RoaringBitmap>,
        baseline: Baseline,
    ) -> Result<(), TestError> {
        let steps = ladder.rungs.iter().zip(covered).map(|(rung, covered)| match rung {
            Rung::Statement(_) => Step::Switched { body: false, covered },
            Rung::Body(_) => Step::Switched { body: true, covered },
            Rung::Alone(_) if self.engine == EngineChoice::Switch => Step::LeftOut,
            Rung::Alone(why) => Step::Alone(why.to_string()),
            Rung::Dead(_) => Step::LeftOut,
        });
        let fates = self.store.outcomes()?;
        let open = (0u32..).zip(steps).zip(&fates).filter(|(_, fate)| fate.is_none());
        let notes: Vec<(u32, Outcome)> =
            open.filter_map(|((mutant, step), _)| Some((mutant, step.note()?))).collect();
        self.store.record_all(notes.iter().map(|(mutant, outcome)| (*mutant, outcome)))?;
        let kept = KeptBaseline { shares_temporary: self.project.containment.shares_temporary(), baseline };
        let text = serde_json::to_string(&kept).map_err(|error| {
            TestError::Baseline(format!("cannot store the files that tests write in the plan: {error}"))
        })?;
        Ok(self.store.set_meta(BASELINE, &text)?)
    }
}

/// The rows with where each mutant is in the meta-program.
pub fn with_switches(rows: Vec<MutantRow>, summary: &CampaignSummary) -> Vec<MutantRow> {
    let switches = summary.switches.iter().copied().chain(std::iter::repeat(None));
    let with = |(row, unit): (MutantRow, Option<_>)| {
        let engine = if unit.is_some() { "switch" } else { "classic" };
        MutantRow { unit, engine: engine.into(), ..row }
    };
    rows.into_iter().zip(switches).map(with).collect()
}
