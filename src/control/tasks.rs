//! Workers that take tasks from a queue that grows while they work.
//!
//! In: a queue, how many workers, how each is equipped, what is done with a task. Out: the queue with the results
//! in it, or the first error. The work ends when the queue gives no task and no worker has one. The first error, a
//! panic or cancellation ends it earlier: workers that wait for a task wake up, and a panic is passed on once all have
//! stopped.

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::thread;
use std::time::Duration;

use super::progress::Progress;
use super::progress::Stopped;
use super::workers::run_workers;

/// How often a worker that waits looks for cancellation.
const LOOK: Duration = Duration::from_millis(50);

/// Tasks that are taken and whose results may make more tasks.
pub trait TaskQueue {
    type Task;
    type Done;

    /// Takes the next task; none if there is none now. More may come while others work.
    fn take(&mut self) -> Option<Self::Task>;

    /// Puts back the result of a task, in the order in which tasks are finished.
    fn put(&mut self, done: Self::Done);
}

/// The queue, and what the workers know of each other.
struct Shared<'a, Q, E> {
    queue: &'a mut Q,
    /// How many workers have a task.
    working: usize,
    failed: Option<E>,
    /// No more tasks are taken.
    ended: bool,
}

struct Pool<'a, Q, E> {
    shared: Mutex<Shared<'a, Q, E>>,
    /// Notified whenever there may be a task, or none any more.
    changed: Condvar,
    progress: &'a Progress,
}

/// Ends the work when a worker panics.
struct EndOnPanic<'p, 'a, Q, E>(&'p Pool<'a, Q, E>);

impl<Q, E> Drop for EndOnPanic<'_, '_, Q, E> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.lock().ended = true;
            self.0.changed.notify_all();
        }
    }
}

/// Does tasks by `workers` workers until there are none. `equip` makes what a worker needs, by its number from 0, in
/// its own thread and only if there is a task for it.
pub fn share_tasks<Q: TaskQueue + Send, T, E: From<Stopped> + Send>(
    queue: &mut Q,
    workers: usize,
    progress: &Progress,
    equip: impl Fn(usize) -> Result<T, E> + Sync,
    work: impl Fn(&mut T, Q::Task) -> Result<Q::Done, E> + Sync,
) -> Result<(), E> {
    let shared = Mutex::new(Shared { queue, working: 0, failed: None, ended: false });
    let pool = Pool { shared, changed: Condvar::new(), progress };
    run_workers(workers.max(1), |number| {
        let _end = EndOnPanic(&pool);
        let mut equipment = None;
        while let Some(task) = pool.take() {
            let equipped = match &mut equipment {
                Some(equipment) => Ok(equipment),
                none => equip(number).map(|made| none.insert(made)),
            };
            pool.put(equipped.and_then(|equipment| work(equipment, task)));
        }
    });
    let shared = pool.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.failed.map_or(Ok(()), Err)
}

