//! The search for all, shared among workers: whoever has nothing to do takes boxes of a part from the others, so
//! that nobody waits for whoever has the largest one.
//!
//! What is left of the first parts comes before others are begun: when time runs out, as many as possible are
//! done.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use fixedbitset::FixedBitSet;

use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::SplitPlan;
use crate::analysis::sshom::Step;
use crate::analysis::sshom::SubsumingBox;
use crate::runner::RunError;

use super::program::PointProgram;
use super::worker::Bound;
use super::worker::PointStop;
use super::worker::Runs;
use super::worker::Splitting;
use super::worker::Worker;

/// Most boxes that are taken at a time.
const MOST_BOXES: usize = 64;
/// How long they are kept before what is left of them is shared again.
const TURN: Duration = Duration::from_millis(50);

/// A part of the search for all: what one test is the first to kill.
pub struct Part {
    pub found: SplitFound,
    /// When it was finished.
    pub after: Duration,
}

/// All strongly subsuming higher-order mutants, by splitting: the parts of the search, none for those that were
/// not finished.
pub fn search_all(
    program: &PointProgram,
    kills: &[FixedBitSet],
    bound: Bound,
) -> Result<Vec<Option<Part>>, RunError> {
    let plan = SplitPlan::new(&program.points, kills);
    let done = (0..plan.parts()).map(|_| None).collect();
    let desk = Desk { next: 0, begun: BTreeMap::new(), done, ended: None };
    let share = program.workers.len();
    let office = Office { program, plan, bound, desk: Mutex::new(desk), news: Condvar::new(), share };
    std::thread::scope(|scope| {
        for worker in &program.workers {
            scope.spawn(|| office.work(&mut worker.lock().expect("no worker panics with the lock")));
        }
    });
    let desk = office.desk.into_inner().expect("no worker panics with the lock");
    match desk.ended {
        Some(PointStop::Run(error)) => Err(error),
        _ => Ok(desk.done),
    }
}

/// What there is to do, and what was done.
struct Desk {
    /// The next part to begin.
    next: usize,
    begun: BTreeMap<usize, Begun>,
    done: Vec<Option<Part>>,
    /// Why nothing more is done.
    ended: Option<PointStop>,
}

/// A part that was begun.
struct Begun {
    steps: Arc<Vec<Step>>,
    /// What is left to do: boxes, each with the number of its next step.
    open: Vec<(usize, SubsumingBox)>,
    /// How many have boxes of it.
    working: usize,
    found: SplitFound,
    tally: Arc<Tally>,
}

/// What a part took so far. It counts only if the part is finished: how far others came depends on who was first.
#[derive(Default)]
struct Tally {
    leaves: AtomicU64,
    runs: Runs,
}

/// Something to do: boxes of a part.
struct Task {
    part: usize,
    steps: Arc<Vec<Step>>,
    open: Vec<(usize, SubsumingBox)>,
    tally: Arc<Tally>,
}

struct Office<'a> {
    program: &'a PointProgram,
    plan: SplitPlan<'a>,
    bound: Bound<'a>,
    desk: Mutex<Desk>,
    /// Told whenever there may be something to do.
    news: Condvar,
    /// Among how many the work is shared.
    share: usize,
}

impl Office<'_> {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().expect("no worker panics with the lock")
    }

    fn work(&self, worker: &mut Worker) {
        while let Some(mut task) = self.take() {
            let found = self.carry(worker, &mut task);
            self.put(task, found);
            self.news.notify_all();
        }
    }

    fn take(&self) -> Option<Task> {
        let mut desk = self.desk();
        loop {
            if desk.ended.is_some() || self.bound.progress.stopped() {
                return None;
            }
            if let Some((&part, begun)) = desk.begun.iter_mut().find(|(_, begun)| !begun.open.is_empty()) {
                let count = (begun.open.len() / (2 * self.share) + 1).min(MOST_BOXES);
                let open = begun.open.split_off(begun.open.len() - count);
                begun.working += 1;
                let (steps, tally) = (Arc::clone(&begun.steps), Arc::clone(&begun.tally));
                return Some(Task { part, steps, open, tally });
            }
            if desk.next < desk.done.len() {
                self.begin(&mut desk);
            } else if desk.begun.is_empty() {
                return None;
            } else {
                desk = self.news.wait(desk).expect("no worker panics with the lock");
            }
        }
    }

    /// Begins the next part.
    fn begin(&self, desk: &mut Desk) {
        let part = desk.next;
        let begun = Begun {
            steps: Arc::new(self.plan.steps(part)),
            open: self.plan.whole(part).into_iter().map(|whole| (0, whole)).collect(),
            working: 0,
            found: SplitFound::default(),
            tally: Arc::default(),
        };
        desk.next += 1;
        desk.begun.insert(part, begun);
        self.close(desk, part);
    }

    /// Carries boxes through their tests, for a while: what was found, and what is left of them in the task.
    fn carry(&self, worker: &mut Worker, task: &mut Task) -> Result<SplitFound, PointStop> {
        let until = self.bound.begun.elapsed() + TURN;
        let bound = Bound { runs: &task.tally.runs, ..self.bound };
        let mut splitting = Splitting { program: self.program, worker, bound, leaves: &task.tally.leaves };
        let mut found = SplitFound::default();
        while let Some((step, one)) = task.open.pop() {
            let Some(test) = task.steps.get(step) else {
                found.boxes.push(one);
                continue;
            };
            let left = self.plan.carry(one, *test, &mut splitting)?;
            task.open.extend(left.boxes.into_iter().map(|one| (step + 1, one)));
            found.add(SplitFound { boxes: vec![], ..left });
            if self.bound.begun.elapsed() >= until {
                break;
            }
        }
        Ok(found)
    }

    /// Puts back what came of a task.
    fn put(&self, task: Task, found: Result<SplitFound, PointStop>) {
        let mut desk = self.desk();
        match found {
            Ok(found) => {
                // The part is not there any more if somebody found too much in it.
                if let Some(begun) = desk.begun.get_mut(&task.part) {
                    begun.found.add(found);
                    begun.open.extend(task.open);
                    begun.working -= 1;
                    self.close(&mut desk, task.part);
                }
            }
            Err(PointStop::Leaves) => {
                desk.begun.remove(&task.part);
            }
            Err(ended) => {
                desk.ended.get_or_insert(ended);
            }
        }
    }

    /// Puts a part to what is done, if there is nothing left of it.
    fn close(&self, desk: &mut Desk, part: usize) {
        let is_done = |begun: &Begun| begun.open.is_empty() && begun.working == 0;
        if !desk.begun.get(&part).is_some_and(is_done) {
            return;
        }
        if let Some(Begun { mut found, tally, .. }) = desk.begun.remove(&part) {
            found.sort();
            self.bound.runs.add(&tally.runs);
            desk.done[part] = Some(Part { found, after: self.bound.begun.elapsed() });
            let upto = self.bound.max_order.map_or(String::new(), |order| format!("up to order {order}: "));
            let done = desk.done.iter().flatten().count();
            (self.bound.tell)(format!("{upto}{done} of {} tests", desk.done.len()));
        }
    }
}
