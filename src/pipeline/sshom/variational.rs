//! The variational search: all strongly subsuming higher-order mutants, by splitting boxes of combinations.

use std::sync::atomic::Ordering;
use std::time::Duration;

use num_bigint::BigUint;
use rustc_hash::FxHashMap;

use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::Which;

use super::completeness::Completeness;
use super::completeness::SearchEnd;
use super::context::SearchContext;
use super::deepen::Deepening;
use super::error::SshomError;
use super::points::FinishedPart;
use super::points::SearchBound;
use super::points::split_all;
use super::result::Findings;
use super::result::Killers;

/// Most nodes of a decision diagram.
const MOST_NODES: usize = 50_000_000;

/// Searches pass by pass, each with a higher order than the last.
pub fn search(context: &SearchContext) -> Result<Findings, SshomError> {
    let SearchContext { request, program, first_order, bound } = *context;
    let mut orders = Deepening::new(request.max_order, request.budget.is_some());
    let mut found = PartsFound::default();
    let completeness = loop {
        bound.cut.store(false, Ordering::Relaxed);
        let parts =
            split_all(program, &first_order.kills, SearchBound { max_order: orders.order(), ..bound })?;
        let (done, tests) = (parts.iter().flatten().count(), parts.len());
        found.take(context, parts, orders.order())?;
        if done < tests {
            let (whole, order, why) = (orders.whole(), orders.order(), why_ended(context));
            break Completeness::SomeTests { whole, order, why, done, tests };
        }
        if let Some(done) = orders.finish_pass(bound.cut.load(Ordering::Relaxed), program.points.len()) {
            break done;
        }
    };
    let mut boxes = SplitFound::default();
    found.parts.into_iter().flatten().for_each(|part| boxes.add(part.found));
    Ok(Findings {
        solution: boxes.solution(&program.points, &first_order.kills, orders.order(), MOST_NODES)?,
        killers: Killers::Boxes(boxes),
        completeness,
        whole: orders.whole(),
        looked: found.looked,
        curve: found.curve,
    })
}

/// Why parts are missing.
fn why_ended(context: &SearchContext) -> SearchEnd {
    let in_time = !context.bound.time.is_over() && !context.bound.progress.stopped();
    match context.request.max_looked {
        Some(most) if in_time => SearchEnd::Leaves(most),
        _ => context.ended(),
    }
}

/// The parts that were finished in the last pass that came to them.
#[derive(Default)]
struct PartsFound {
    parts: Vec<Option<FinishedPart>>,
    counts: CountByPart,
    curve: Vec<(Duration, BigUint)>,
    looked: u64,
}

impl PartsFound {
    /// Takes the parts of a pass.
    fn take(
        &mut self,
        context: &SearchContext,
        parts: Vec<Option<FinishedPart>>,
        order: Option<usize>,
    ) -> Result<(), SshomError> {
        self.parts.resize_with(parts.len(), || None);
        let finished = parts.into_iter().enumerate().filter_map(|(at, part)| Some((at, part?)));
        let mut by_time: Vec<(usize, FinishedPart)> = finished.collect();
        by_time.sort_by_key(|(_, part)| part.after);
        let (points, kills) = (&context.program.points, &context.first_order.kills);
        for (at, part) in by_time {
            let count = part.found.solution(points, kills, order, MOST_NODES)?.counts(Which::All).total();
            self.curve.push((part.after, self.counts.put(at, count)));
            self.looked += part.found.leaves;
            self.parts[at] = Some(part);
        }
        Ok(())
    }
}

/// How many combinations each part has, and all of them together.
#[derive(Default)]
struct CountByPart {
    parts: FxHashMap<usize, BigUint>,
    all: BigUint,
}

impl CountByPart {
    /// Takes how many a part has now; gives how many there are in all.
    fn put(&mut self, part: usize, count: BigUint) -> BigUint {
        let before = self.parts.insert(part, count.clone()).unwrap_or_default();
        self.all = &self.all + count - before;
        self.all.clone()
    }
}
