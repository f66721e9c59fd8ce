//! Mutants in the order in which they deserve to be run, round by round.
//!
//! In: the mutants of code that failing tests execute, and the survey. Out: what they do to the tests, in the store.
//! The first mutants of the most suspicious statements come first (Ochiai), so that a run that is stopped has looked
//! where it matters. Where time is limited, rounds grow from few mutants to many, and passing tests run on mutants
//! that repair nothing only after failing tests ran on all of them.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::analysis::localize::FunctionTable;
use crate::analysis::localize::Method;
use crate::analysis::localize::MethodWish;
use crate::analysis::localize::RankedBy;
use crate::analysis::localize::Spectrum;
use crate::analysis::localize::Subject;
use crate::analysis::localize::rank;
use crate::control::Events;
use crate::engine::Campaign;
use crate::engine::EngineChoice;
use crate::engine::Execution;
use crate::engine::Goal;
use crate::engine::Survey;
use crate::engine::Until;
use crate::insert::Mutant;
use crate::matrix::KillMatrix;
use crate::matrix::LineCoverage;
use crate::matrix::Store;

use super::super::error::PipelineError;
use super::gather::GatherRequest;
use super::observed::coverage;
use super::observed::place_of;
use super::observed::reach_of_mutants;

/// Mutants in the first round of a run with a limit of time; each round has this many times as many as the one before.
const FIRST_ROUND: usize = 60;
const GROWTH: usize = 4;
/// Places that are named after a round.
const NAMED: usize = 3;
/// The method by which they are ranked.
const METHOD: &str = "blend";

/// The rounds of a run.
pub(super) struct Rounds<'r> {
    request: &'r GatherRequest<'r>,
    mutants: &'r [&'r Mutant],
    survey: &'r Survey,
    store: &'r Store,
    events: &'r Events,
    /// Per mutant, whether it was switched on in one program, so that it is known which tests reach it.
    switched: Vec<bool>,
    /// What was said last.
    told: String,
}

impl<'r> Rounds<'r> {
    /// The rounds of these mutants, which are those of the store.
    pub(super) fn new(
        request: &'r GatherRequest<'r>,
        mutants: &'r [&'r Mutant],
        survey: &'r Survey,
        store: &'r Store,
        events: &'r Events,
    ) -> Self {
        let switched = vec![false; mutants.len()];
        Self { request, mutants, survey, store, events, switched, told: String::new() }
    }

    /// Runs all mutants that are not known yet.
    pub(super) fn run(&mut self) -> Result<(), PipelineError> {
        let failing: RoaringBitmap = self.survey.baseline.broken().into_iter().collect();
        let order = in_order(self.survey, &failing, self.mutants);
        let thorough = self.request.thorough;
        if self.request.budget.is_none() {
            return self.round(&order, thorough);
        }
        self.tell()?;
        self.grow(&order, false)?;
        if thorough { self.grow(&order, true) } else { Ok(()) }
    }

    /// Runs rounds of more and more mutants.
    fn grow(&mut self, order: &[usize], thorough: bool) -> Result<(), PipelineError> {
        let (mut left, mut size) = (order, FIRST_ROUND);
        while !left.is_empty() {
            let (now, rest) = left.split_at(size.min(left.len()));
            self.round(now, thorough)?;
            self.tell()?;
            (left, size) = (rest, size * GROWTH);
        }
        Ok(())
    }

    /// Runs some mutants, as far as they are not known.
    fn round(&mut self, chosen: &[usize], thorough: bool) -> Result<(), PipelineError> {
        let outcomes = self.store.outcomes()?;
        let whole = |number: &usize| {
            let outcome = outcomes.get(*number).and_then(Option::as_ref);
            outcome.is_some_and(|known| !thorough || known.covered.is_subset(&known.ran) || given_up(known))
        };
        let numbers: Vec<Option<u32>> = chosen.iter().map(|number| Some(*number as u32)).collect();
        let campaign = Campaign {
            project: self.request.project,
            inserter: self.request.inserter,
            mutants: chosen.iter().map(|number| self.mutants[*number]).collect(),
            paths: self.request.paths,
            known: chosen.iter().map(whole).collect(),
            stale: None,
            engine: EngineChoice::Auto,
            goal: Goal::Localize { thorough },
            until: Until::All,
            jobs: self.request.jobs,
            store: self.store,
            events: self.events,
            compare: false,
            keep: false,
            baseline: Some(&self.survey.baseline),
            plan: None,
            numbers: Some(&numbers),
            canary: None,
        };
        let summary = campaign.run()?;
        for (number, switch) in chosen.iter().zip(&summary.switches) {
            self.switched[*number] |= switch.is_some();
        }
        Ok(())
    }

    /// What was found until now.
    pub(super) fn found(&self) -> Result<(KillMatrix, LineCoverage), PipelineError> {
        let matrix = KillMatrix::load(self.store)?;
        let places: Vec<_> = self.mutants.iter().map(|mutant| place_of(mutant)).collect();
        let switched = (0..places.len()).filter(|number| self.switched[*number]);
        let reach = reach_of_mutants(self.survey, &matrix, switched, &places);
        let coverage = coverage(self.survey, self.request.paths, &reach);
        Ok((matrix, coverage))
    }

    /// Says which places come first by what was found until now.
    fn tell(&mut self) -> Result<(), PipelineError> {
        let (matrix, coverage) = self.found()?;
        let ran = matrix.outcomes.iter().flatten().count();
        let first = first_places(&matrix, &coverage).join(", ");
        let now = format!("after {ran} of {} mutants: {first}", self.mutants.len());
        if !first.is_empty() && now != self.told {
            self.events.inform(now.clone());
            self.told = now;
        }
        Ok(())
    }
}

