//! Tries everything once, alone or together with edits that are already made.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Instant;

use roaring::RoaringBitmap;

use crate::control::Progress;
use crate::control::share_turns;
use crate::insert::slots::Comparison;
use crate::runner::NotedValues;
use crate::runner::RunError;
use crate::runner::ValueNotes;

use super::candidates::compared_unit_of;
use super::edit::Choice;
use super::edit::Edit;
use super::edit::switched_on;
use super::program::SlotProgram;
use super::tries::Try;
use super::worker::Outcome;
use super::worker::SlotWorker;
use super::worker::TestRun;

/// Failing tests of which all are run, to see how many an edit repairs.
const MOST_FAILING: usize = 8;
/// Conditions of one slot that are run.
const MOST_CLASSES: usize = 400;

/// What is wanted of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Whether all tests pass.
    Plausible,
    /// Which tests pass, if any fails less than before.
    Progress,
}

/// Edits that were tried.
#[derive(Clone, Debug)]
pub struct Tried {
    pub edits: Vec<Edit>,
    /// Edits that do the same in all tests that were run, in the place of the last.
    pub same: Vec<Edit>,
    /// Failing tests that pass now.
    pub repaired: RoaringBitmap,
    /// Passing tests that fail now.
    pub broken: RoaringBitmap,
    /// Whether all tests pass.
    pub plausible: bool,
}

/// How far to go, and what is counted.
pub struct Bound<'a> {
    pub until: Instant,
    pub progress: &'a Progress,
    pub runs: &'a AtomicU64,
    /// Whether conditions that give the same are tried once.
    pub grouped: bool,
}

impl Bound<'_> {
    /// Whether the time is up, or a stop was requested.
    pub fn is_over(&self) -> bool {
        self.progress.stopped() || Instant::now() >= self.until
    }
}

/// Edits that are made already, and what tests say of them.
#[derive(Clone, Debug, Default)]
pub struct Base {
    pub edits: Vec<Edit>,
    pub repaired: RoaringBitmap,
    pub broken: RoaringBitmap,
}

impl Base {
    /// Tests that fail and those that pass.
    fn wrong_and_right(&self, program: &SlotProgram) -> (Vec<u32>, Vec<u32>) {
        let fails = |test: &u32| {
            let failing = program.failing.contains(test) && !self.repaired.contains(*test);
            failing || self.broken.contains(*test)
        };
        program.failing.iter().chain(&program.passing).copied().partition(fails)
    }
}

/// Per test that fails with the base, the units that it passes; nothing if nothing is edited.
fn reached_with(
    program: &SlotProgram,
    base: &Base,
    bound: &Bound,
) -> Result<BTreeMap<u32, RoaringBitmap>, RunError> {
    if base.edits.is_empty() || bound.is_over() {
        return Ok(BTreeMap::new());
    }
    let (wrong, _) = base.wrong_and_right(program);
    let edits: Vec<&Edit> = base.edits.iter().collect();
    let run = TestRun { tests: &wrong, first_failure: false, most_passes: program.most_passes };
    let mut worker = program.workers[0].lock().expect("the lock is not poisoned");
    let reached = worker.reach(&switched_on(&edits), run, &program.baseline, bound.progress)?;
    Ok(reached.into_iter().collect())
}

/// Tries all of these together with the base: the result of each, none for those for which time ran out.
pub fn expand(
    program: &SlotProgram,
    base: &Base,
    tries: &[&Try],
    depth: Depth,
    bound: &Bound,
) -> Result<Vec<Option<Vec<Tried>>>, RunError> {
    let done: Mutex<Vec<Option<Vec<Tried>>>> = Mutex::new(vec![None; tries.len()]);
    let reached = reached_with(program, base, bound)?;
    let equip = |number: usize| Ok(program.workers[number].lock().expect("the lock is not poisoned"));
    let ended = share_turns(program.workers.len(), tries.len(), bound.progress, equip, |worker, turn| {
        if bound.is_over() {
            return Ok(());
        }
        let mut expansion = Expansion { program, base, reached: &reached, depth, bound, worker };
        let tried = expansion.one(tries[turn])?;
        done.lock().expect("the lock is not poisoned")[turn] = Some(tried);
        Ok(())
    });
    match ended {
        Ok(()) | Err(RunError::Stopped) => Ok(done.into_inner().expect("the lock is not poisoned")),
        Err(error) => Err(error),
    }
}

struct Expansion<'a> {
    program: &'a SlotProgram,
    base: &'a Base,
    /// Per test that fails with the base, the units that it passes.
    reached: &'a BTreeMap<u32, RoaringBitmap>,
    depth: Depth,
    bound: &'a Bound<'a>,
    worker: &'a mut SlotWorker,
}

/// Tests that can notice an edit.
struct Concerned {
    /// Tests that must change: they fail with the base.
    wrong: Vec<u32>,
    /// Whether one fails that the edit cannot change.
    hopeless: bool,
    /// Tests that must not change.
    right: Vec<u32>,
}

