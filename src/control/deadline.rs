//! Stops work when its time is over.

use std::sync::Condvar;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use super::Progress;

/// Does work, and requests a stop after `limit`, if there is one; gives what it did, and whether a stop was requested.
pub fn within<T>(limit: Option<Duration>, progress: &Progress, work: impl FnOnce() -> T) -> (T, bool) {
    let Some(limit) = limit else { return (work(), false) };
    let ended = Ended::default();
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let over = !ended.in_time(limit);
            if over {
                progress.stop();
            }
            over
        });
        let result = {
            let _noted = Noted(&ended);
            work()
        };
        (result, watch.join().unwrap_or(false))
    })
}

#[derive(Default)]
struct Ended {
    ended: Mutex<bool>,
    changed: Condvar,
}

impl Ended {
    /// Waits for the end; whether it came in time.
    fn in_time(&self, limit: Duration) -> bool {
        let ended = self.ended.lock().expect("the lock is not poisoned");
        let waited = self.changed.wait_timeout_while(ended, limit, |ended| !*ended);
        *waited.expect("the lock is not poisoned").0
    }
}

/// Notes the end of work, however it ends.
struct Noted<'e>(&'e Ended);

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        if let Ok(mut ended) = self.0.ended.lock() {
            *ended = true;
        }
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_asked_to_stop_when_its_time_is_over_and_only_then() {
        let progress = Progress::default();
        let hour = Some(Duration::from_secs(3600));
        assert_eq!(within(hour, &progress, || 7), (7, false));
        assert_eq!(within(None, &progress, || 7), (7, false));
        assert!(!progress.stopped());
        let wait = || {
            while !progress.stopped() {
                thread::yield_now();
            }
        };
        assert_eq!(within(Some(Duration::ZERO), &progress, wait), ((), true));
    }
}
