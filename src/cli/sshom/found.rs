//! Searches a program the ways that were asked for, one after the other.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use anyhow::Result;
use fixedbitset::FixedBitSet;
use num_bigint::BigUint;
use roaring::RoaringBitmap;
use rustc_hash::FxHashMap;

use crate::analysis::sshom::Bounds;
use crate::analysis::sshom::Breeding;
use crate::analysis::sshom::BruteForce;
use crate::analysis::sshom::FirstOrder;
use crate::analysis::sshom::Genetic;
use crate::analysis::sshom::Prioritized;
use crate::analysis::sshom::Search as Trying;
use crate::analysis::sshom::Solution;
use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::Subsumption;
use crate::analysis::sshom::Weights;
use crate::analysis::sshom::Which;
use crate::analysis::sshom::batches;
use crate::control::Events;
use crate::control::Phase;
use crate::pipeline::sshom::points::Bound;
use crate::pipeline::sshom::points::Part;
use crate::pipeline::sshom::points::PointProgram;
use crate::pipeline::sshom::points::Runs;
use crate::pipeline::sshom::points::first_order;
use crate::pipeline::sshom::points::search_all;
use crate::pipeline::sshom::points::search_some;

use super::args::SearchArg;
use super::args::SourceArgs;

/// From so many mutants on, not all combinations are looked at unless that is asked for.
const MANY: usize = 500;
/// Most nodes of a decision diagram.
const MOST_NODES: usize = 50_000_000;

/// What is searched, and within which bounds.
pub struct Search<'a> {
    pub args: &'a SourceArgs,
    pub program: &'a PointProgram,
    pub events: &'a Events,
    /// For each search, mutants one by one with it.
    pub budget: Option<Duration>,
}

/// Mutants one by one.
pub struct Alone {
    pub first: FirstOrder,
    /// For each test, the mutants that it kills.
    kills: Vec<FixedBitSet>,
    pub runs: u64,
    pub took: Duration,
    /// Whether all were tested.
    pub finished: bool,
}

/// What a search found.
pub struct SearchFound {
    pub search: SearchArg,
    pub solution: Solution,
    killers: Killers,
    /// Whether it is all there is, or what is missing.
    pub complete: String,
    /// Up to which order it is all there is, if anything is.
    pub whole: Option<usize>,
    /// Runs of a test.
    pub runs: u64,
    /// Those of them that began where they parted from another.
    pub forks: u64,
    /// Leaves, or combinations, that were looked at.
    pub looked: u64,
    /// How long it took, mutants one by one with it.
    pub took: Duration,
    /// How many had been found, and when.
    pub curve: Vec<(Duration, BigUint)>,
}

/// Who kills what was found.
enum Killers {
    Boxes(SplitFound),
    Listed(FxHashMap<Vec<u32>, RoaringBitmap>),
}

/// One that was found.
pub struct One {
    pub mutants: Vec<u32>,
    pub kills: RoaringBitmap,
    pub strict: bool,
}

impl Alone {
    /// Tests mutants one by one.
    pub fn test(program: &mut PointProgram, budget: Option<Duration>, events: &Events) -> Result<Self> {
        let tell = |how_far: String| events.at(Phase::TestingFirstOrder, how_far);
        let (runs, cut) = (Runs::default(), AtomicBool::new(false));
        let begun = Instant::now();
        let is_over = || budget.is_some_and(|budget| begun.elapsed() >= budget);
        let progress = &events.progress;
        let bound = Bound {
            max_order: None,
            cut: &cut,
            max_leaves: None,
            begun,
            is_over: &is_over,
            progress,
            tell: &tell,
            runs: &runs,
        };
        let kills = first_order(program, bound, events)?;
        let finished = kills.is_some();
        let none = || vec![FixedBitSet::with_capacity(program.points.mutants()); program.tests.len()];
        let kills = kills.unwrap_or_else(none);
        let first = first_kills(program, &kills);
        Ok(Self { first, kills, runs: runs.all(), took: begun.elapsed(), finished })
    }
}

