//! Work that may not take longer than a limit.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use crate::control::Progress;

/// Does the work; requests a stop when its time is up. Returns whether that was needed.
pub(super) fn within<T>(limit: Duration, progress: &Progress, work: impl FnOnce() -> T) -> (T, bool) {
    let (done, late) = (AtomicBool::new(false), AtomicBool::new(false));
    let end = Instant::now() + limit;
    let result = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Ordering::Acquire) && !progress.stopped() {
                let left = end.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    late.store(true, Ordering::Release);
                    progress.stop();
                    return;
                }
                thread::park_timeout(left);
            }
        });
        let result = work();
        done.store(true, Ordering::Release);
        watch.thread().unpark();
        result
    });
    (result, late.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_late_is_stopped() {
        let progress = Progress::default();
        assert_eq!(within(Duration::from_secs(60), &progress, || 3), (3, false));
        assert!(!progress.stopped());
        let (_, late) = within(Duration::ZERO, &progress, || {
            while !progress.stopped() {
                thread::yield_now();
            }
        });
        assert!(late);
    }
}
