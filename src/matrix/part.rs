//! Which part of a plan a store holds, and parts put together.
//!
//! In: stores of parts of one plan, in any order. Out: one store that is the same as if the work had not been shared.
//! Parts can be put together in steps: a few first, then the merged ones with others.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

use crate::control::Shard;

use super::FINGERPRINT;
use super::Fate;
use super::Outcome;
use super::RunDirError;
use super::Store;
use super::StoreError;
use super::TestRow;

/// The key under which a store keeps it.
const PART: &str = "part";

/// Which part of a plan a store holds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Part {
    /// The plan, by a number for what is in it.
    pub plan: String,
    /// The version of the program.
    pub version: String,
    /// The numbers of the parts, from 1.
    pub parts: BTreeSet<usize>,
    /// How many parts there are.
    pub of: usize,
    /// How many mutants are in the plan.
    pub mutants: usize,
    /// The numbers that its mutants have there, in their order.
    pub numbers: Vec<u32>,
}

/// Why stores cannot be merged.
#[derive(Debug, Error)]
pub enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    RunDir(Box<RunDirError>),
    #[error("{}: not a part of a run; only results of `wildcaught test --shard` can be merged", path.display())]
    NoPart { path: PathBuf },
    #[error("{} and {} are parts of different plans, with different code, settings or mutants; make one plan \
        and test all of its parts", one.display(), other.display())]
    Plan { one: PathBuf, other: PathBuf },
    #[error("{} was made by version {theirs}, {} by {ours}; test all parts with one version", other.display(), one.display())]
    Version { one: PathBuf, other: PathBuf, ours: String, theirs: String },
    #[error("{} is one of {theirs} parts, but {} is one of {ours}; test all parts with the same N in --shard \
        K/N", other.display(), one.display())]
    Parts { one: PathBuf, other: PathBuf, ours: usize, theirs: usize },
    #[error("part {part} of {of} is both in {} and in {}; name each part once", one.display(), other.display())]
    Overlap { one: PathBuf, other: PathBuf, part: usize, of: usize },
    #[error("{}: has different tests than {}; test all parts with one plan", other.display(), one.display())]
    Tests { one: PathBuf, other: PathBuf },
}

/// Stores of one run.
pub struct Parts {
    stores: Vec<PathBuf>,
    /// What all of them hold.
    pub whole: Part,
    tests: Vec<TestRow>,
    /// Tests that only some of the parts found to be unreliable.
    distrusted: BTreeSet<u32>,
}

