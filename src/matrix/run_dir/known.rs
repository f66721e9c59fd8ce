//! What stores know, by the ids of mutants.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;

use super::super::Fate;
use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::super::Store;
use super::super::TestRow;
use super::error::RunDirError;

/// The key under which a store keeps what was tested.
pub(in super::super) const FINGERPRINT: &str = "fingerprint";

/// What an earlier run found out.
#[derive(Default)]
pub struct KnownResults {
    pub tests: Vec<TestRow>,
    pub rows: Vec<MutantRow>,
    pub outcomes: BTreeMap<String, Outcome>,
}

/// The fingerprint of what a store is about.
pub fn fingerprint_of(store: &Path) -> Result<Option<String>, RunDirError> {
    Ok(Store::open(store)?.meta(FINGERPRINT)?)
}

impl KnownResults {
    /// Reads a store.
    pub fn read(store: &Path) -> Result<Self, RunDirError> {
        let KillMatrix { tests, mutants, outcomes } = KillMatrix::load(&Store::open(store)?)?;
        let tested = |outcome: &Outcome| outcome.fate != Fate::Untested;
        let pairs = mutants.iter().zip(outcomes);
        let outcomes = pairs.filter_map(|(row, outcome)| Some((row.id.clone(), outcome.filter(tested)?)));
        Ok(Self { outcomes: outcomes.collect(), tests, rows: mutants })
    }

    /// Whether there are outcomes of other mutants than these.
    pub fn has_more_than(&self, rows: &[MutantRow]) -> bool {
        let kept: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        self.outcomes.keys().any(|id| !kept.contains(id.as_str()))
    }

    /// Writes a new store for these mutants, with what is known of them; per mutant, whether anything is. The
    /// store is closed again, so that it can be renamed.
    pub fn write(
        &self,
        path: &Path,
        fingerprint: &str,
        rows: &[MutantRow],
    ) -> Result<Vec<bool>, RunDirError> {
        let store = Store::create(path)?;
        store.set_meta(FINGERPRINT, fingerprint)?;
        store.put_mutants(&self.placed(rows))?;
        if !self.tests.is_empty() {
            store.put_tests(&self.tests)?;
        }
        let known: Vec<Option<&Outcome>> = rows.iter().map(|row| self.outcomes.get(&row.id)).collect();
        let outcomes = (0..).zip(&known).filter_map(|(number, outcome)| Some((number, (*outcome)?)));
        store.record_all(outcomes)?;
        Ok(known.iter().map(Option::is_some).collect())
    }

    /// The rows, with how each was run where its outcome is known.
    fn placed(&self, rows: &[MutantRow]) -> Vec<MutantRow> {
        let earlier: BTreeMap<&str, &MutantRow> =
            self.rows.iter().map(|row| (row.id.as_str(), row)).collect();
        let placed = |row: &MutantRow| match earlier.get(row.id.as_str()) {
            Some(known) if row.engine.is_empty() && self.outcomes.contains_key(&row.id) => {
                MutantRow { engine: known.engine.clone(), unit: known.unit, ..row.clone() }
            }
            _ => row.clone(),
        };
        rows.iter().map(placed).collect()
    }
}
