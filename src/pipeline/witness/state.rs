//! Everything that is run while witnesses are looked for: each text once, results in the order in which they were
//! asked for, whatever the number of workers.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Instant;

use xxhash_rust::xxh3::xxh3_128;

use crate::analysis::witness::Trace;
use crate::control::Events;
use crate::control::share_turns;

use super::elements::ElementTable;
use super::error::WitnessError;
use super::judge::Failure;
use super::judge::Judge;
use super::judge::Judged;
use super::judge::Tried;
use super::request::WitnessRequest;
use super::request::WitnessSearch;
use super::result::Counts;
use super::result::Origin;
use super::result::Variation;

/// Programs that are run at once: the same for any number of workers, or results would depend on it.
pub const BATCH: usize = 4;
/// Variations that are kept of those that fail, and of those that are not judged.
const MOST_KEPT: usize = 200;

/// The outcome of a text that was tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// It passes; how far its run is on the mean from the witnesses before, if it is a new one.
    Witness(Option<f64>),
    /// It shows the same fault.
    Fails,
    Other,
}

/// The state of a search.
pub struct SearchState<'a> {
    pub request: &'a WitnessRequest<'a>,
    pub events: &'a Events,
    judges: Vec<Mutex<Judge<'a>>>,
    pub table: ElementTable,
    pub failure: Failure,
    pub failing: Vec<Variation>,
    pub witnesses: Vec<Variation>,
    /// Variations that are not judged.
    pub neutral: Vec<Variation>,
    /// Variations that fail in another way.
    pub others: Vec<Variation>,
    pub counts: Counts,
    known: BTreeSet<u128>,
    begun: Instant,
}

impl<'a> SearchState<'a> {
    /// A search that begins with the given program and its run.
    pub fn new(
        request: &'a WitnessRequest<'a>,
        events: &'a Events,
        judges: Vec<Judge<'a>>,
        table: ElementTable,
        (failure, trace, stack): (Failure, Trace, Vec<String>),
    ) -> Self {
        let given = Variation { origin: Origin::Given, text: request.text.clone(), trace, stack };
        Self {
            request,
            events,
            judges: judges.into_iter().map(Mutex::new).collect(),
            table,
            failure,
            failing: vec![given],
            witnesses: vec![],
            neutral: vec![],
            others: vec![],
            counts: Counts { runs: 1, ..Counts::default() },
            known: BTreeSet::from([xxh3_128(&request.text)]),
            begun: Instant::now(),
        }
    }

    /// Whether there is no time left, or a stop was requested.
    pub fn is_over(&self) -> bool {
        self.events.progress.stopped() || Instant::now() >= self.until(1.0)
    }

    /// Whether a text was never tried; it counts as tried from now on.
    pub fn is_new(&mut self, text: &[u8]) -> bool {
        self.known.insert(xxh3_128(text))
    }

    /// When a share of the budget is used up.
    pub fn until(&self, share: f64) -> Instant {
        self.begun + self.request.budget.mul_f64(share)
    }

    /// Runs texts and notes what they show, in their order.
    pub fn try_all(&mut self, texts: Vec<(Vec<u8>, Origin)>) -> Result<Vec<Seen>, WitnessError> {
        let tried = self.run(&texts)?;
        let mut seen = Vec::with_capacity(tried.len());
        for ((text, origin), tried) in texts.into_iter().zip(tried) {
            seen.push(self.note(text, origin, tried)?);
        }
        Ok(seen)
    }

    fn run(&self, texts: &[(Vec<u8>, Origin)]) -> Result<Vec<Tried>, WitnessError> {
        self.turns(texts.len(), |judge, turn| judge.run_text(&texts[turn].0))
    }

    /// Takes turns among the workers; what each turn gave, in order.
    pub fn turns(
        &self,
        count: usize,
        work: impl Fn(&Judge, usize) -> Result<Tried, WitnessError> + Sync,
    ) -> Result<Vec<Tried>, WitnessError> {
        let done: Vec<Mutex<Option<Tried>>> = (0..count).map(|_| Mutex::new(None)).collect();
        share_turns(
            self.judges.len(),
            count,
            &self.events.progress,
            Ok::<usize, WitnessError>,
            |worker, turn| {
                let judge = self.judges[*worker].lock().expect("no worker panicked");
                *done[turn].lock().expect("the lock is not poisoned") = Some(work(&judge, turn)?);
                Ok(())
            },
        )?;
        let taken = done.into_iter().map(|slot| slot.into_inner().expect("the lock is not poisoned"));
        Ok(taken.map(|tried| tried.expect("every turn was taken")).collect())
    }

    /// What a run executed; none if it left nothing.
    pub fn trace(&mut self, tried: &Tried) -> Result<Option<Trace>, WitnessError> {
        let trace = tried.executed.as_ref().map(|executed| self.table.trace(executed)).transpose()?;
        self.counts.blank += usize::from(trace.is_none());
        Ok(trace)
    }

    fn note(&mut self, text: Vec<u8>, origin: Origin, tried: Tried) -> Result<Seen, WitnessError> {
        self.counts.runs += 1;
        let is_mutant = matches!(origin, Origin::Mutant { .. });
        self.counts.mutants += usize::from(is_mutant);
        self.counts.reduction += usize::from(!is_mutant);
        match &tried.judged {
            Judged::Unjudged(_) => {
                self.counts.unjudged += 1;
                // Those that the guard refuses were not run.
                if tried.executed.is_some() {
                    let trace = self.trace(&tried)?.unwrap_or_default();
                    keep(&mut self.neutral, 0, Variation { origin, text, trace, stack: vec![] });
                }
                Ok(Seen::Other)
            }
            Judged::Fails(failure) if *failure == self.failure => {
                self.counts.failing += 1;
                if let Some(trace) = self.trace(&tried)? {
                    keep(&mut self.failing, 1, Variation { origin, text, trace, stack: tried.stack });
                }
                Ok(Seen::Fails)
            }
            Judged::Fails(_) => {
                self.counts.otherwise += 1;
                if let Some(trace) = self.trace(&tried)? {
                    keep(&mut self.others, 0, Variation { origin, text, trace, stack: tried.stack });
                }
                Ok(Seen::Other)
            }
            Judged::Passes => {
                self.counts.passing += 1;
                let Some(trace) = self.trace(&tried)? else { return Ok(Seen::Witness(None)) };
                let distance = match self.request.search {
                    // As in the paper: by lines.
                    WitnessSearch::Diwi => Trace::distance,
                    _ => Trace::arc_distance,
                };
                let distances: Vec<f64> =
                    self.witnesses.iter().map(|known| distance(&known.trace, &trace)).collect();
                if distances.contains(&0.0) {
                    self.counts.same += 1;
                    return Ok(Seen::Witness(None));
                }
                let mean = distances.iter().sum::<f64>() / distances.len().max(1) as f64;
                self.witnesses.push(Variation { origin, text, trace, stack: vec![] });
                Ok(Seen::Witness(Some(mean)))
            }
        }
    }
}

/// Keeps a variation; if there are many, the oldest goes but for the first ones: later ones are nearer to the reduced
/// program.
fn keep(all: &mut Vec<Variation>, first: usize, variation: Variation) {
    if all.len() >= MOST_KEPT {
        all.remove(first);
    }
    all.push(variation);
}