impl Part {
    /// One part of a plan.
    pub fn new(plan: &str, shard: Shard, mutants: usize, numbers: Vec<u32>) -> Self {
        let (plan, version) = (plan.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let part = Self { plan, version, parts: [shard.part()].into(), of: shard.parts(), mutants, numbers };
        part.normal()
    }

    /// All parts are the whole, however many there were.
    fn normal(mut self) -> Self {
        if self.parts.len() == self.of {
            (self.parts, self.of) = ([1].into(), 1);
        }
        self
    }

    /// What a store holds; none if it is not a part of a run.
    pub fn read(store: &Store) -> Result<Option<Self>, StoreError> {
        let damaged =
            |_| StoreError::Damaged { path: store.path().to_owned(), what: "what it is a part of".into() };
        let text = store.meta(PART)?;
        text.map(|text| serde_json::from_str(&text).map_err(damaged)).transpose()
    }

    /// Notes it in a store.
    pub fn write(&self, store: &Store) -> Result<(), StoreError> {
        store.set_meta(PART, &serde_json::to_string(self).expect("names and numbers are JSON"))
    }

    /// The parts that are not in it.
    pub fn missing(&self) -> Vec<usize> {
        (1..=self.of).filter(|part| !self.parts.contains(part)).collect()
    }
}

impl Parts {
    /// Looks at stores; refuses those that do not go together. There is at least one.
    pub fn gather(stores: &[PathBuf]) -> Result<Self, MergeError> {
        let mut known: Option<(PathBuf, Part, Vec<TestRow>)> = None;
        let mut owners: BTreeMap<usize, PathBuf> = BTreeMap::new();
        let (mut flaky, mut distrusted) = (Vec::new(), BTreeSet::new());
        for path in stores {
            let store = Store::open(path)?;
            let part = Part::read(&store)?.ok_or_else(|| MergeError::NoPart { path: path.clone() })?;
            let tests = store.tests()?;
            if let Some((one, whole, all)) = &known {
                check(one, whole, all, path, &part, &tests)?;
            }
            for number in &part.parts {
                if let Some(one) = owners.insert(*number, path.clone()) {
                    let (other, of) = (path.clone(), part.of);
                    return Err(MergeError::Overlap { one, other, part: *number, of });
                }
            }
            flaky.push(tests.iter().map(|test| test.flaky).collect::<Vec<_>>());
            match &mut known {
                None => known = Some((path.clone(), part, tests)),
                Some((_, whole, all)) => {
                    whole.parts.extend(part.parts);
                    whole.numbers.extend(part.numbers);
                    for (mine, theirs) in all.iter_mut().zip(&tests) {
                        mine.millis = mine.millis.max(theirs.millis);
                        mine.flaky |= theirs.flaky;
                    }
                }
            }
        }
        let (_, mut whole, tests) = known.expect("there is at least one store");
        whole.numbers.sort_unstable();
        for (number, test) in (0u32..).zip(&tests) {
            if test.flaky && flaky.iter().any(|flaky| !flaky[number as usize]) {
                distrusted.insert(number);
            }
        }
        Ok(Self { stores: stores.to_owned(), whole: whole.normal(), tests, distrusted })
    }

    /// The names of tests that only some parts found to be unreliable: what they noticed elsewhere does not count.
    pub fn distrusted(&self) -> Vec<&str> {
        self.distrusted.iter().map(|test| self.tests[*test as usize].name.as_str()).collect()
    }

    /// Puts all into a new store. Row by row: it does not matter how many there are.
    pub fn write(&self, into: &Path) -> Result<(), MergeError> {
        let store = Store::create(into)?;
        for path in &self.stores {
            let part =
                Part::read(&Store::open(path)?)?.ok_or_else(|| MergeError::NoPart { path: path.clone() })?;
            store.take_in(path, &self.places(&part))?;
        }
        store.put_tests(&self.tests)?;
        self.whole.write(&store)?;
        if let Some(fingerprint) = Store::open(&self.stores[0])?.meta(FINGERPRINT)? {
            store.set_meta(FINGERPRINT, &fingerprint)?;
        }
        self.withdraw(&store)?;
        Ok(())
    }

    /// Where the mutants of a part are among all that are there.
    fn places(&self, part: &Part) -> Vec<u32> {
        let place =
            |number: &u32| self.whole.numbers.binary_search(number).expect("all were gathered") as u32;
        part.numbers.iter().map(place).collect()
    }

    /// Takes back what tests said that another part found to be unreliable.
    fn withdraw(&self, store: &Store) -> Result<(), StoreError> {
        if self.distrusted.is_empty() {
            return Ok(());
        }
        let outcomes = store.outcomes()?;
        let changed: Vec<(u32, Outcome)> = (0u32..)
            .zip(outcomes)
            .filter_map(|(number, outcome)| Some((number, self.without(outcome?)?)))
            .collect();
        store.record_all(changed.iter().map(|(number, outcome)| (*number, outcome)))
    }

