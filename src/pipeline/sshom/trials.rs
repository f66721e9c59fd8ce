//! Combinations that are tried one after the other, as a search says: shared by all searches but the variational one.

use std::time::Duration;

use num_bigint::BigUint;
use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use crate::analysis::sshom::Search;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::Subsumption;
use crate::runner::RunError;

use super::budget::TimeLimit;
use super::completeness::Completeness;
use super::context::SearchContext;
use super::error::SshomError;
use super::points::PointStop;
use super::points::SearchBound;
use super::points::Splitting;
use super::points::take_turns;
use super::result::Findings;
use super::result::Killers;

/// Combinations that are tried at a time, whatever the number of workers.
const BATCH: u64 = 16;

/// Which tests are run with a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestsRun {
    All,
    /// Until one shows that the combination is not strongly subsuming.
    UntilRuledOut,
}

/// Combinations that were tried, and those of them that are strongly subsuming.
pub struct Trials<'a> {
    context: &'a SearchContext<'a>,
    /// Most combinations that are tried.
    most: u64,
    tried: u64,
    /// Whether a search ended before it had nothing left to try.
    is_cut: bool,
    found: Vec<Vec<u32>>,
    strict: Vec<Vec<u32>>,
    killers: FxHashMap<Vec<u32>, RoaringBitmap>,
    curve: Vec<(Duration, BigUint)>,
}

impl<'a> Trials<'a> {
    /// Nothing was tried yet.
    pub fn new(context: &'a SearchContext<'a>) -> Self {
        Self {
            context,
            most: context.request.max_looked.unwrap_or(u64::MAX),
            tried: 0,
            is_cut: false,
            found: vec![],
            strict: vec![],
            killers: FxHashMap::default(),
            curve: vec![],
        }
    }

    /// Tries what a search says until it has nothing left to try, or the time or the number of combinations is used
    /// up.
    pub fn try_all(
        &mut self,
        search: &mut dyn Search,
        tests: TestsRun,
        time: TimeLimit,
    ) -> Result<(), RunError> {
        let bound = SearchBound { time, ..self.context.bound };
        loop {
            (bound.tell)(format!("{} found among {} tried", self.found.len(), self.tried));
            let left = self.most - self.tried;
            if left == 0 {
                self.is_cut = true;
                return Ok(());
            }
            let wanted = search.ask(left.min(BATCH) as usize);
            if wanted.is_empty() {
                return Ok(());
            }
            let kills = take_turns(self.context.program, bound, wanted.len(), |splitting, at| {
                kills(self.context, splitting, &wanted[at], tests)
            })?;
            for (mutants, kills) in wanted.into_iter().zip(kills) {
                let Some(kills) = kills else {
                    self.is_cut = true;
                    return Ok(());
                };
                search.tell(&mutants, &kills);
                self.put(mutants, kills, time);
            }
        }
    }

    /// Notes a combination that was tried.
    fn put(&mut self, mutants: Vec<u32>, kills: RoaringBitmap, time: TimeLimit) {
        self.tried += 1;
        let Some(subsumption) = self.context.first_order.first.judge(&mutants, &kills) else { return };
        if self.killers.insert(mutants.clone(), kills).is_none() {
            self.strict.extend((subsumption == Subsumption::Strict).then(|| mutants.clone()));
            self.found.push(mutants);
            self.curve.push((time.elapsed(), self.found.len().into()));
        }
    }

    /// What was found; `completeness` and `whole` are how complete it is if nothing was cut.
    pub fn findings(self, completeness: Completeness, whole: Option<usize>) -> Result<Findings, SshomError> {
        let tried = self.tried;
        let completeness = match self.is_cut {
            false => completeness,
            true if tried == self.most => Completeness::AllAllowedTried { tried },
            true => Completeness::EndedAfter { tried, why: self.context.ended() },
        };
        Ok(Findings {
            solution: Solution::listed(self.context.first_order.kills.clone(), self.found, self.strict)?,
            killers: Killers::Listed(self.killers),
            completeness,
            whole: whole.filter(|_| !self.is_cut),
            looked: tried,
            curve: self.curve,
        })
    }
}

/// The tests that fail with a combination. Those that kill some of its mutants come first, as one that kills the
/// combination settles it, then those that kill none, then those that kill all.
fn kills(
    context: &SearchContext,
    splitting: &mut Splitting,
    mutants: &[u32],
    tests: TestsRun,
) -> Result<RoaringBitmap, PointStop> {
    let (program, first) = (context.program, &context.first_order.first);
    let sets = program.combination(mutants);
    let (shared, united) = (first.shared(mutants), first.united(mutants));
    let all: RoaringBitmap = (0..program.tests.len() as u32).collect();
    let mut kills = RoaringBitmap::new();
    for test in (&united - &shared).iter().chain(&all - &united).chain(&shared) {
        if splitting.fails(test as usize, &sets)? {
            kills.insert(test);
            if tests == TestsRun::UntilRuledOut && !shared.contains(test) {
                break;
            }
        }
    }
    Ok(kills)
}