impl<'a, Q: TaskQueue, E: From<Stopped>> Pool<'a, Q, E> {
    /// Waits for a task; none if there will be none any more.
    fn take(&self) -> Option<Q::Task> {
        let mut shared = self.lock();
        loop {
            if shared.ended {
                return None;
            }
            if let Err(stopped) = self.progress.check() {
                self.end(&mut shared, Some(stopped.into()));
                return None;
            }
            if let Some(task) = shared.queue.take() {
                shared.working += 1;
                return Some(task);
            }
            if shared.working == 0 {
                self.end(&mut shared, None);
                return None;
            }
            let waited = self.changed.wait_timeout(shared, LOOK);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn put(&self, done: Result<Q::Done, E>) {
        let mut shared = self.lock();
        shared.working -= 1;
        match done {
            Ok(done) => shared.queue.put(done),
            Err(error) => self.end(&mut shared, Some(error)),
        }
        self.changed.notify_all();
    }

    fn end(&self, shared: &mut Shared<'a, Q, E>, why: Option<E>) {
        shared.ended = true;
        if shared.failed.is_none() {
            shared.failed = why;
        }
        self.changed.notify_all();
    }
}

impl<'a, Q, E> Pool<'a, Q, E> {
    /// A worker that panicked with the lock has ended the work: the lock is not needed to notice that.
    fn lock(&self) -> MutexGuard<'_, Shared<'a, Q, E>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering;

    use super::*;

    #[derive(Debug, PartialEq)]
    enum Problem {
        Stopped,
        Task(u32),
        Equipment,
    }

    impl From<Stopped> for Problem {
        fn from(_: Stopped) -> Self {
            Self::Stopped
        }
    }

    /// Numbers that fall into halves until they are 1.
    #[derive(Default)]
    struct Halves {
        open: Vec<u32>,
        ones: usize,
    }

    impl TaskQueue for Halves {
        type Task = u32;
        type Done = Vec<u32>;

        fn take(&mut self) -> Option<u32> {
            self.open.pop()
        }

        fn put(&mut self, done: Vec<u32>) {
            assert!(!done.contains(&13), "thirteen is put back");
            self.ones += done.iter().filter(|number| **number == 1).count();
            self.open.extend(done.into_iter().filter(|number| *number > 1));
        }
    }

    fn halve(number: u32) -> Vec<u32> {
        vec![number / 2, number - number / 2]
    }

    fn of(number: u32) -> Halves {
        Halves { open: vec![number], ones: 0 }
    }

    /// Waits until all but one worker wait for a task.
    fn let_others_wait() {
        thread::sleep(Duration::from_millis(5));
    }

    #[test]
    fn tasks_that_come_up_while_others_work_are_done_by_any_number_of_workers() {
        for workers in 1..5 {
            let mut halves = of(1000);
            let work = |(): &mut (), number| Ok::<_, Problem>(halve(number));
            assert_eq!(share_tasks(&mut halves, workers, &Progress::default(), |_| Ok(()), work), Ok(()));
            assert_eq!((halves.ones, halves.open.len()), (1000, 0));
        }
    }

    #[test]
    fn who_waits_gets_a_task_as_soon_as_there_is_one() {
        let equipped = AtomicUsize::new(0);
        let equip = |_| {
            equipped.fetch_add(1, Ordering::Relaxed);
            Ok::<_, Problem>(())
        };
        let mut halves = of(8);
        let work = |(): &mut (), number| {
            let_others_wait();
            Ok(halve(number))
        };
        assert_eq!(share_tasks(&mut halves, 3, &Progress::default(), equip, work), Ok(()));
        assert!(equipped.load(Ordering::Relaxed) > 1);
    }

    #[test]
    fn an_empty_queue_ends_at_once_and_equips_nobody() {
        let mut halves = Halves::default();
        let work = |(): &mut (), _| Ok(vec![]);
        let equip = |_| Err(Problem::Equipment);
        assert_eq!(share_tasks(&mut halves, 3, &Progress::default(), equip, work), Ok(()));
    }

    #[test]
    fn the_first_error_wakes_those_who_wait_and_is_given() {
        let mut halves = of(1000);
        let work = |(): &mut (), number| {
            let_others_wait();
            if number > 900 { Err(Problem::Task(number)) } else { Ok(halve(number)) }
        };
        let done = share_tasks(&mut halves, 4, &Progress::default(), |_| Ok(()), work);
        assert_eq!(done, Err(Problem::Task(1000)));
    }

    #[test]
    fn who_cannot_be_equipped_ends_the_work() {
        let work = |(): &mut (), number| Ok(halve(number));
        let equip = |_| Err(Problem::Equipment);
        let done = share_tasks(&mut of(1000), 2, &Progress::default(), equip, work);
        assert_eq!(done, Err(Problem::Equipment));
    }

    #[test]
    fn cancellation_ends_the_work_and_keeps_what_was_done() {
        let progress = Progress::default();
        let mut halves = of(1000);
        let work = |(): &mut (), number| {
            progress.stop();
            Ok(halve(number))
        };
        assert_eq!(share_tasks(&mut halves, 2, &progress, |_| Ok(()), work), Err(Problem::Stopped));
        assert_eq!(halves.open, [500, 500]);
    }

    #[test]
    fn cancellation_wakes_those_who_wait_for_a_worker_that_takes_long() {
        let progress = Progress::default();
        let waiting = AtomicUsize::new(0);
        let work = |(): &mut (), number| {
            progress.stop();
            // The other worker ends before this one does.
            while waiting.load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            Ok(halve(number))
        };
        let queue = &mut of(2);
        let shared = Mutex::new(Shared { queue, working: 1, failed: None::<Problem>, ended: false });
        let pool = Pool { shared, changed: Condvar::new(), progress: &progress };
        let task = pool.lock().queue.open.pop().unwrap();
        thread::scope(|scope| {
            scope.spawn(|| pool.put(work(&mut (), task)));
            assert_eq!(pool.take(), None);
            waiting.store(1, Ordering::Relaxed);
        });
        assert_eq!(pool.lock().failed, Some(Problem::Stopped));
    }

    #[track_caller]
    fn panics(workers: usize, message: &str, work: impl Fn(u32) -> Vec<u32> + Sync) {
        let run = std::panic::AssertUnwindSafe(|| {
            let work = |(): &mut (), number| Ok::<_, Problem>(work(number));
            share_tasks(&mut of(26), workers, &Progress::default(), |_| Ok(()), work)
        });
        let panicked = std::panic::catch_unwind(run).unwrap_err();
        assert!(panicked.downcast_ref::<&str>().is_some_and(|text| text.contains(message)));
    }

    #[test]
    fn a_panic_wakes_those_who_wait_and_is_passed_on() {
        panics(3, "a task", |_| {
            let_others_wait();
            panic!("a task")
        });
    }

    #[test]
    fn a_panic_of_the_queue_wakes_those_who_wait_and_is_passed_on() {
        panics(3, "thirteen", |number| {
            let_others_wait();
            halve(number)
        });
    }
}
