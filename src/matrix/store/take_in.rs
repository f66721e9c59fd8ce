//! Rows of one store put into another.

use std::path::Path;

use rusqlite::Connection;

use super::Store;
use super::StoreError;

const MOVED: &str = "CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)";
const MUTANTS: &str = "INSERT INTO mutant SELECT moved.new, id, file, line, column, end_line, end_column, start, end, \
    text, operators, operator, before, after, repos, fix_share, engine, unit, place \
    FROM part.mutant JOIN temp.moved ON moved.old = part.mutant.number";
const OUTCOMES: &str = "INSERT INTO outcome SELECT moved.new, fate, millis, covered, ran, failed, crashed, timed_out, \
    log FROM part.outcome JOIN temp.moved ON moved.old = part.outcome.number";

impl Store {
    /// Takes in mutants and outcomes of another store, which have these numbers here.
    pub fn take_in(&self, other: &Path, numbers: &[u32]) -> Result<(), StoreError> {
        let name = other.to_string_lossy().into_owned();
        // A store that is read must be one that we know.
        drop(Self::open(other)?);
        self.sql(|connection| {
            connection.execute("ATTACH ?1 AS part", [name])?;
            let taken = take(connection, numbers);
            let detached = connection.execute_batch("DROP TABLE IF EXISTS temp.moved; DETACH part");
            taken.and(detached)
        })
    }
}

fn take(connection: &mut Connection, numbers: &[u32]) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(MOVED)?;
    {
        let mut put = transaction.prepare("INSERT INTO temp.moved VALUES (?1, ?2)")?;
        for (old, new) in (0u32..).zip(numbers) {
            put.execute([old, *new])?;
        }
    }
    transaction.execute(MUTANTS, [])?;
    transaction.execute(OUTCOMES, [])?;
    transaction.commit()
}
