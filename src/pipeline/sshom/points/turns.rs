//! Turns that the workers of a program share: each test, or each combination, is one.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use crate::control::share_turns;
use crate::runner::RunError;

use super::bound::PointStop;
use super::bound::SearchBound;
use super::program::PointProgram;
use super::splitting::Splitting;

/// Takes turns by all workers of a program: the result of each; none for those for which time ran out, that had too
/// many leaves, or that were left out because a stop was requested.
pub fn take_turns<T: Send>(
    program: &PointProgram,
    bound: SearchBound,
    turns: usize,
    work: impl Fn(&mut Splitting, usize) -> Result<T, PointStop> + Sync,
) -> Result<Vec<Option<T>>, RunError> {
    let over = AtomicBool::new(false);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..turns).map(|_| None).collect());
    let equip = |number: usize| Ok(program.worker(number));
    let ended = share_turns(program.workers.len(), turns, bound.progress, equip, |worker, turn| {
        if over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut splitting = Splitting { program, worker, bound, leaves: &AtomicU64::new(0) };
        match work(&mut splitting, turn) {
            Ok(made) => done.lock().expect("the lock is not poisoned")[turn] = Some(made),
            Err(PointStop::Leaves) => {}
            Err(PointStop::Time) => over.store(true, Ordering::Relaxed),
            Err(PointStop::Run(error)) => return Err(error),
        }
        Ok(())
    });
    match ended {
        // What was done until then is kept.
        Ok(()) | Err(RunError::Stopped) => Ok(done.into_inner().expect("the lock is not poisoned")),
        Err(error) => Err(error),
    }
}
