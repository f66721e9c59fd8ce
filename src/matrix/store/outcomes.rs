//! Outcomes in the store: one row per mutant.

use roaring::RoaringBitmap;
use rusqlite::Connection;
use rusqlite::OptionalExtension;
use rusqlite::Row;
use rusqlite::params;

use crate::matrix::Fate;
use crate::matrix::Outcome;
use crate::matrix::row::finite;

use super::Store;
use super::StoreError;
use super::bits::decode;
use super::bits::encode;

/// Inserts nothing where there is no such mutant.
const RECORD: &str = "INSERT OR REPLACE INTO outcome SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 \
    WHERE EXISTS (SELECT 1 FROM mutant WHERE number = ?1)";

const COVER: &str = "INSERT INTO outcome SELECT ?1, 'untested', 0.0, ?2, x'', x'', x'', x'', '' \
    WHERE EXISTS (SELECT 1 FROM mutant WHERE number = ?1) \
    ON CONFLICT (number) DO UPDATE SET covered = excluded.covered";

const OUTCOMES: &str = "SELECT mutant.number, fate, millis, covered, ran, failed, crashed, timed_out, log \
    FROM mutant LEFT JOIN outcome ON outcome.number = mutant.number ORDER BY mutant.number";

const OUTCOME_OF: &str = "SELECT number, fate, millis, covered, ran, failed, crashed, timed_out, log \
    FROM outcome WHERE number = ?1";

impl Store {
    /// Records the result of a mutant, in place of what was known of it.
    pub fn record(&self, number: u32, outcome: &Outcome) -> Result<(), StoreError> {
        let written = self.durably(|connection| record(connection, number, outcome))?;
        self.expect_mutant(written, number)
    }

    /// Records many in one transaction: all of them or, if one is refused, none.
    pub fn record_all<'a>(
        &self,
        outcomes: impl IntoIterator<Item = (u32, &'a Outcome)>,
    ) -> Result<(), StoreError> {
        self.write_all(outcomes, record)
    }

    /// Notes which tests reach a mutant; whatever else is known of it stays.
    pub fn set_covered(&self, number: u32, tests: &RoaringBitmap) -> Result<(), StoreError> {
        self.set_covered_all([(number, tests)])
    }

    /// Notes for many mutants which tests reach them, in one transaction.
    pub fn set_covered_all<'a>(
        &self,
        sets: impl IntoIterator<Item = (u32, &'a RoaringBitmap)>,
    ) -> Result<(), StoreError> {
        self.write_all(sets, cover)
    }

