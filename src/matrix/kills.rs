//! The kill matrix in memory, and what can be counted in it.

use roaring::RoaringBitmap;

use super::Fate;
use super::FateCounts;
use super::FateTally;
use super::MutantRow;
use super::Outcome;
use super::Store;
use super::StoreError;
use super::TestRow;
use super::fate::score;
use super::tally::tally;

/// Tests, mutants, and the results of the tests on the mutants. `outcomes` is in the mutants' order; none where
/// nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KillMatrix {
    pub tests: Vec<TestRow>,
    pub mutants: Vec<MutantRow>,
    pub outcomes: Vec<Option<Outcome>>,
}

impl KillMatrix {
    /// Reads all of a store; refuses outcomes that mention tests that are not there.
    pub fn load(store: &Store) -> Result<Self, StoreError> {
        let (tests, mutants, outcomes) = (store.tests()?, store.mutants()?, store.outcomes()?);
        let widths = outcomes.iter().map(|outcome| outcome.as_ref().map_or(0, Outcome::width));
        if let Some((number, width)) = widths.enumerate().find(|(_, width)| *width as usize > tests.len()) {
            let (path, tests) = (store.path().to_owned(), tests.len());
            return Err(StoreError::NoTest { path, number, test: width - 1, tests });
        }
        Ok(Self { tests, mutants, outcomes })
    }

    /// Puts all of it into a store, so that what came from elsewhere goes on like a run of our own.
    pub fn save(&self, store: &Store) -> Result<(), StoreError> {
        store.put_tests(&self.tests)?;
        store.put_mutants(&self.mutants)?;
        let known = (0..).zip(&self.outcomes).filter_map(|(number, row)| Some((number, row.as_ref()?)));
        store.record_all(known)
    }

    /// What is known of a mutant.
    pub fn outcome(&self, mutant: usize) -> Option<&Outcome> {
        self.outcomes.get(mutant)?.as_ref()
    }

    /// The fate of a mutant; untested if nothing is known.
    pub fn fate(&self, mutant: usize) -> Fate {
        self.outcome(mutant).map_or(Fate::Untested, |outcome| outcome.fate)
    }

    /// The tests that killed a mutant.
    pub fn kills(&self, mutant: usize) -> RoaringBitmap {
        self.outcome(mutant).map(Outcome::kills).unwrap_or_default()
    }

    /// How many mutants met which fate.
    pub fn counts(&self) -> FateCounts {
        let mut counts = FateCounts::new();
        (0..self.mutants.len()).for_each(|mutant| *counts.entry(self.fate(mutant)).or_default() += 1);
        counts
    }

    /// Detected / (detected + missed); none if there is nothing to detect.
    pub fn score(&self) -> Option<f64> {
        score(&self.counts())
    }

    /// The fates by file, in the order of the names.
    pub fn by_file(&self) -> Vec<FateTally> {
        tally(self.mutants.iter().enumerate().map(|(at, row)| (row.file.as_str(), "", self.fate(at))))
    }

    /// The fates by operator, in the order of the ids. A mutant that several operators make counts for the
    /// first of them, so that the tallies add up.
    pub fn by_operator(&self) -> Vec<FateTally> {
        tally(self.mutants.iter().enumerate().map(|(at, row)| {
            let id = row.operators.first().map_or("", String::as_str);
            (id, row.operator.as_str(), self.fate(at))
        }))
    }

    /// The numbers of the missed mutants, the most useful to look at first: all that tests executed but did not kill,
    /// then those that no test reaches; among them by [`Self::worth`], then by number.
    pub fn survivors_ranked(&self) -> Vec<u32> {
        let missed = (0..self.mutants.len()).filter(|mutant| self.fate(*mutant).is_missed());
        let mut ranked: Vec<_> = missed
            .map(|mutant| (self.fate(mutant) == Fate::NotCovered, self.worth(mutant), mutant as u32))
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().map(|(_, _, mutant)| mutant).collect()
    }

    /// How useful it is to look at a survivor, 0 to 1:
    ///
    /// `0.4 · fix_share + 0.3 · r/(r+4) + 0.2 · n/(n+4) + 0.1 · 16/(16+b)`
    ///
    /// with r the tests that reach it, n the repositories its operator was seen in, b the bytes that it takes
    /// out and puts in. The first two say most: people did make this mistake and fix it, and tests that execute it
    /// without failing can be improved. Only fractions, so that every machine gives the same order.
    pub fn worth(&self, mutant: usize) -> f64 {
        let row = &self.mutants[mutant];
        let reached = self.outcome(mutant).map_or(0, |known| (&known.covered | &known.ran).len());
        let bytes = row.end.saturating_sub(row.start) as f64 + row.text.len() as f64;
        let saturated = |count: f64| count / (count + 4.0);
        let fixes = if row.fix_share.is_finite() { row.fix_share.clamp(0.0, 1.0) } else { 0.0 };
        0.4 * fixes
            + 0.3 * saturated(reached as f64)
            + 0.2 * saturated(f64::from(row.repos))
            + 0.1 * 16.0 / (16.0 + bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(id: &str, fix_share: f64) -> MutantRow {
        let operators = vec![id[..1].to_owned()];
        MutantRow { id: id.into(), file: "a.c".into(), fix_share, operators, ..MutantRow::default() }
    }

    fn matrix(rows: &[(&str, f64, Fate)]) -> KillMatrix {
        KillMatrix {
            tests: Vec::new(),
            mutants: rows.iter().map(|(id, share, _)| mutant(id, *share)).collect(),
            outcomes: rows.iter().map(|(_, _, fate)| Some(Outcome::new(*fate))).collect(),
        }
    }

    #[test]
    fn survivors_of_bug_fix_operators_come_first_and_uncovered_ones_last() {
        let rows = [
            ("a", 0.9, Fate::NotCovered),
            ("b", 0.1, Fate::Survived),
            ("c", 0.5, Fate::Survived),
            ("d", 0.9, Fate::Killed),
            ("e", 0.1, Fate::Survived),
        ];
        assert_eq!(matrix(&rows).survivors_ranked(), [2, 1, 4, 0]);
    }

    #[test]
    fn a_survivor_that_many_tests_pass_by_is_worth_more() {
        let mut matrix = matrix(&[("a", 0.5, Fate::Survived), ("b", 0.5, Fate::Survived)]);
        matrix.outcomes[1].as_mut().unwrap().covered.insert_range(0..9);
        assert_eq!(matrix.survivors_ranked(), [1, 0]);
        assert!(matrix.worth(1) < 1.0);
    }

    #[test]
    fn tallies_add_up() {
        let matrix =
            matrix(&[("x1", 0.0, Fate::Killed), ("x2", 0.0, Fate::Survived), ("y", 0.0, Fate::TimeOut)]);
        let operators = matrix.by_operator();
        assert_eq!(operators[0].name, "x");
        assert_eq!(operators[0].score, Some(0.5));
        assert_eq!(operators[1].counts, FateCounts::from([(Fate::TimeOut, 1)]));
        assert_eq!(matrix.by_file()[0].counts, matrix.counts());
        assert_eq!(matrix.score(), Some(2.0 / 3.0));
    }
}