/// For each mutant, the tests that kill it.
fn first_kills(program: &PointProgram, kills: &[FixedBitSet]) -> FirstOrder {
    let points = program.points.clone();
    let of = |mutant: usize| {
        let killers = (0..).zip(kills).filter(|(_, killed)| killed.contains(mutant));
        killers.map(|(test, _): (u32, _)| test).collect()
    };
    let kills = (0..points.mutants()).map(of).collect();
    FirstOrder { points, kills, places: Some(program.mutant_places()) }
}

impl Search<'_> {
    /// The searches that are made.
    pub fn searches(&self) -> Vec<SearchArg> {
        let many = self.program.points.mutants() > MANY;
        match &self.args.search[..] {
            [] => vec![if many { SearchArg::Pri } else { SearchArg::Var }],
            asked => asked.to_vec(),
        }
    }

    fn bound<'b>(
        &'b self,
        is_over: &'b (dyn Fn() -> bool + Sync),
        tell: &'b (dyn Fn(String) + Sync),
        begun: Instant,
        runs: &'b Runs,
        cut: &'b AtomicBool,
    ) -> Bound<'b> {
        let (max_order, max_leaves) = (self.args.max_order, self.args.max_looked);
        Bound { max_order, cut, max_leaves, begun, is_over, progress: &self.events.progress, tell, runs }
    }

    /// Searches one way.
    pub fn run(&self, search: SearchArg, alone: &Alone) -> Result<SearchFound> {
        let tell =
            |how_far: String| self.events.at(Phase::Searching, format!("{}, {how_far}", search.name()));
        let (runs, cut) = (Runs::default(), AtomicBool::new(false));
        let begun = Instant::now();
        let left = self.budget.map(|budget| budget.saturating_sub(alone.took));
        let is_over = || left.is_some_and(|left| begun.elapsed() >= left);
        let bound = self.bound(&is_over, &tell, begun, &runs, &cut);
        let mut found = match search {
            _ if !alone.finished => self.nothing(search, alone)?,
            SearchArg::Var => self.all(alone, bound)?,
            _ => self.some(search, alone, left, bound)?,
        };
        (found.runs, found.forks) = (runs.all(), runs.forks());
        found.took = alone.took + begun.elapsed();
        found.curve.iter_mut().for_each(|(after, _)| *after += alone.took);
        Ok(found)
    }

    fn ended(&self) -> &'static str {
        if self.events.progress.stopped() { "it was stopped" } else { "time ran out" }
    }

    fn nothing(&self, search: SearchArg, alone: &Alone) -> Result<SearchFound> {
        Ok(SearchFound {
            search,
            solution: Solution::listed(alone.kills.clone(), vec![], vec![])?,
            killers: Killers::Listed(FxHashMap::default()),
            complete: format!("{} while mutants were tested one by one: nothing was searched", self.ended()),
            whole: None,
            runs: 0,
            forks: 0,
            looked: 0,
            took: Duration::ZERO,
            curve: vec![],
        })
    }

    /// By splitting. Where time is limited, first pairs, then triples, and so on: all orders at once may leave
    /// nothing finished.
    fn all(&self, alone: &Alone, bound: Bound) -> Result<SearchFound> {
        let asked = self.args.max_order;
        let deepens = asked.is_none() && self.budget.is_some();
        let mut best: Vec<Option<Part>> = Vec::new();
        let (mut counted, mut curve) = (Counted::default(), Vec::new());
        let (mut order, mut whole, mut looked) = (if deepens { Some(2) } else { asked }, None, 0);
        let complete = loop {
            bound.cut.store(false, Ordering::Relaxed);
            let parts = search_all(self.program, &alone.kills, Bound { max_order: order, ..bound })?;
            let (finished, count) = (parts.iter().flatten().count(), parts.len());
            best.resize_with(count, || None);
            let mut by_time: Vec<(usize, Part)> =
                parts.into_iter().enumerate().filter_map(|(at, part)| Some((at, part?))).collect();
            by_time.sort_by_key(|(_, part)| part.after);
            for (at, part) in by_time {
                let solution = part.found.solution(&self.program.points, &alone.kills, order, MOST_NODES)?;
                curve.push((part.after, counted.put(at, solution.counts(Which::All).total())));
                looked += part.found.leaves;
                best[at] = Some(part);
            }
            if finished < count {
                break self.missing((bound.is_over)(), [order, whole], finished, count);
            }
            whole = order;
            if !bound.cut.load(Ordering::Relaxed) && asked.is_none() {
                (order, whole) = (None, Some(self.program.points.len()));
                break "complete".into();
            }
            match order.filter(|_| deepens) {
                Some(last) => order = Some(last + 1),
                None => {
                    whole = whole.or(Some(self.program.points.len()));
                    break order.map_or("complete".into(), |order| format!("complete up to order {order}"));
                }
            }
        };
        let mut found = SplitFound::default();
        best.into_iter().flatten().for_each(|part| found.add(part.found));
        let solution = found.solution(&self.program.points, &alone.kills, order, MOST_NODES)?;
        let killers = Killers::Boxes(found);
        let (runs, forks, took) = (0, 0, Duration::ZERO);
        Ok(SearchFound {
            search: SearchArg::Var,
            solution,
            killers,
            complete,
            whole,
            runs,
            forks,
            looked,
            took,
            curve,
        })
    }

    fn missing(&self, over: bool, orders: [Option<usize>; 2], finished: usize, count: usize) -> String {
        let [order, whole] = orders;
        let so_far = whole.map_or("not complete".into(), |order| format!("complete up to order {order}"));
        let upto = order.map_or(String::new(), |order| format!(" up to order {order}"));
        let why = match self.args.max_looked.filter(|_| !over && !self.events.progress.stopped()) {
            Some(most) => format!("there were more than {most} leaves"),
            None => self.ended().into(),
        };
        format!(
            "{so_far}; {why}, with {finished} of {count} tests done: found are all{upto} that one of these is the \
             first to kill"
        )
    }

    fn some(
        &self,
        search: SearchArg,
        alone: &Alone,
        left: Option<Duration>,
        bound: Bound,
    ) -> Result<SearchFound> {
        let first = &alone.first;
        let points = &self.program.points;
        let mut all = Tried::default();
        let most = self.args.max_looked.unwrap_or(u64::MAX);
        let stopped = Cell::new(false);
        let mut try_all = |search: &mut dyn Trying, early: bool, bound: Bound| -> Result<()> {
            let done = search_some(self.program, search, first, early, most - all.tried, bound)?;
            all.tried += done.report.tried;
            for (found, after) in done.report.found.into_iter().zip(done.after) {
                let mutants = found.mutants.clone();
                if all.killers.insert(found.mutants, found.kills).is_none() {
                    all.strict.extend((found.subsumption == Subsumption::Strict).then(|| mutants.clone()));
                    all.list.push(mutants);
                    all.curve.push((after, all.list.len().into()));
                }
            }
            stopped.set(stopped.get() || done.stopped);
            Ok(())
        };
        let mut whole = None;
        let complete = match search {
            SearchArg::Bf => {
                let order = self.args.max_order.unwrap_or(2);
                try_all(&mut BruteForce::new(points.clone(), order), true, bound)?;
                whole = Some(order);
                format!("complete up to order {order}")
            }
            SearchArg::Gen => {
                let mut breeding = Breeding { seed: self.args.seed, ..Breeding::default() };
                breeding.max_order = self.args.max_order.unwrap_or(breeding.max_order);
                breeding.initial_order = breeding.initial_order.min(breeding.max_order);
                try_all(&mut Genetic::new(first, breeding), false, bound)?;
                "not complete: a genetic search never is".into()
            }
            SearchArg::Pri | SearchArg::Var => {
                let usual = Bounds::default();
                let bounds = Bounds { order: self.args.max_order.unwrap_or(usual.order), ..usual };
                let batches = batches(first);
                for (done, batch) in batches.iter().enumerate() {
                    // Each gets its share of the time that is left.
                    let now = bound.begun.elapsed();
                    let share = |left: Duration| left.saturating_sub(now) / (batches.len() - done) as u32;
                    let until = left.map(|left| now + share(left));
                    let is_over = || until.is_some_and(|until| bound.begun.elapsed() >= until);
                    let mut search = Prioritized::new(first, batch, bounds, Weights::default());
                    try_all(&mut search, true, Bound { is_over: &is_over, ..bound })?;
                }
                format!(
                    "complete up to order {} in at most {} functions and {} files of one directory",
                    bounds.order, bounds.functions, bounds.files
                )
            }
        };
        let Tried { list, strict, killers, tried, curve } = all;
        let complete = match stopped.get() {
            false => complete,
            true if tried == most => {
                format!("not complete: {tried} combinations were tried, as many as allowed")
            }
            true => format!("not complete: {} after {tried} combinations", self.ended()),
        };
        Ok(SearchFound {
            search,
            solution: Solution::listed(alone.kills.clone(), list, strict)?,
            killers: Killers::Listed(killers),
            complete,
            whole: whole.filter(|_| !stopped.get()),
            runs: 0,
            forks: 0,
            looked: tried,
            took: Duration::ZERO,
            curve,
        })
    }
}

