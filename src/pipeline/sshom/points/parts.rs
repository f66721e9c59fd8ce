//! The parts of the complete search, shared among workers. A worker without work takes boxes of a part from the
//! others, so that nobody waits for the one that has the largest part.
//!
//! What is left of the first parts comes before others are begun: when time runs out, as many as possible are
//! done.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fixedbitset::FixedBitSet;

use crate::analysis::sshom::PlanStep;
use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::SplitPlan;
use crate::analysis::sshom::SubsumingBox;
use crate::control::TaskQueue;
use crate::control::share_tasks;
use crate::runner::RunError;

use super::bound::PointStop;
use super::bound::RunCounts;
use super::bound::SearchBound;
use super::program::PointProgram;
use super::splitting::Splitting;
use super::worker::Worker;

/// Most boxes that are taken at a time.
const MOST_BOXES: usize = 64;
/// How long they are kept before what is left of them is shared again.
const TURN: Duration = Duration::from_millis(50);

/// A part of the complete search that is finished: all combinations that one test is the first to kill.
pub struct FinishedPart {
    pub found: SplitFound,
    /// When it was finished.
    pub after: Duration,
}

/// Finds all strongly subsuming higher-order mutants by splitting: the parts of the search, none for those that were
/// not finished.
pub fn split_all(
    program: &PointProgram,
    kills: &[FixedBitSet],
    bound: SearchBound,
) -> Result<Vec<Option<FinishedPart>>, RunError> {
    let plan = SplitPlan::new(&program.points, kills);
    let done = (0..plan.parts()).map(|_| None).collect();
    let workers = program.workers.len();
    let mut queue = PartQueue { plan: &plan, bound, workers, next: 0, begun: BTreeMap::new(), done };
    let equip = |number: usize| Ok(program.worker(number));
    let ended = share_tasks(&mut queue, workers, bound.progress, equip, |worker, task| {
        carry(program, &plan, bound, worker, task)
    });
    match ended {
        Err(PointStop::Run(error)) => Err(error),
        _ => Ok(queue.done),
    }
}

/// A part that was begun.
struct BegunPart {
    steps: Arc<Vec<PlanStep>>,
    /// What is left to do.
    open: Vec<OpenBox>,
    /// How many workers have boxes of it.
    working: usize,
    found: SplitFound,
    tally: Arc<Tally>,
}

/// A box that was not carried through all tests yet.
struct OpenBox {
    /// The number of its next step.
    step: usize,
    combinations: SubsumingBox,
}

/// What a part took so far. It counts only if the part is finished: how far others are depends on the machine.
#[derive(Default)]
struct Tally {
    leaves: AtomicU64,
    runs: RunCounts,
}

/// Boxes of a part, for one worker.
struct BoxesTask {
    part: usize,
    steps: Arc<Vec<PlanStep>>,
    open: Vec<OpenBox>,
    tally: Arc<Tally>,
}

/// The result of boxes.
enum Carried {
    /// What was found, and what is left to do.
    Boxes { part: usize, found: SplitFound, open: Vec<OpenBox> },
    /// The part has more leaves than allowed.
    TooManyLeaves { part: usize },
}

/// Carries boxes through their tests, for a while.
fn carry(
    program: &PointProgram,
    plan: &SplitPlan,
    bound: SearchBound,
    worker: &mut Worker,
    task: BoxesTask,
) -> Result<Carried, PointStop> {
    let BoxesTask { part, steps, mut open, tally } = task;
    let until = bound.time.elapsed() + TURN;
    let counted = SearchBound { runs: &tally.runs, ..bound };
    let mut splitting = Splitting { program, worker, bound: counted, leaves: &tally.leaves };
    let mut found = SplitFound::default();
    while let Some(OpenBox { step, combinations }) = open.pop() {
        let Some(test) = steps.get(step) else {
            found.boxes.push(combinations);
            continue;
        };
        let left = match plan.carry(combinations, *test, &mut splitting) {
            Err(PointStop::Leaves) => return Ok(Carried::TooManyLeaves { part }),
            left => left?,
        };
        let next = |combinations| OpenBox { step: step + 1, combinations };
        open.extend(left.boxes.into_iter().map(next));
        found.add(SplitFound { boxes: vec![], ..left });
        if bound.time.elapsed() >= until {
            break;
        }
    }
    Ok(Carried::Boxes { part, found, open })
}

/// The parts: those that nobody began, those that are begun, and those that are finished.
struct PartQueue<'a> {
    plan: &'a SplitPlan<'a>,
    bound: SearchBound<'a>,
    /// Among how many workers boxes are shared.
    workers: usize,
    /// The next part to begin.
    next: usize,
    begun: BTreeMap<usize, BegunPart>,
    done: Vec<Option<FinishedPart>>,
}

impl TaskQueue for PartQueue<'_> {
    type Task = BoxesTask;
    type Done = Carried;

    fn take(&mut self) -> Option<BoxesTask> {
        loop {
            if let Some((&part, begun)) = self.begun.iter_mut().find(|(_, begun)| !begun.open.is_empty()) {
                let count = (begun.open.len() / (2 * self.workers) + 1).min(MOST_BOXES);
                let open = begun.open.split_off(begun.open.len() - count);
                begun.working += 1;
                let (steps, tally) = (Arc::clone(&begun.steps), Arc::clone(&begun.tally));
                return Some(BoxesTask { part, steps, open, tally });
            }
            if self.next == self.done.len() {
                return None;
            }
            self.begin();
        }
    }

    fn put(&mut self, carried: Carried) {
        match carried {
            Carried::TooManyLeaves { part } => {
                self.begun.remove(&part);
            }
            Carried::Boxes { part, found, open } => {
                // The part is gone if another worker found too many leaves in it.
                if let Some(begun) = self.begun.get_mut(&part) {
                    begun.found.add(found);
                    begun.open.extend(open);
                    begun.working -= 1;
                    self.close(part);
                }
            }
        }
    }
}

impl PartQueue<'_> {
    /// Begins the next part.
    fn begin(&mut self) {
        let part = self.next;
        let first = |combinations| OpenBox { step: 0, combinations };
        let begun = BegunPart {
            steps: Arc::new(self.plan.steps(part)),
            open: self.plan.whole(part).into_iter().map(first).collect(),
            working: 0,
            found: SplitFound::default(),
            tally: Arc::default(),
        };
        self.next += 1;
        self.begun.insert(part, begun);
        self.close(part);
    }

    /// Moves a part to the finished ones, if nothing is left of it.
    fn close(&mut self, part: usize) {
        let is_done = |begun: &BegunPart| begun.open.is_empty() && begun.working == 0;
        if !self.begun.get(&part).is_some_and(is_done) {
            return;
        }
        if let Some(BegunPart { mut found, tally, .. }) = self.begun.remove(&part) {
            found.sort();
            self.bound.runs.add(tally.runs.all(), tally.runs.forks());
            self.done[part] = Some(FinishedPart { found, after: self.bound.time.elapsed() });
            let upto = self.bound.max_order.map_or(String::new(), |order| format!("up to order {order}: "));
            let done = self.done.iter().flatten().count();
            (self.bound.tell)(format!("{upto}{done} of {} tests", self.done.len()));
        }
    }
}
