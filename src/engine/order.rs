//! Which tests are run first: those that killed most per second so far.

use crate::matrix::Outcome;
use crate::matrix::TestRow;

/// What is known of the tests; changed between waves only, so that the order does not depend on threads.
#[derive(Clone, Debug)]
pub struct TestOrder {
    /// Kills, and runs, per test.
    seen: Vec<(f64, f64)>,
    seconds: Vec<f64>,
    learns: bool,
}

impl TestOrder {
    /// An order that knows only how long tests take.
    pub fn new(tests: &[TestRow]) -> Self {
        // A process has its price even if the test has none.
        let seconds = tests.iter().map(|row| row.millis / 1e3 + 0.001).collect();
        Self { seen: vec![(0.0, 0.0); tests.len()], seconds, learns: true }
    }

    /// An order that stays as it is: the same on all machines that share the work, whichever mutants are theirs.
    pub fn fixed(tests: &[TestRow]) -> Self {
        Self { learns: false, ..Self::new(tests) }
    }

    /// Learns from an outcome.
    pub fn learn(&mut self, outcome: &Outcome) {
        if !self.learns {
            return;
        }
        let kills = outcome.kills();
        for test in &outcome.ran {
            let seen = &mut self.seen[test as usize];
            seen.1 += 1.0;
            seen.0 += f64::from(u8::from(kills.contains(test)));
        }
    }

    /// Sorts tests, the most promising first.
    pub fn sort(&self, tests: &mut [u32]) {
        let worth = |test: &u32| {
            let (kills, runs) = self.seen[*test as usize];
            (kills + 0.5) / (runs + 1.0) / self.seconds[*test as usize]
        };
        tests.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.cmp(b)));
    }
}
