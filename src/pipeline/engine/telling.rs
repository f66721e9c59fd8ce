//! How far a campaign is, for whoever watches.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use crate::history::Meter;
use crate::matrix::Fate;

/// What is going on.
#[derive(Default)]
pub struct Telling {
    phase: Mutex<String>,
    warnings: Mutex<Vec<String>>,
    fates: [AtomicU64; Fate::ALL.len()],
    pub meter: Meter,
}

impl Telling {
    /// Says what is being done now.
    pub fn phase(&self, text: impl Into<String>) {
        *self.phase.lock().expect("nobody panics with the lock") = text.into();
    }

    /// What is being done now.
    pub fn current(&self) -> String {
        self.phase.lock().expect("nobody panics with the lock").clone()
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
