//! Time for a search.

use std::time::Duration;
use std::time::Instant;

/// When work began, and how long it may take.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimit {
    begun: Instant,
    limit: Option<Duration>,
}

impl TimeLimit {
    /// Work that begins now; without a limit it is never over.
    pub fn start(limit: Option<Duration>) -> Self {
        Self { begun: Instant::now(), limit }
    }

    /// How long ago the work began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// The limit of the next of `parts` parts that share the time that is left evenly.
    pub fn share(&self, parts: usize) -> Self {
        let now = self.elapsed();
        let share = |limit: Duration| now + limit.saturating_sub(now) / parts.max(1) as u32;
        Self { limit: self.limit.map(share), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn only_a_limit_can_be_over() {
        assert!(!TimeLimit::start(None).is_over());
        assert!(!TimeLimit::start(Some(HOUR)).is_over());
        assert!(TimeLimit::start(Some(Duration::ZERO)).is_over());
    }

    #[test]
    fn parts_share_what_is_left_of_the_time() {
        let ago = Instant::now() - Duration::from_secs(60);
        let time = TimeLimit { begun: ago, limit: Some(HOUR) };
        let half = time.share(2).limit.unwrap();
        assert!(half > Duration::from_secs(1829) && half < Duration::from_secs(1840), "{half:?}");
        assert!(time.share(1).limit.unwrap() >= HOUR - Duration::from_secs(1));
        assert!(TimeLimit { begun: ago, limit: Some(Duration::from_secs(30)) }.share(3).is_over());
        assert!(!TimeLimit { begun: ago, limit: None }.share(3).is_over());
    }
}
