//! Searches a program the way that was asked for.

use std::sync::atomic::Ordering;

use anyhow::Result;
use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use roaring::RoaringBitmap;

use crate::analysis::sshom::Bounds;
use crate::analysis::sshom::Breeding;
use crate::analysis::sshom::BruteForce;
use crate::analysis::sshom::FirstOrder;
use crate::analysis::sshom::Genetic;
use crate::analysis::sshom::Prioritized;
use crate::analysis::sshom::Report;
use crate::analysis::sshom::Search as Trying;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::Subsumption;
use crate::analysis::sshom::Weights;
use crate::analysis::sshom::Which;
use crate::analysis::sshom::batches;
use crate::pipeline::engine::Telling;
use crate::pipeline::points::Bound;
use crate::pipeline::points::PointProgram;
use crate::pipeline::points::first_order;
use crate::pipeline::points::search_all;
use crate::pipeline::points::search_some;

use super::args::SearchArg;
use super::args::SourceArgs;

/// From so many mutants on, not all combinations are looked at unless that is asked for.
const MANY: usize = 500;
/// Most nodes of a decision diagram.
const MOST_NODES: usize = 50_000_000;

/// A search that is to be made.
pub struct Search<'a> {
    pub args: &'a SourceArgs,
    pub program: &'a PointProgram,
    pub telling: &'a Telling,
    pub bound: Bound<'a>,
}

/// What a search found.
pub struct SearchFound {
    pub search: SearchArg,
    pub first: FirstOrder,
    pub what: What,
    /// Whether it is all there is, or what is missing.
    pub complete: String,
    /// Runs of a test, in all and for mutants one by one.
    pub runs: u64,
    pub first_runs: u64,
    /// Boxes, or combinations, that were looked at.
    pub looked: u64,
}

/// All of them, or some one by one.
pub enum What {
    All(Box<Solution>, SplitFound),
    Some(Report),
}

/// One that was found.
pub struct One {
    pub mutants: Vec<u32>,
    pub kills: RoaringBitmap,
    pub strict: bool,
}

impl Search<'_> {
    pub fn run(&self) -> Result<SearchFound> {
        let points = &self.program.points;
        let default = if points.mutants() > MANY { SearchArg::Pri } else { SearchArg::Var };
        let search = self.args.search.unwrap_or(default);
        self.telling.phase("testing mutants one by one");
        let kills = first_order(self.program, self.bound)?;
        let first_runs = self.bound.runs.load(Ordering::Relaxed);
        let Some(kills) = kills else {
            let first = self.first(&vec![FixedBitSet::new(); self.program.tests.len()]);
            let complete = "time ran out while mutants were tested one by one: nothing was searched".into();
            let what = What::Some(Report::default());
            return Ok(SearchFound {
                search,
                first,
                what,
                complete,
                runs: first_runs,
                first_runs,
                looked: 0,
            });
        };
        let first = self.first(&kills);
        self.telling.phase("searching");
        let (what, complete, looked) = match search {
            SearchArg::Var => self.all(&kills)?,
            _ => self.some(search, &first)?,
        };
        let runs = self.bound.runs.load(Ordering::Relaxed);
        Ok(SearchFound { search, first, what, complete, runs, first_runs, looked })
    }

    fn first(&self, kills: &[FixedBitSet]) -> FirstOrder {
        let points = self.program.points.clone();
        let of = |mutant: usize| {
            let killers = (0..).zip(kills).filter(|(_, killed)| killed.contains(mutant));
            killers.map(|(test, _): (u32, _)| test).collect()
        };
        let kills = (0..points.mutants()).map(of).collect();
        FirstOrder { points, kills, places: Some(self.program.mutant_places()) }
    }

    fn all(&self, kills: &[FixedBitSet]) -> Result<(What, String, u64)> {
        let whole = search_all(self.program, kills, self.bound)?;
        let order = self.bound.max_order;
        let solution = whole.found.solution(&self.program.points, kills, order, MOST_NODES)?;
        let upto = order.map_or(String::new(), |order| format!(" up to order {order}"));
        let complete = if whole.finished == whole.parts {
            format!("complete{upto}")
        } else {
            format!(
                "not complete: time ran out with {} of {} tests done; found are all{upto} that one of these is \
                 the first to kill",
                whole.finished, whole.parts
            )
        };
        let looked = whole.found.leaves;
        Ok((What::All(Box::new(solution), whole.found), complete, looked))
    }

    fn some(&self, search: SearchArg, first: &FirstOrder) -> Result<(What, String, u64)> {
        let points = &self.program.points;
        let mut all = Report { exhausted: true, ..Report::default() };
        let mut stopped = false;
        let mut try_all = |search: &mut dyn Trying, early: bool| -> Result<()> {
            let done = search_some(self.program, search, first, early, self.bound)?;
            all.tried += done.report.tried;
            all.found.extend(done.report.found);
            stopped |= done.stopped;
            Ok(())
        };
        let complete = match search {
            SearchArg::Bf => {
                let order = self.bound.max_order.unwrap_or(2);
                try_all(&mut BruteForce::new(points.clone(), order), true)?;
                format!("complete up to order {order}")
            }
            SearchArg::Gen => {
                let seed = self.args.seed;
                let mut breeding = Breeding { seed, ..Breeding::default() };
                breeding.max_order = self.bound.max_order.unwrap_or(breeding.max_order);
                breeding.initial_order = breeding.initial_order.min(breeding.max_order);
                try_all(&mut Genetic::new(first, breeding), false)?;
                "not complete: a genetic search never is".into()
            }
            SearchArg::Pri | SearchArg::Var => {
                let usual = Bounds::default();
                let bounds = Bounds { order: self.bound.max_order.unwrap_or(usual.order), ..usual };
                for batch in batches(first) {
                    try_all(&mut Prioritized::new(first, &batch, bounds, Weights::default()), true)?;
                }
                format!(
                    "complete up to order {} in at most {} functions and {} files of one directory",
                    bounds.order, bounds.functions, bounds.files
                )
            }
        };
        let tried = all.tried;
        let complete = match stopped {
            true => format!("not complete: time ran out after {tried} combinations"),
            false => complete,
        };
        Ok((What::Some(all), complete, tried))
    }
}

