//! The search for all, shared among workers: a part of it is cut further, into the boxes that its first test
//! leaves, so that nobody waits for whoever has the largest part.
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

use crate::analysis::sshom::OpenPart;
use crate::analysis::sshom::OtherTest;
use crate::analysis::sshom::SplitFound;
use crate::analysis::sshom::SplitPlan;
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
    let desk = Desk { next: 0, beginning: 0, begun: BTreeMap::new(), done, ended: None };
    let office = Office {
        program,
        plan,
        bound,
        desk: Mutex::new(desk),
        news: Condvar::new(),
        share: program.workers.len(),
    };
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
    /// How many are being begun.
    beginning: usize,
    begun: BTreeMap<usize, Begun>,
    done: Vec<Option<Part>>,
    /// Why nothing more is done.
    ended: Option<PointStop>,
}

/// A part that was begun.
struct Begun {
    boxes: Vec<SubsumingBox>,
    others: Arc<Vec<OtherTest>>,
    tally: Arc<Tally>,
    found: SplitFound,
    /// How many have boxes of it.
    working: usize,
}

/// What a part took so far. It counts only if the part is finished: how far others came depends on who was first.
#[derive(Default)]
struct Tally {
    leaves: AtomicU64,
    runs: Runs,
}

/// Something to do.
enum Task {
    Begin { part: usize },
    Finish { part: usize, boxes: Vec<SubsumingBox>, others: Arc<Vec<OtherTest>>, tally: Arc<Tally> },
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
        while let Some(task) = self.take() {
            let ended = match task {
                Task::Begin { part } => self.begin(worker, part),
                Task::Finish { part, boxes, others, tally } => {
                    self.finish(worker, part, boxes, &others, &tally)
                }
            };
            if let Err(ended) = ended {
                self.desk().ended.get_or_insert(ended);
            }
            self.news.notify_all();
        }
    }

    fn take(&self) -> Option<Task> {
        let mut desk = self.desk();
        loop {
            if desk.ended.is_some() || self.bound.meter.stopped() {
                return None;
            }
            if let Some((&part, begun)) = desk.begun.iter_mut().find(|(_, begun)| !begun.boxes.is_empty()) {
                let count = (begun.boxes.len() / (2 * self.share) + 1).min(MOST_BOXES);
                let boxes = begun.boxes.split_off(begun.boxes.len() - count);
                begun.working += 1;
                return Some(Task::Finish {
                    part,
                    boxes,
                    others: Arc::clone(&begun.others),
                    tally: Arc::clone(&begun.tally),
                });
            }
            if desk.next < desk.done.len() {
                desk.next += 1;
                desk.beginning += 1;
                return Some(Task::Begin { part: desk.next - 1 });
            }
            if desk.beginning == 0 {
                return None;
            }
            desk = self.news.wait(desk).expect("no worker panics with the lock");
        }
    }

    fn splitting<'s>(&'s self, worker: &'s mut Worker, tally: &'s Tally) -> Splitting<'s> {
        let bound = Bound { runs: &tally.runs, ..self.bound };
        Splitting { program: self.program, worker, bound, leaves: &tally.leaves }
    }

    fn begin(&self, worker: &mut Worker, part: usize) -> Result<(), PointStop> {
        let tally = Arc::new(Tally::default());
        let begun = self.plan.begin(part, &mut self.splitting(worker, &tally));
        let mut desk = self.desk();
        desk.beginning -= 1;
        match begun {
            Ok((OpenPart { boxes, others }, found)) => {
                let begun = Begun { boxes, others: Arc::new(others), tally, found, working: 0 };
                desk.begun.insert(part, begun);
                self.close(&mut desk, part);
                Ok(())
            }
            Err(PointStop::Leaves) => Ok(()),
            Err(ended) => Err(ended),
        }
    }

    fn finish(
        &self,
        worker: &mut Worker,
        part: usize,
        boxes: Vec<SubsumingBox>,
        others: &[OtherTest],
        tally: &Tally,
    ) -> Result<(), PointStop> {
        let mut splitting = self.splitting(worker, tally);
        let mut found = SplitFound::default();
        let ended = boxes.into_iter().try_for_each(|one| {
            found.add(self.plan.finish(others, one, &mut splitting)?);
            Ok(())
        });
        let mut desk = self.desk();
        match ended {
            Ok(()) => {
                // It is not there any more if somebody found too much in it.
                if let Some(begun) = desk.begun.get_mut(&part) {
                    begun.found.add(found);
                    begun.working -= 1;
                    self.close(&mut desk, part);
                }
                Ok(())
            }
            Err(PointStop::Leaves) => {
                desk.begun.remove(&part);
                Ok(())
            }
            Err(ended) => Err(ended),
        }
    }

    /// Puts a part to what is done, if there is nothing left of it.
    fn close(&self, desk: &mut Desk, part: usize) {
        let is_done = |begun: &Begun| begun.boxes.is_empty() && begun.working == 0;
        if !desk.begun.get(&part).is_some_and(is_done) {
            return;
        }
        if let Some(Begun { mut found, tally, .. }) = desk.begun.remove(&part) {
            found.sort();
            self.bound.runs.add(&tally.runs);
            desk.done[part] = Some(Part { found, after: self.bound.begun.elapsed() });
        }
    }
}
