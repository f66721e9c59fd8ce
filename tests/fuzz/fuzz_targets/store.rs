//! The store: our tables with any values in them, or a file with some bytes changed, are read or refused.
#![no_main]

use std::cell::RefCell;
use std::fs;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rusqlite::Connection;
use rusqlite::ToSql;
use rusqlite::types::ToSqlOutput;
use rusqlite::types::Value;
use tempfile::TempDir;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Store;
use wildcaught::matrix::from_json;
use wildcaught::matrix::to_csv;
use wildcaught::matrix::to_json;

#[derive(Arbitrary, Debug)]
enum Input {
    Rows { tests: Vec<[Cell; 5]>, mutants: Vec<[Cell; 19]>, outcomes: Vec<[Cell; 9]>, meta: Vec<[Cell; 2]> },
    Bytes(Vec<(u16, u8)>),
}

#[derive(Arbitrary, Debug)]
enum Cell {
    Number(i64),
    Small(u8),
    Real(f64),
    Text(String),
    Word(u8),
    Blob(Vec<u8>),
    Set(Vec<u8>),
}

const WORDS: [&str; 10] =
    ["pass", "fail", "crash", "time-out", "killed", "survived", "not-covered", "[]", "[\"a\"]", "a.c"];

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Owned(match self {
            Self::Number(number) => Value::Integer(*number),
            Self::Small(number) => Value::Integer(i64::from(*number)),
            Self::Real(number) => Value::Real(*number),
            Self::Text(text) => Value::Text(text.clone()),
            Self::Word(which) => Value::Text(WORDS[usize::from(*which) % WORDS.len()].into()),
            Self::Blob(bytes) => Value::Blob(bytes.clone()),
            Self::Set(bytes) => Value::Blob([&[1][..], bytes].concat()),
        }))
    }
}

thread_local! {
    static WHERE: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a directory"));
}

/// A store without rows, and one with a few, as bytes.
static STORES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let matrix = from_json(include_str!("../../localize/matrix.json"), "m").expect("it is a matrix");
    [KillMatrix::default(), matrix].map(|matrix| {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("s");
        let store = Store::create(&path).expect("a store");
        matrix.save(&store).expect("rows");
        drop(store);
        fs::read(&path).expect("it was just written")
    })
});

fn rows<const N: usize>(connection: &Connection, table: &str, rows: &[[Cell; N]]) {
    let places = vec!["?"; N].join(",");
    for row in rows {
        let values: Vec<&dyn ToSql> = row.iter().map(|cell| cell as &dyn ToSql).collect();
        let _ = connection.execute(&format!("INSERT OR REPLACE INTO {table} VALUES ({places})"), &values[..]);
    }
}

fuzz_target!(|input: Input| {
    WHERE.with_borrow_mut(|place| {
        let path = place.path().join("s.sqlite");
        for ending in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{ending}", path.display()));
        }
        match &input {
            Input::Rows { tests, mutants, outcomes, meta } => {
                fs::write(&path, &STORES[0]).expect("a store");
                let connection = Connection::open(&path).expect("a database");
                let _ = connection.execute_batch("PRAGMA synchronous=off; PRAGMA journal_mode=memory; BEGIN");
                rows(&connection, "test", tests);
                rows(&connection, "mutant", mutants);
                rows(&connection, "outcome", outcomes);
                rows(&connection, "meta", meta);
                let _ = connection.execute_batch("COMMIT");
            }
            Input::Bytes(changes) => {
                let mut bytes = STORES[1].clone();
                for (at, byte) in changes {
                    // The first pages matter most; the rest is reached by the multiples.
                    let at = usize::from(*at) * 7 % bytes.len();
                    bytes[at] = *byte;
                }
                fs::write(&path, bytes).expect("a store");
            }
        }
        if let Ok(store) = Store::open(&path)
            && let Ok(matrix) = KillMatrix::load(&store)
        {
            drop(store.meta("fingerprint"));
            drop((matrix.score(), matrix.by_file(), matrix.survivors_ranked(), to_csv(&matrix)));
            let json = to_json(&matrix);
            from_json(&json, "again").unwrap_or_else(|error| panic!("{error}\n{json}"));
        }
    });
});