/// Whether a mutant hangs, so that not all tests were run.
fn given_up(known: &crate::matrix::Outcome) -> bool {
    known.timed_out.len() > 1
}

/// The numbers of mutants: those of suspicious statements first, and of a statement the first before the others.
pub(super) fn in_order(survey: &Survey, failing: &RoaringBitmap, mutants: &[&Mutant]) -> Vec<usize> {
    let mut seen: BTreeMap<(usize, u32), u32> = BTreeMap::new();
    let mut order: Vec<(f64, usize)> = Vec::new();
    for (number, mutant) in mutants.iter().enumerate() {
        let (file, from, to) = place_of(mutant);
        let suspicion = match survey.execution(file, from, to) {
            Execution::By(covered) => ochiai(failing, covered),
            Execution::Unknown | Execution::Outside => 0.0,
        };
        let start = survey.statement(file, from, to).map_or(from, |statement| statement.piece.start);
        let before = seen.entry((file, start)).or_default();
        order.push((suspicion / f64::from(*before + 1).sqrt(), number));
        *before += 1;
    }
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|(_, number)| number).collect()
}

fn ochiai(failing: &RoaringBitmap, covered: &RoaringBitmap) -> f64 {
    let under = (failing.len() as f64 * covered.len() as f64).sqrt();
    if under == 0.0 { 0.0 } else { covered.intersection_len(failing) as f64 / under }
}

/// The places that come first.
fn first_places(matrix: &KillMatrix, coverage: &LineCoverage) -> Vec<String> {
    let spectrum = match coverage.lines.is_empty() {
        true => Spectrum::from_matrix(matrix, &FunctionTable::new()),
        false => Spectrum::with_coverage(matrix, coverage, &FunctionTable::new()),
    };
    let scores = Subject::new(matrix, &spectrum)
        .and_then(|subject| Method::called(METHOD)?.scores(&subject, MethodWish::default()));
    let Ok(scores) = scores else { return vec![] };
    let ranking = rank(&spectrum, &scores, RankedBy::Statement);
    let first = ranking.places.iter().filter(|place| place.score > 0.0).take(NAMED);
    first.map(|place| format!("#{} {}", place.rank.best, place.place)).collect()
}