    /// What is known of each mutant, in the mutants' order. One of which only the coverage is known is
    /// [`Fate::Untested`].
    pub fn outcomes(&self) -> Result<Vec<Option<Outcome>>, StoreError> {
        let rows = self.sql(|connection| {
            let mut query = connection.prepare(OUTCOMES)?;
            query.query_map([], read)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.into_iter().map(|row| row.map_err(|number| self.torn(number))).collect()
    }

    /// What is known of these mutants, by number.
    pub fn outcomes_of(&self, numbers: &[u32]) -> Result<Vec<Option<Outcome>>, StoreError> {
        let rows = self.sql(|connection| {
            let mut query = connection.prepare(OUTCOME_OF)?;
            numbers
                .iter()
                .map(|number| Ok(query.query_row([number], read).optional()?.unwrap_or(Ok(None))))
                .collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.into_iter().map(|row| row.map_err(|number| self.torn(number))).collect()
    }

    /// What was printed when a mutant was run; none if nothing is known of it.
    pub fn log_of(&self, number: u32) -> Result<Option<String>, StoreError> {
        self.sql(|connection| {
            let mut query = connection.prepare_cached("SELECT log FROM outcome WHERE number = ?1")?;
            query.query_row([number], |row| row.get(0)).optional()
        })
    }

    fn write_all<T>(
        &self,
        rows: impl IntoIterator<Item = (u32, T)>,
        write: impl Fn(&Connection, u32, T) -> rusqlite::Result<usize>,
    ) -> Result<(), StoreError> {
        let wrap = |source| self.refused(source);
        let mut connection = self.lock();
        let transaction = connection.transaction().map_err(wrap)?;
        for (number, row) in rows {
            let written = write(&transaction, number, row).map_err(wrap)?;
            self.expect_mutant(written, number)?;
        }
        transaction.commit().map_err(wrap)
    }

    fn expect_mutant(&self, written: usize, number: u32) -> Result<(), StoreError> {
        if written == 0 {
            return Err(StoreError::NoMutant { path: self.path().to_owned(), number });
        }
        Ok(())
    }

    fn torn(&self, number: i64) -> StoreError {
        self.damaged(format!("the outcome of mutant {number}"))
    }
}

fn record(connection: &Connection, number: u32, outcome: &Outcome) -> rusqlite::Result<usize> {
    connection.prepare_cached(RECORD)?.execute(params![
        number,
        outcome.fate.name(),
        finite(outcome.millis),
        encode(&outcome.covered),
        encode(&outcome.ran),
        encode(&outcome.failed),
        encode(&outcome.crashed),
        encode(&outcome.timed_out),
        outcome.log,
    ])
}

fn cover(connection: &Connection, number: u32, tests: &RoaringBitmap) -> rusqlite::Result<usize> {
    connection.prepare_cached(COVER)?.execute(params![number, encode(tests)])
}

/// An outcome, or the number of the mutant whose outcome makes no sense.
fn read(row: &Row) -> rusqlite::Result<Result<Option<Outcome>, i64>> {
    let Some(fate) = row.get::<_, Option<String>>(1)? else { return Ok(Ok(None)) };
    let (millis, log) = (row.get(2)?, row.get(8)?);
    let sets = [bits(row, 3)?, bits(row, 4)?, bits(row, 5)?, bits(row, 6)?, bits(row, 7)?];
    let (Ok(fate), [Some(covered), Some(ran), Some(failed), Some(crashed), Some(timed_out)]) =
        (fate.parse::<Fate>(), sets)
    else {
        return Ok(Err(row.get(0)?));
    };
    Ok(Ok(Some(Outcome { fate, covered, ran, failed, crashed, timed_out, millis, log })))
}

fn bits(row: &Row, column: usize) -> rusqlite::Result<Option<RoaringBitmap>> {
    Ok(decode(row.get_ref(column)?.as_blob()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::MutantRow;

    fn with_mutants(directory: &tempfile::TempDir, count: usize) -> Store {
        let store = Store::create(&directory.path().join("m")).unwrap();
        let row = |number| MutantRow { id: format!("{number}"), ..MutantRow::default() };
        store.put_mutants(&(0..count).map(row).collect::<Vec<_>>()).unwrap();
        store
    }

    #[test]
    fn another_connection_sees_what_is_committed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let store = with_mutants(&directory, 2);
        let killed = Outcome { log: "no".into(), ..Outcome::new(Fate::Killed) };
        store.record(0, &killed).unwrap();
        let other = Store::open(store.path()).unwrap();
        let mut connection = store.lock();
        let unfinished = connection.transaction().unwrap();
        record(&unfinished, 1, &killed).unwrap();
        assert_eq!(other.outcomes().unwrap(), [Some(killed), None]);
        assert_eq!(other.log_of(0).unwrap().as_deref(), Some("no"));
        assert_eq!(other.log_of(1).unwrap(), None);
    }

    #[test]
    fn a_refused_row_takes_its_transaction_with_it() {
        let directory = tempfile::tempdir().unwrap();
        let store = with_mutants(&directory, 1);
        let outcome = Outcome::new(Fate::Survived);
        let refusal = store.record_all([(0, &outcome), (1, &outcome)]).unwrap_err().to_string();
        assert!(refusal.contains("no mutant 1"), "{refusal}");
        assert!(store.record(1, &outcome).is_err());
        assert_eq!(store.outcomes().unwrap(), [None]);
    }

    #[test]
    fn coverage_comes_before_and_stays_beside_the_outcome() {
        let directory = tempfile::tempdir().unwrap();
        let store = with_mutants(&directory, 1);
        let covered = RoaringBitmap::from([1, 2]);
        store.set_covered(0, &covered).unwrap();
        let untested = Outcome { covered: covered.clone(), ..Outcome::new(Fate::Untested) };
        assert_eq!(store.outcomes().unwrap(), [Some(untested)]);
        store.record(0, &Outcome::new(Fate::Killed)).unwrap();
        store.set_covered(0, &covered).unwrap();
        assert_eq!(store.outcomes().unwrap(), [Some(Outcome { covered, ..Outcome::new(Fate::Killed) })]);
    }

    #[test]
    fn a_damaged_row_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let store = with_mutants(&directory, 1);
        store.record(0, &Outcome::new(Fate::Killed)).unwrap();
        store.lock().execute("UPDATE outcome SET ran = x'09'", []).unwrap();
        assert!(store.outcomes().unwrap_err().to_string().contains("outcome of mutant 0"));
    }
}
