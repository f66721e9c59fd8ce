//! Tests and mutants in the store.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use roaring::RoaringBitmap;
use rusqlite::Connection;
use rusqlite::Row;
use rusqlite::Transaction;
use rusqlite::params;

use crate::matrix::MutantRow;
use crate::matrix::Switch;
use crate::matrix::TestRow;
use crate::matrix::row::finite;
use crate::matrix::row::verdict_called;
use crate::matrix::row::verdict_name;

use super::Store;
use super::StoreError;
use super::bits::decode;
use super::bits::encode;

const PUT_TEST: &str = "INSERT INTO test VALUES (?1, ?2, ?3, ?4, ?5)";

const TESTS: &str = "SELECT name, verdict, millis, flaky FROM test ORDER BY number";

const PUT_MUTANT: &str = "INSERT INTO mutant VALUES \
    (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";

const MUTANTS: &str = "SELECT id, file, line, column, end_line, end_column, start, end, text, operators, \
    operator, before, after, repos, fix_share, engine, unit, place FROM mutant ORDER BY number";

impl Store {
    /// Puts the tests in place of those that were there. Outcomes mention tests by number: they get the new numbers by
    /// the names, and are forgotten if they mention a test that is gone.
    pub fn put_tests(&self, tests: &[TestRow]) -> Result<(), StoreError> {
        self.sql(|connection| {
            let transaction = connection.transaction()?;
            let known = strings(&transaction, "SELECT name FROM test ORDER BY number")?;
            if !begins_with(tests.iter().map(|test| test.name.as_str()), &known) {
                renumber(&transaction, &known, tests)?;
            }
            transaction.execute("DELETE FROM test", [])?;
            insert_tests(&transaction, tests)?;
            transaction.commit()
        })
    }