/// What a search that tries one after the other has so far.
#[derive(Default)]
struct Tried {
    list: Vec<Vec<u32>>,
    strict: Vec<Vec<u32>>,
    killers: FxHashMap<Vec<u32>, RoaringBitmap>,
    tried: u64,
    curve: Vec<(Duration, BigUint)>,
}

/// How many each part of a search has, and all of them together.
#[derive(Default)]
struct Counted {
    parts: FxHashMap<usize, BigUint>,
    all: BigUint,
}

impl Counted {
    /// Takes what a part has now; gives how many there are in all.
    fn put(&mut self, part: usize, count: BigUint) -> BigUint {
        let before = self.parts.insert(part, count.clone()).unwrap_or_default();
        self.all = &self.all + count - before;
        self.all.clone()
    }
}

impl SearchFound {
    /// How many there are.
    pub fn count(&self, which: Which) -> BigUint {
        self.solution.counts(which).total()
    }

    /// The tests that kill one that was found.
    fn killers(&self, mutants: &[u32], first: &FirstOrder) -> RoaringBitmap {
        match &self.killers {
            Killers::Boxes(found) => {
                let killers = found.killers(&first.points, mutants).unwrap_or_default();
                killers.iter().map(|test| *test as u32).collect()
            }
            Killers::Listed(killers) => killers.get(mutants).cloned().unwrap_or_default(),
        }
    }

    /// Them one by one: by order, then by mutants.
    pub fn ones<'a>(&'a self, which: Which, first: &'a FirstOrder) -> impl Iterator<Item = One> + 'a {
        self.solution.combinations(which).map(move |mutants| One {
            strict: self.solution.has(Which::Strict, &mutants),
            kills: self.killers(&mutants, first),
            mutants,
        })
    }

    /// How many of another search's are among these, of those that are of an order that is complete here; and
    /// how many these are.
    pub fn among(&self, other: &Self) -> Option<(usize, usize)> {
        let whole = self.whole?;
        let (mut found, mut all) = (0, 0);
        for mutants in other.solution.combinations(Which::All).take_while(|mutants| mutants.len() <= whole) {
            all += 1;
            found += usize::from(self.solution.has(Which::All, &mutants));
        }
        Some((found, all))
    }
}
