//! The file: made, opened, checked.

use std::fs::File;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;
use std::time::Instant;

use rusqlite::Connection;
use rusqlite::ErrorCode;
use rusqlite::OpenFlags;
use rusqlite::OptionalExtension;
use rusqlite::TransactionBehavior;

use super::StoreError;

/// The format that is written, and the highest that is read.
const FORMAT: i64 = 1;

/// `WCkm` in SQLite's application id: this file is ours.
const OURS: i64 = 0x5743_6b6d;

const SCHEMA: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE test (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, verdict TEXT NOT NULL, millis REAL NOT NULL,
        flaky INTEGER NOT NULL
    );
    CREATE TABLE mutant (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,
        column INTEGER NOT NULL, end_line INTEGER NOT NULL, end_column INTEGER NOT NULL,
        start INTEGER NOT NULL, end INTEGER NOT NULL, text BLOB NOT NULL, operators TEXT NOT NULL,
        operator TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, repos INTEGER NOT NULL,
        fix_share REAL NOT NULL, engine TEXT NOT NULL, unit INTEGER, place INTEGER
    );
    CREATE TABLE outcome (
        number INTEGER PRIMARY KEY, fate TEXT NOT NULL, millis REAL NOT NULL, covered BLOB NOT NULL,
        ran BLOB NOT NULL, failed BLOB NOT NULL, crashed BLOB NOT NULL, timed_out BLOB NOT NULL,
        log TEXT NOT NULL
    );";

/// What a store is opened for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

/// How long outcomes may wait until they are forced to the disk: that takes as long as hundreds of outcomes take.
const UNSYNCED: Duration = Duration::from_secs(1);

/// A kill matrix on disk. Threads may share it.
///
/// As soon as a call returns, no end of the process loses what it wrote. A power cut may cost the outcomes of the last
/// second in which there were some; what is [sealed](Store::seal) it does not touch.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Mutex<Connection>,
    synced: Mutex<Instant>,
}

impl Store {
    /// Makes a store where there is no file yet.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        File::create_new(path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists { path: path.to_owned() },
            _ => StoreError::Access { path: path.to_owned(), source },
        })?;
        let store = Self::connect(path, Access::Write)?;
        store.sql(|connection| {
            // Rows of a few kilobytes would leave half of a small page empty.
            connection.pragma_update(None, "page_size", 16_384)?;
            connection.pragma_update(None, "journal_mode", "wal")?;
            let transaction = connection.transaction()?;
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "application_id", OURS)?;
            transaction.pragma_update(None, "user_version", FORMAT)?;
            transaction.commit()
        })?;
        Ok(store)
    }

    /// Opens a store that is there, to read it. Whoever writes to it meanwhile is not disturbed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        match Self::open_for(path, Access::Read) {
            // Killed while it was sealed: whoever opens it first has to take back the last step.
            Err(StoreError::Sql { source, .. })
                if source.sqlite_error_code() == Some(ErrorCode::ReadOnly) =>
            {
                Self::open_for(path, Access::Write)
            }
            opened => opened,
        }
    }

    /// Opens a store that is there, to go on writing.
    pub fn reopen(path: &Path) -> Result<Self, StoreError> {
        let store = Self::open_for(path, Access::Write)?;
        store.sql(|connection| connection.pragma_update(None, "journal_mode", "wal"))?;
        Ok(store)
    }

    /// Makes a store that nobody writes to any more one plain file, which is on the disk.
    pub fn seal(path: &Path) -> Result<(), StoreError> {
        let store = Self::open_for(path, Access::Write)?;
        let mode: String = store.sql(|connection| {
            connection.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get(0))
        })?;
        if mode == "delete" { Ok(()) } else { Err(StoreError::InUse { path: path.to_owned() }) }
    }

    fn open_for(path: &Path, access: Access) -> Result<Self, StoreError> {
        File::open(path).map_err(|source| StoreError::Access { path: path.to_owned(), source })?;
        let store = Self::connect(path, access)?;
        let read = |name: &'static str| {
            store.sql(|connection| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)))
        };
        match (read("application_id")?, read("user_version")?) {
            (OURS, 1..=FORMAT) => Ok(store),
            (OURS, found) if found > FORMAT => {
                Err(StoreError::Newer { path: path.to_owned(), found, known: FORMAT })
            }
            _ => Err(StoreError::Foreign { path: path.to_owned() }),
        }
    }

    fn connect(path: &Path, access: Access) -> Result<Self, StoreError> {
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
        } | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)
            .map_err(|source| StoreError::Sql { path: path.to_owned(), source })?;
        // One that reads first and writes later could find that another wrote in between.
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        let (connection, synced) = (Mutex::new(connection), Mutex::new(Instant::now()));
        let store = Self { path: path.to_owned(), connection, synced };
        // With a write-ahead log this is safe against the end of the process; see `durably` for power cuts.
        store.sql(|connection| connection.pragma_update(None, "synchronous", "normal"))?;
        Ok(store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Notes something about the run as a whole.
    pub fn set_meta(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.sql(|connection| {
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", [key, value]).map(drop)
        })
    }

    /// What was noted under that key.
    pub fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.sql(|connection| {
            connection.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0)).optional()
        })
    }

    /// Does something with the connection; names the file if it goes wrong.
    pub(super) fn sql<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&mut self.lock()).map_err(|source| self.refused(source))
    }

    /// Does the same; from time to time, waits until this and all that was written before is on the disk.
    pub(super) fn durably<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if synced.elapsed() < UNSYNCED {
            drop(synced);
            return self.sql(work);
        }
        *synced = Instant::now();
        self.sql(|connection| {
            connection.pragma_update(None, "synchronous", "full")?;
            let done = work(connection);
            connection.pragma_update(None, "synchronous", "normal")?;
            done
        })
    }

    /// The connection; a thread that died while it held it left a transaction that was rolled back.
    pub(super) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// SQLite's refusal; that a file is none of its own has a name.
    pub(super) fn refused(&self, source: rusqlite::Error) -> StoreError {
        let path = self.path.clone();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => StoreError::Foreign { path },
            _ => StoreError::Sql { path, source },
        }
    }

    /// An error about what was read.
    pub(super) fn damaged(&self, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &Path) -> String {
        Store::open(path).unwrap_err().to_string()
    }

    #[test]
    fn what_is_noted_is_there_for_the_next_who_opens() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.sqlite");
        let store = Store::create(&path).unwrap();
        store.set_meta("seed", "7").unwrap();
        store.set_meta("seed", "8").unwrap();
        let other = Store::open(&path).unwrap();
        assert_eq!(other.meta("seed").unwrap().as_deref(), Some("8"));
        assert_eq!(other.meta("none").unwrap(), None);
        assert!(Store::create(&path).unwrap_err().to_string().contains("already"));
    }

    #[test]
    fn other_files_are_refused_with_a_remedy() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x");
        assert!(refusal(&path).contains("check path"), "{}", refusal(&path));
        for text in [String::new(), "not a database at all ".repeat(100)] {
            std::fs::write(&path, text).unwrap();
            assert!(refusal(&path).contains("not a kill matrix"), "{}", refusal(&path));
        }
        let newer = directory.path().join("newer");
        Store::create(&newer).unwrap().lock().pragma_update(None, "user_version", 2).unwrap();
        assert!(refusal(&newer).contains("format 2"), "{}", refusal(&newer));
    }
}