impl SearchFound {
    /// How many there are of an order; of all orders without one.
    pub fn count(&self, which: Which, order: Option<usize>) -> BigUint {
        match &self.what {
            What::All(solution, _) => {
                let counts = solution.counts(which);
                order.map_or_else(|| counts.total(), |order| counts.of(order))
            }
            What::Some(report) => {
                let wanted = report.found.iter().filter(|found| {
                    order.is_none_or(|order| found.mutants.len() == order)
                        && (which == Which::All || found.subsumption == Subsumption::Strict)
                });
                wanted.count().into()
            }
        }
    }

    /// The orders of which there are some.
    pub fn orders(&self) -> Vec<usize> {
        match &self.what {
            What::All(solution, _) => solution.counts(Which::All).orders().map(|(order, _)| order).collect(),
            What::Some(report) => {
                let mut orders: Vec<usize> = report.found.iter().map(|found| found.mutants.len()).collect();
                orders.sort_unstable();
                orders.dedup();
                orders
            }
        }
    }

    /// Whether there is none of those that are wanted.
    pub fn is_empty(&self, strict: bool) -> bool {
        let which = if strict { Which::Strict } else { Which::All };
        self.count(which, None) == BigUint::ZERO
    }

    /// Them one by one: by order, then by mutants.
    pub fn ones(&self, which: Which) -> Box<dyn Iterator<Item = One> + '_> {
        match &self.what {
            What::All(solution, found) => Box::new(solution.combinations(which).map(|mutants| {
                let killers = found.killers(&self.first.points, &mutants).unwrap_or_default();
                let kills = killers.iter().map(|test| *test as u32).collect();
                One { strict: solution.has(Which::Strict, &mutants), mutants, kills }
            })),
            What::Some(report) => {
                let mut found: Vec<_> = report
                    .found
                    .iter()
                    .filter(|found| which == Which::All || found.subsumption == Subsumption::Strict)
                    .collect();
                found.sort_by(|a, b| (a.mutants.len(), &a.mutants).cmp(&(b.mutants.len(), &b.mutants)));
                Box::new(found.into_iter().map(|found| One {
                    mutants: found.mutants.clone(),
                    kills: found.kills.clone(),
                    strict: found.subsumption == Subsumption::Strict,
                }))
            }
        }
    }
}
