//! Workers that share turns: the only thread pool of wildcaught's own. `tasks.rs` shares work that grows among the
//! same threads.
//!
//! In: how many workers, how each is equipped, how many turns, what is done in a turn. Out: nothing, or the
//! error of the earliest turn that failed. The first error, panic or cancellation stops all workers; a panic is
//! passed on once all have stopped.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

use super::progress::Progress;
use super::progress::Stopped;

/// Ends all turns when a worker panics.
struct Halt<'a>(&'a AtomicBool);

impl Drop for Halt<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Takes `turns` turns by `workers` workers, in their order. `equip` makes what a worker needs, by its number
/// from 0, in its own thread and only if a turn is left for it.
pub fn share_turns<T, E: From<Stopped> + Send>(
    workers: usize,
    turns: usize,
    progress: &Progress,
    equip: impl Fn(usize) -> Result<T, E> + Sync,
    work: impl Fn(&mut T, usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let failed: Mutex<Option<(usize, E)>> = Mutex::new(None);
    let fail = |turn: usize, error: E| {
        halt.store(true, Ordering::Relaxed);
        let mut failed = failed.lock().expect("the lock is not poisoned");
        if failed.as_ref().is_none_or(|(earliest, _)| turn < *earliest) {
            *failed = Some((turn, error));
        }
    };
    let worker = |number: usize| {
        let _halt = Halt(&halt);
        let mut equipment = None;
        while !halt.load(Ordering::Relaxed) {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= turns {
                return;
            }
            let done = progress.check().map_err(E::from).and_then(|()| {
                let equipment = match &mut equipment {
                    Some(equipment) => equipment,
                    none => none.insert(equip(number)?),
                };
                work(equipment, turn)
            });
            if let Err(error) = done {
                return fail(turn, error);
            }
        }
    };
    run_workers(workers.clamp(1, turns.max(1)), worker);
    match failed.into_inner().expect("the lock is not poisoned") {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// Runs a thread for each worker, by its number from 0. A panic is passed on once all have ended.
pub(super) fn run_workers(count: usize, worker: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        let worker = &worker;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || worker(number))).collect();
        let ended: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
        if let Some(panic) = ended.into_iter().find_map(Result::err) {
            std::panic::resume_unwind(panic);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Problem {
        Stopped,
        Turn(usize),
        Equipment,
    }

    impl From<Stopped> for Problem {
        fn from(_: Stopped) -> Self {
            Self::Stopped
        }
    }

    #[test]
    fn every_turn_is_taken_once() {
        let taken: Vec<AtomicUsize> = (0..100).map(|_| AtomicUsize::new(0)).collect();
        let done: Result<(), Problem> = share_turns(
            4,
            taken.len(),
            &Progress::default(),
            |_| Ok(()),
            |(), turn| {
                taken[turn].fetch_add(1, Ordering::Relaxed);
                Ok(())
            },
        );
        assert_eq!(done, Ok(()));
        assert!(taken.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    }

    #[test]
    fn the_first_error_ends_all_turns_and_the_earliest_turn_is_named() {
        let taken = AtomicUsize::new(0);
        let work = |_: &mut (), turn: usize| {
            taken.fetch_add(1, Ordering::Relaxed);
            Err(Problem::Turn(turn))
        };
        let done = share_turns(3, 1000, &Progress::default(), |_| Ok(()), work);
        assert_eq!(done, Err(Problem::Turn(0)));
        assert!(taken.load(Ordering::Relaxed) <= 3);
    }

    #[test]
    fn who_cannot_be_equipped_ends_all_turns() {
        let equip = |number: usize| if number == 0 { Err(Problem::Equipment) } else { Ok(()) };
        let done = share_turns(1, 10, &Progress::default(), equip, |(), _| Ok(()));
        assert_eq!(done, Err(Problem::Equipment));
    }

    #[test]
    fn cancellation_ends_all_turns() {
        let progress = Progress::default();
        let work = |_: &mut (), turn: usize| {
            if turn == 5 {
                progress.stop();
            }
            Ok(())
        };
        assert_eq!(share_turns(2, usize::MAX, &progress, |_| Ok(()), work), Err(Problem::Stopped));
    }

    #[test]
    fn a_panic_ends_all_turns_and_is_passed_on() {
        let panicked = std::panic::catch_unwind(|| {
            let work = |_: &mut (), turn: usize| {
                assert!(turn != 3, "turn three");
                Ok::<(), Problem>(())
            };
            share_turns(2, usize::MAX, &Progress::default(), |_| Ok(()), work)
        });
        let message = panicked.unwrap_err();
        assert!(message.downcast_ref::<&str>().is_some_and(|text| text.contains("turn three")));
    }
}