    /// An outcome without what distrusted tests noticed; none if they noticed nothing.
    fn without(&self, mut outcome: Outcome) -> Option<Outcome> {
        let kills = outcome.kills();
        if !self.distrusted.iter().any(|test| kills.contains(*test)) {
            return None;
        }
        self.distrusted.iter().for_each(|test| outcome.forget(*test));
        if outcome.kills().is_empty() {
            let asked_all = outcome
                .covered
                .iter()
                .all(|test| outcome.ran.contains(test) || self.tests[test as usize].flaky);
            outcome.fate = if asked_all { Fate::Survived } else { Fate::Untested };
            outcome.log = "killed only by a test that another part found unreliable".to_owned();
        }
        Some(outcome)
    }
}

/// Whether another store is of the same plan and version.
fn check(
    one: &Path,
    whole: &Part,
    tests: &[TestRow],
    other: &Path,
    part: &Part,
    theirs: &[TestRow],
) -> Result<(), MergeError> {
    let (one, other) = (one.to_owned(), other.to_owned());
    if whole.version != part.version {
        let (ours, theirs) = (whole.version.clone(), part.version.clone());
        return Err(MergeError::Version { one, other, ours, theirs });
    }
    if (&whole.plan, whole.mutants) != (&part.plan, part.mutants) {
        return Err(MergeError::Plan { one, other });
    }
    if whole.of != part.of {
        return Err(MergeError::Parts { one, other, ours: whole.of, theirs: part.of });
    }
    let names = |tests: &[TestRow]| tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
    if names(tests) != names(theirs) {
        return Err(MergeError::Tests { one, other });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rand_mt::Mt;
    use roaring::RoaringBitmap;
    use tempfile::TempDir;

    use super::*;
    use crate::exec::Verdict;
    use crate::matrix::KillMatrix;
    use crate::matrix::MutantRow;

    const TESTS: u32 = 6;

    fn draw(random: &mut Mt, below: u32) -> u32 {
        random.next_u32() % below
    }

    /// A plan's mutants and what becomes of them.
    fn world(random: &mut Mt) -> Vec<(MutantRow, Option<Outcome>)> {
        let mut mutant = |number: u32| {
            let row = MutantRow { id: format!("{number:x}-{number}"), line: number, ..MutantRow::default() };
            let mut outcome = Outcome::new(Fate::ALL[draw(random, Fate::ALL.len() as u32) as usize]);
            let tests: RoaringBitmap = (0..TESTS).filter(|_| draw(random, 2) == 0).collect();
            (outcome.covered, outcome.ran) = (tests.clone(), tests);
            (row, (draw(random, 9) > 0).then_some(outcome))
        };
        (0..40).map(&mut mutant).collect()
    }

    fn tests(flaky: &[u32]) -> Vec<TestRow> {
        let row = |number: u32| TestRow {
            name: format!("t{number}"),
            verdict: Verdict::Pass,
            millis: 1.0,
            flaky: flaky.contains(&number),
        };
        (0..TESTS).map(row).collect()
    }

    /// A store with one part.
    fn store(
        home: &TempDir,
        name: &str,
        plan: &str,
        shard: Shard,
        world: &[(MutantRow, Option<Outcome>)],
        flaky: &[u32],
    ) -> PathBuf {
        let path = home.path().join(name);
        let store = Store::create(&path).unwrap();
        let own: Vec<u32> =
            (0..world.len() as u32).filter(|number| shard.owns(&world[*number as usize].0.id)).collect();
        let rows: Vec<MutantRow> = own.iter().map(|number| world[*number as usize].0.clone()).collect();
        store.put_tests(&tests(flaky)).unwrap();
        store.put_mutants(&rows).unwrap();
        let outcomes = (0u32..).zip(&own);
        let outcomes = outcomes.filter_map(|(at, number)| Some((at, world[*number as usize].1.as_ref()?)));
        store.record_all(outcomes).unwrap();
        Part::new(plan, shard, world.len(), own).write(&store).unwrap();
        path
    }

    fn merged(home: &TempDir, name: &str, parts: &[PathBuf]) -> PathBuf {
        let path = home.path().join(name);
        Parts::gather(parts).unwrap().write(&path).unwrap();
        path
    }

    #[test]
    fn any_tree_of_merges_gives_the_whole() {
        let mut random = Mt::new(7);
        for round in 0..40 {
            let home = tempfile::tempdir().unwrap();
            let world = world(&mut random);
            let whole = store(&home, "whole", "p", Shard::WHOLE, &world, &[]);
            let parts = 1 + draw(&mut random, 9) as usize;
            let part = |part| {
                let shard = Shard::new(part, parts).unwrap();
                store(&home, &format!("part-{part}"), "p", shard, &world, &[])
            };
            let mut left: Vec<PathBuf> = (1..=parts).map(part).collect();
            for step in 0.. {
                let some = 1 + draw(&mut random, left.len() as u32) as usize;
                let chosen: Vec<PathBuf> = (0..some)
                    .map(|_| left.swap_remove(draw(&mut random, left.len() as u32) as usize))
                    .collect();
                left.push(merged(&home, &format!("merged-{step}"), &chosen));
                if left.len() == 1 {
                    break;
                }
            }
            let load = |path: &Path| {
                let store = Store::open(path).unwrap();
                (KillMatrix::load(&store).unwrap(), Part::read(&store).unwrap().unwrap())
            };
            assert_eq!(load(&left[0]), load(&whole), "round {round}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_named() {
        let home = tempfile::tempdir().unwrap();
        let world = world(&mut Mt::new(1));
        let shard = |text: &str| text.parse::<Shard>().unwrap();
        let make = |name: &str, plan: &str, part: &str| store(&home, name, plan, shard(part), &world, &[]);
        let first = make("first", "p", "1/3");
        let refusal = |other: &Path| match Parts::gather(&[first.clone(), other.to_owned()]) {
            Ok(_) => "accepted".to_owned(),
            Err(error) => error.to_string(),
        };
        assert!(refusal(&make("again", "p", "1/3")).contains("part 1 of 3 is both in"));
        assert!(refusal(&make("plan", "q", "2/3")).contains("different plans"));
        assert!(refusal(&make("parts", "p", "2/4")).contains("the same N"));
        let version = make("version", "p", "2/3");
        let mut part = Part::read(&Store::open(&version).unwrap()).unwrap().unwrap();
        part.version = "9.9.9".to_owned();
        part.write(&Store::reopen(&version).unwrap()).unwrap();
        assert!(refusal(&version).contains("version 9.9.9"));
        let none = home.path().join("none");
        Store::create(&none).unwrap();
        assert!(refusal(&none).contains("not a part of a run"));
        let second = make("second", "p", "2/3");
        let gathered = Parts::gather(&[second, first]).unwrap();
        assert_eq!(gathered.whole.missing(), [3]);
    }

    #[test]
    fn a_test_that_one_part_found_unreliable_is_believed_in_none() {
        let home = tempfile::tempdir().unwrap();
        let shard = |part| Shard::new(part, 2).unwrap();
        let outcome = |kills: &[u32], ran: &[u32]| {
            let mut outcome = Outcome::new(Fate::Killed);
            outcome.covered = (0..TESTS).collect();
            ran.iter().for_each(|test| outcome.note(*test, Verdict::Pass));
            kills.iter().for_each(|test| outcome.note(*test, Verdict::Fail));
            outcome
        };
        let all: Vec<u32> = (1..TESTS).collect();
        let kinds = [outcome(&[0], &[]), outcome(&[0], &all), outcome(&[0, 1], &[]), outcome(&[1], &[])];
        let row = |number: usize| MutantRow { id: format!("m{number}"), ..MutantRow::default() };
        let world: Vec<_> = (0..40).map(|number| (row(number), Some(kinds[number % 4].clone()))).collect();
        let first = store(&home, "first", "p", shard(1), &world, &[]);
        let second = store(&home, "second", "p", shard(2), &world, &[0]);
        let parts = Parts::gather(&[first, second]).unwrap();
        assert_eq!(parts.distrusted(), ["t0"]);
        let path = home.path().join("merged");
        parts.write(&path).unwrap();
        let matrix = KillMatrix::load(&Store::open(&path).unwrap()).unwrap();
        assert!(matrix.tests[0].flaky);
        let expected = [Fate::Untested, Fate::Survived, Fate::Killed, Fate::Killed];
        for mutant in 0..40 {
            assert_eq!(matrix.fate(mutant), expected[mutant % 4], "{mutant}");
            assert!(!matrix.kills(mutant).contains(0));
        }
    }
}