    /// The tests in their order.
    pub fn tests(&self) -> Result<Vec<TestRow>, StoreError> {
        let rows = self.sql(|connection| {
            let mut query = connection.prepare(TESTS)?;
            query.query_map([], read_test)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.into_iter().map(|row| row.ok_or_else(|| self.damaged("the verdict of a test".into()))).collect()
    }

    /// Puts the mutants in place of those that were there. Outcomes are kept if the list begins with the same
    /// ids, and forgotten otherwise: they are known by number.
    pub fn put_mutants(&self, mutants: &[MutantRow]) -> Result<(), StoreError> {
        self.sql(|connection| {
            let transaction = connection.transaction()?;
            let known = strings(&transaction, "SELECT id FROM mutant ORDER BY number")?;
            if !begins_with(mutants.iter().map(|mutant| mutant.id.as_str()), &known) {
                transaction.execute("DELETE FROM outcome", [])?;
            }
            transaction.execute("DELETE FROM mutant", [])?;
            insert_mutants(&transaction, mutants)?;
            transaction.commit()
        })
    }

    /// The mutants in their order.
    pub fn mutants(&self) -> Result<Vec<MutantRow>, StoreError> {
        let rows = self.sql(|connection| {
            let mut query = connection.prepare(MUTANTS)?;
            query.query_map([], read_mutant)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        rows.into_iter()
            .map(|row| row.ok_or_else(|| self.damaged("the operators of a mutant".into())))
            .collect()
    }
}

fn strings(connection: &Connection, query: &str) -> rusqlite::Result<Vec<String>> {
    connection.prepare(query)?.query_map([], |row| row.get(0))?.collect()
}

/// Sets of tests in a row of outcomes.
const SETS: [&str; 5] = ["covered", "ran", "failed", "crashed", "timed_out"];

/// Gives the tests of all outcomes their new numbers.
fn renumber(transaction: &Transaction, known: &[String], tests: &[TestRow]) -> rusqlite::Result<()> {
    let new: BTreeMap<&str, u32> = tests.iter().map(|test| test.name.as_str()).zip(0..).collect();
    let is_unique = new.len() == tests.len() && known.iter().collect::<BTreeSet<_>>().len() == known.len();
    let numbers: Vec<Option<u32>> =
        known.iter().map(|name| new.get(name.as_str()).copied().filter(|_| is_unique)).collect();
    for name in SETS {
        let rows: Vec<(i64, Vec<u8>)> = transaction
            .prepare(&format!("SELECT number, {name} FROM outcome"))?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut put = transaction.prepare(&format!("UPDATE outcome SET {name} = ?2 WHERE number = ?1"))?;
        for (number, bytes) in rows {
            let renumbered = decode(&bytes).and_then(|set| {
                set.iter().map(|test| *numbers.get(test as usize)?).collect::<Option<RoaringBitmap>>()
            });
            match renumbered {
                Some(set) => put.execute(params![number, encode(&set)])?,
                None => transaction.execute("DELETE FROM outcome WHERE number = ?1", [number])?,
            };
        }
    }
    Ok(())
}

fn begins_with<'a>(mut new: impl Iterator<Item = &'a str>, known: &[String]) -> bool {
    known.iter().all(|name| new.next() == Some(name))
}

fn insert_tests(transaction: &Transaction, tests: &[TestRow]) -> rusqlite::Result<()> {
    let mut put = transaction.prepare(PUT_TEST)?;
    for (number, test) in (0i64..).zip(tests) {
        put.execute(params![number, test.name, verdict_name(test.verdict), finite(test.millis), test.flaky])?;
    }
    Ok(())
}

fn read_test(row: &Row) -> rusqlite::Result<Option<TestRow>> {
    let (name, verdict, millis, flaky) = (row.get(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?);
    Ok(verdict_called(&verdict).map(|verdict| TestRow { name, verdict, millis, flaky }))
}

fn insert_mutants(transaction: &Transaction, mutants: &[MutantRow]) -> rusqlite::Result<()> {
    let mut put = transaction.prepare(PUT_MUTANT)?;
    for (number, mutant) in (0i64..).zip(mutants) {
        put.execute(params![
            number,
            mutant.id,
            mutant.file,
            mutant.line,
            mutant.column,
            mutant.end_line,
            mutant.end_column,
            mutant.start.cast_signed(),
            mutant.end.cast_signed(),
            mutant.text,
            serde_json::to_string(&mutant.operators).expect("strings are JSON"),
            mutant.operator,
            mutant.before,
            mutant.after,
            mutant.repos,
            finite(mutant.fix_share),
            mutant.engine,
            mutant.unit.map(|switch| switch.unit),
            mutant.unit.map(|switch| switch.version),
        ])?;
    }
    Ok(())
}

fn read_mutant(row: &Row) -> rusqlite::Result<Option<MutantRow>> {
    let Ok(operators) = serde_json::from_str(&row.get::<_, String>(9)?) else { return Ok(None) };
    let unit = row.get::<_, Option<u32>>(16)?.zip(row.get(17)?).map(Switch::from);
    Ok(Some(MutantRow {
        id: row.get(0)?,
        file: row.get(1)?,
        line: row.get(2)?,
        column: row.get(3)?,
        end_line: row.get(4)?,
        end_column: row.get(5)?,
        start: row.get::<_, i64>(6)?.cast_unsigned(),
        end: row.get::<_, i64>(7)?.cast_unsigned(),
        text: row.get(8)?,
        operators,
        operator: row.get(10)?,
        before: row.get(11)?,
        after: row.get(12)?,
        repos: row.get(13)?,
        fix_share: row.get(14)?,
        engine: row.get(15)?,
        unit,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Fate;
    use crate::matrix::Outcome;

    fn mutants(ids: &[&str]) -> Vec<MutantRow> {
        ids.iter().map(|id| MutantRow { id: (*id).into(), ..MutantRow::default() }).collect()
    }

    #[test]
    fn outcomes_stay_while_their_numbers_mean_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::create(&directory.path().join("m")).unwrap();
        store.put_mutants(&mutants(&["a"])).unwrap();
        store.record(0, &Outcome::new(Fate::Survived)).unwrap();
        store.put_mutants(&mutants(&["a", "b"])).unwrap();
        assert_eq!(store.outcomes().unwrap(), [Some(Outcome::new(Fate::Survived)), None]);
        store.put_mutants(&mutants(&["b", "a"])).unwrap();
        assert_eq!(store.outcomes().unwrap(), [None, None]);
    }
}