impl Expansion<'_> {
    fn one(&mut self, one: &Try) -> Result<Vec<Tried>, RunError> {
        if one.first().is_none_or(|edit| self.base.edits.iter().any(|other| other.clashes(edit))) {
            return Ok(vec![]);
        }
        let concerned = self.concerned(one);
        if concerned.wrong.is_empty() || (self.depth == Depth::Plausible && concerned.hopeless) {
            return Ok(vec![]);
        }
        match one {
            Try::Edit(edit) => {
                let (tried, _) = self.edit(edit, &concerned)?;
                Ok(tried.into_iter().collect())
            }
            Try::Comparisons { slot, all } => self.comparisons(*slot as usize, all, &concerned),
        }
    }

    fn concerned(&self, one: &Try) -> Concerned {
        let program = self.program;
        let before = self.base.edits.iter().flat_map(|edit| edit.choices.iter().copied());
        let tests = program.tests_of(before.chain(one.choices().iter().copied()));
        let notices = |test: &u32| match self.reached.get(test) {
            Some(units) => one.choices().iter().any(|choice| units.contains(choice.unit())),
            None => tests.contains(*test),
        };
        let (wrong, right) = self.base.wrong_and_right(program);
        let hopeless = wrong.iter().any(|test| !notices(test));
        Concerned {
            wrong: wrong.into_iter().filter(notices).collect(),
            hopeless,
            right: right.into_iter().filter(|test| tests.contains(*test)).collect(),
        }
    }

    /// Tries an edit; gives its result, if that is useful, and what conditions were made of.
    fn edit(&mut self, edit: &Edit, concerned: &Concerned) -> Result<(Option<Tried>, ValueNotes), RunError> {
        match self.depth {
            Depth::Plausible => self.plausible(edit, concerned),
            Depth::Progress => self.progress(edit, concerned),
        }
    }

    fn plausible(
        &mut self,
        edit: &Edit,
        concerned: &Concerned,
    ) -> Result<(Option<Tried>, ValueNotes), RunError> {
        // A framework runs the tests of a request in an order of its own.
        let mut outcome = self.run(edit, &concerned.wrong, true)?;
        if outcome.passed.len() == concerned.wrong.len() as u64 {
            outcome.add(self.run(edit, &concerned.right, true)?);
        }
        let all = outcome.passed.len() as usize == concerned.wrong.len() + concerned.right.len();
        Ok((all.then(|| self.tried(edit, &outcome, true)), outcome.noted))
    }

    fn progress(
        &mut self,
        edit: &Edit,
        concerned: &Concerned,
    ) -> Result<(Option<Tried>, ValueNotes), RunError> {
        let some = &concerned.wrong[..concerned.wrong.len().min(MOST_FAILING)];
        let mut outcome = self.run(edit, some, false)?;
        if outcome.passed.is_empty() {
            return Ok((None, outcome.noted));
        }
        let rest: Vec<u32> = concerned.wrong[some.len()..].iter().chain(&concerned.right).copied().collect();
        outcome.add(self.run(edit, &rest, false)?);
        let all = outcome.failed.is_empty()
            && !concerned.hopeless
            && outcome.passed.len() as usize == concerned.wrong.len() + concerned.right.len();
        Ok((Some(self.tried(edit, &outcome, all)), outcome.noted))
    }

    fn tried(&self, edit: &Edit, outcome: &Outcome, plausible: bool) -> Tried {
        let failing: RoaringBitmap = self.program.failing.iter().copied().collect();
        let repaired = (&self.base.repaired | &(&outcome.passed & &failing)) - &outcome.failed;
        let broken = (&self.base.broken - &outcome.passed) | (&outcome.failed - &failing);
        let edits = self.base.edits.iter().chain([edit]).cloned().collect();
        Tried { edits, same: vec![], repaired, broken, plausible }
    }

    fn run(&mut self, edit: &Edit, tests: &[u32], first_failure: bool) -> Result<Outcome, RunError> {
        if tests.is_empty() {
            let noted = ValueNotes { complete: true, ..ValueNotes::default() };
            return Ok(Outcome { noted, ..Outcome::default() });
        }
        let edits: Vec<&Edit> = self.base.edits.iter().chain([edit]).collect();
        self.bound.runs.fetch_add(1, Ordering::Relaxed);
        let run = TestRun { tests, first_failure, most_passes: self.program.most_passes };
        self.worker.run(&switched_on(&edits), run, &self.program.baseline, self.bound.progress)
    }

    /// Tries conditions until every one that is left does what one of them did.
    fn comparisons(
        &mut self,
        slot: usize,
        all: &[Edit],
        concerned: &Concerned,
    ) -> Result<Vec<Tried>, RunError> {
        let values = self.program.slots[slot].values.len();
        let unit = compared_unit_of(slot);
        let mut left: Vec<&Edit> = all.iter().collect();
        let mut found = Vec::new();
        for _ in 0..MOST_CLASSES {
            if left.is_empty() || self.bound.is_over() {
                break;
            }
            let first = left.remove(0);
            let (tried, noted) = self.edit(first, concerned)?;
            let mut same = Vec::new();
            // What is not worth anything need not be known to the end.
            if (noted.complete || tried.is_none()) && self.bound.grouped {
                let like_first = |edit: &&Edit| does_the_same(&noted.notes, unit, values, first, edit);
                let (alike, others) = left.into_iter().partition(like_first);
                (same, left) = (alike, others);
            }
            found.extend(tried.map(|tried| Tried { same: same.into_iter().cloned().collect(), ..tried }));
        }
        Ok(found)
    }
}

/// Whether two conditions gave the same wherever one of them was evaluated.
fn does_the_same(noted: &[NotedValues], unit: u32, values: usize, one: &Edit, other: &Edit) -> bool {
    let comparison = |edit: &Edit| match edit.choices[..] {
        [Choice::Comparison { number, .. }] => Some(Comparison::numbered(number, values)),
        _ => None,
    };
    let (Some(one), Some(other)) = (comparison(one), comparison(other)) else { return false };
    let here = noted.iter().filter(|noted| noted.unit == unit && noted.values.len() == values);
    here.into_iter()
        .all(|noted| one.gives(noted.original, &noted.values) == other.gives(noted.original, &noted.values))
}
