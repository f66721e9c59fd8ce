//! Many variants, judged by several engines side by side, wave by wave.
//!
//! What is learned about tests (which of them notice most per second) is used from the next wave on, so that
//! the order in which tests are asked does not depend on which worker was faster.

use std::sync::Mutex;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::control::share_turns;
use crate::matrix::Outcome;
use crate::runner::RunError;

use super::order::TestOrder;
use super::policy::Policy;
use super::scenario::Engine;
use super::scenario::Run;
use super::scenario::Scenario;
use super::scenario::TestLimits;
use super::scenario::Variant;

/// Variants in the first wave; each wave has twice as many.
const FIRST_WAVE: usize = 32;
/// Tests that are asked for what they reach at a time.
const REACH_CHUNK: usize = 64;
/// What is slow because it records where it was is not stuck: limits are longer by this factor.
const RECORDING: u32 = 10;

/// Engines that work side by side, one for each worker.
pub struct Engines<'e> {
    engines: Vec<Mutex<Box<dyn Engine + 'e>>>,
    progress: &'e Progress,
}

/// A variant to be judged: its number, what it is, the tests that reach it.
pub struct Task<'t> {
    pub number: u32,
    pub variant: Variant<'t>,
    pub covered: RoaringBitmap,
}

impl<'e> Engines<'e> {
    /// At least one engine is needed.
    pub fn new(engines: Vec<Box<dyn Engine + 'e>>, progress: &'e Progress) -> Self {
        assert!(!engines.is_empty(), "somebody must run scenarios");
        Self { engines: engines.into_iter().map(Mutex::new).collect(), progress }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.engines.len()
    }

    /// Judges all tasks; `done` hears of each outcome as soon as it is known.
    pub fn judge(
        &self,
        policy: &Policy,
        mut order: TestOrder,
        tasks: &[Task],
        done: &(dyn Fn(u32, &Outcome) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let (mut rest, mut size) = (tasks, FIRST_WAVE);
        while !rest.is_empty() {
            let (wave, later) = rest.split_at(size.min(rest.len()));
            let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; wave.len()]);
            self.share(wave.len(), |engine, turn| {
                let task = &wave[turn];
                let outcome = policy.judge(engine, task.variant, &task.covered, &order)?;
                done(task.number, &outcome)?;
                outcomes.lock().expect("no worker panics with the lock")[turn] = Some(outcome);
                Ok(())
            })?;
            let outcomes = outcomes.into_inner().expect("no worker panics with the lock");
            outcomes.iter().flatten().for_each(|outcome| order.learn(outcome));
            (rest, size) = (later, size * 2);
        }
        Ok(())
    }

    /// Which units of the meta-program each test executes, in the order of the tests.
    pub fn reach(&self, tests: &[u32], limits: &TestLimits) -> Result<Vec<(u32, RoaringBitmap)>, RunError> {
        let limits = limits.times(RECORDING);
        let chooses = self.engines[0].lock().expect("no worker panics with the lock").chooses();
        let share = tests.len().div_ceil(self.engines.len()).max(1);
        let size = if chooses { REACH_CHUNK.min(share) } else { tests.len().max(1) };
        let chunks: Vec<&[u32]> = tests.chunks(size).collect();
        let found = Mutex::new(Vec::new());
        self.share(chunks.len(), |engine, turn| {
            let scenario = Scenario { reach: true, ..Scenario::unchanged(chunks[turn], &limits) };
            if let Run::Tested(ran) = engine.run(&scenario)? {
                found.lock().expect("no worker panics with the lock").extend(ran.reached);
            }
            Ok(())
        })?;
        let mut found = found.into_inner().expect("no worker panics with the lock");
        found.sort_by_key(|(test, _)| *test);
        Ok(found)
    }

    fn share(
        &self,
        turns: usize,
        work: impl Fn(&mut dyn Engine, usize) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let equip = |number: usize| Ok(self.engines[number].lock().expect("no worker panics with the lock"));
        share_turns(self.engines.len(), turns, self.progress, equip, |engine, turn| {
            work(&mut ***engine, turn)
        })
    }
}
