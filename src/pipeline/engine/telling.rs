//! How far a campaign is, for whoever watches.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use crate::history::Meter;
use crate::matrix::Fate;

/// What is going on.
#[derive(Default)]
pub struct Telling {
    phase: Mutex<String>,
    /// When each phase began.
    phases: Mutex<Vec<(String, Instant)>>,
    warnings: Mutex<Vec<String>>,
    fates: [AtomicU64; Fate::ALL.len()],
    pub meter: Meter,
}

impl Telling {
    /// Says what is being done now.
    pub fn phase(&self, text: impl Into<String>) {
        let text = text.into();
        let kind = text.split(',').next().unwrap_or("").to_owned();
        let mut phases = self.phases.lock().expect("nobody panics with the lock");
        if phases.last().is_none_or(|(last, _)| *last != kind) {
            phases.push((kind, Instant::now()));
        }
        *self.phase.lock().expect("nobody panics with the lock") = text;
    }

    /// What is being done now.
    pub fn current(&self) -> String {
        self.phase.lock().expect("nobody panics with the lock").clone()
    }

    /// How long each phase took.
    pub fn times(&self) -> Vec<(String, Duration)> {
        let phases = self.phases.lock().expect("nobody panics with the lock");
        let ends = phases.iter().skip(1).map(|(_, begun)| *begun).chain([Instant::now()]);
        phases.iter().zip(ends).map(|((name, begun), end)| (name.clone(), end - *begun)).collect()
    }

    /// Something that the user should know.
    pub fn warn(&self, text: impl Into<String>) {
        self.warnings.lock().expect("nobody panics with the lock").push(text.into());
    }

    /// What the user should know and was not told yet.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings.lock().expect("nobody panics with the lock"))
    }

    /// Notes what became of a mutant.
    pub fn fate(&self, fate: Fate) {
        let place = Fate::ALL.iter().position(|known| *known == fate).unwrap_or(0);
        self.fates[place].fetch_add(1, Ordering::Relaxed);
        self.meter.advance(1024);
    }

    /// How many met a fate.
    pub fn count(&self, fate: Fate) -> u64 {
        let place = Fate::ALL.iter().position(|known| *known == fate).unwrap_or(0);
        self.fates[place].load(Ordering::Relaxed)
    }
}
