//! What happens during long work: phases, warnings, counts.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::Duration;
use std::time::Instant;

use super::phase::Phase;
use super::phase::Step;
use super::progress::Progress;

/// Collects events from the threads that work, for the one that shows them.
#[derive(Default)]
pub struct Events {
    step: Mutex<Step>,
    /// When each phase began.
    phases: Mutex<Vec<(Phase, Instant)>>,
    notes: Mutex<Vec<String>>,
    warnings: Mutex<Vec<String>>,
    /// Warnings that are not given again.
    warned: Mutex<BTreeSet<String>>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    pub progress: Progress,
}

impl Events {
    /// A phase begins.
    pub fn enter(&self, phase: Phase) {
        self.at(phase, String::new());
    }

    /// A phase begins or has come further.
    pub fn at(&self, phase: Phase, detail: impl Into<String>) {
        let mut phases = self.phases.lock().expect("the lock is not poisoned");
        if phases.last().is_none_or(|(last, _)| *last != phase) {
            phases.push((phase, Instant::now()));
        }
        *self.step.lock().expect("the lock is not poisoned") = Step { phase, detail: detail.into() };
    }

    /// What is being done now.
    pub fn step(&self) -> Step {
        self.step.lock().expect("the lock is not poisoned").clone()
    }

    /// How long each phase took, in order.
    pub fn times(&self) -> Vec<(Phase, Duration)> {
        let phases = self.phases.lock().expect("the lock is not poisoned");
        let ends = phases.iter().skip(1).map(|(_, begun)| *begun).chain([Instant::now()]);
        phases.iter().zip(ends).map(|((phase, begun), end)| (*phase, end - *begun)).collect()
    }

    /// Adds a line of information for the user.
    pub fn inform(&self, text: impl Into<String>) {
        self.notes.lock().expect("the lock is not poisoned").push(text.into());
    }

    /// Lines of information since the last call.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.notes.lock().expect("the lock is not poisoned"))
    }

    /// Adds a warning for the user.
    pub fn warn(&self, text: impl Into<String>) {
        self.warnings.lock().expect("the lock is not poisoned").push(text.into());
    }

    /// A warning that is given once, however often it applies.
    pub fn warn_once(&self, text: &str) {
        if self.warned.lock().expect("the lock is not poisoned").insert(text.to_owned()) {
            self.warn(text);
        }
    }

    /// Warnings since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings.lock().expect("the lock is not poisoned"))
    }

    /// One more piece of work ended, in this way.
    pub fn count(&self, how: &'static str) {
        *self.counts.lock().expect("the lock is not poisoned").entry(how).or_default() += 1;
        self.progress.advance(1024);
    }

    /// Counts a piece of work in another way than it was counted.
    pub fn recount(&self, before: &'static str, now: &'static str) {
        let mut counts = self.counts.lock().expect("the lock is not poisoned");
        counts.entry(before).and_modify(|count| *count -= 1);
        *counts.entry(now).or_default() += 1;
    }

    /// How many pieces of work ended in this way.
    pub fn counted(&self, how: &str) -> u64 {
        self.counts.lock().expect("the lock is not poisoned").get(how).copied().unwrap_or(0)
    }

    /// How many pieces of work ended, in any way.
    pub fn counted_in_all(&self) -> u64 {
        self.counts.lock().expect("the lock is not poisoned").values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_comes_further_stays_one_phase() {
        let events = Events::default();
        events.enter(Phase::CopyingProject);
        events.at(Phase::BuildingMutants, "round 1");
        events.at(Phase::BuildingMutants, "round 2");
        assert_eq!(events.step().to_string(), "building all mutants at once, round 2");
        let phases: Vec<Phase> = events.times().into_iter().map(|(phase, _)| phase).collect();
        assert_eq!(phases, [Phase::CopyingProject, Phase::BuildingMutants]);
    }

    #[test]
    fn counts_advance_the_progress() {
        let events = Events::default();
        events.count("killed");
        events.count("killed");
        events.count("survived");
        assert_eq!((events.counted("killed"), events.counted("never"), events.counted_in_all()), (2, 0, 3));
        assert_eq!(events.progress.done(), 3);
        events.recount("killed", "survived");
        assert_eq!((events.counted("killed"), events.counted("survived"), events.progress.done()), (1, 2, 3));
    }
}
