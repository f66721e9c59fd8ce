//! The store: outcomes per second, each in a transaction of its own as a run records them, and all in one.

use std::time::Instant;

use roaring::RoaringBitmap;
use wildcaught::matrix::Fate;
use wildcaught::matrix::MutantRow;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;

/// Mutants recorded.
const MUTANTS: u32 = 10_000;

/// Records outcomes that 50 of 10,000 tests reach. By the clock: what a record waits for is the disk.
pub fn store() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let outcomes: Vec<Outcome> = (0..MUTANTS).map(outcome).collect();
    let rows = || (0..).zip(&outcomes);
    for name in ["one by one", "at once"] {
        let store = empty(&directory.path().join(name));
        let start = Instant::now();
        match name {
            "at once" => store.record_all(rows()).expect("a writable store"),
            _ => rows().for_each(|(number, row)| store.record(number, row).expect("a writable store")),
        }
        let seconds = start.elapsed().as_secs_f64();
        drop(store);
        let size = std::fs::metadata(directory.path().join(name)).expect("it was written").len();
        println!(
            "store {name:<10}  {MUTANTS} rows  {:>9.0} rows per second  {:.1} MB",
            f64::from(MUTANTS) / seconds,
            size as f64 / 1e6
        );
    }
}

fn empty(path: &std::path::Path) -> Store {
    let store = Store::create(path).expect("a writable temporary directory");
    let row = |number| MutantRow { id: format!("{number:016x}"), ..MutantRow::default() };
    store.put_mutants(&(0..MUTANTS).map(row).collect::<Vec<_>>()).expect("a writable store");
    store
}

fn outcome(number: u32) -> Outcome {
    let covered: RoaringBitmap = (0..50).map(|test| (number * 7 + test * 197) % 10_000).collect();
    let failed = covered.iter().take(3).collect();
    Outcome { ran: covered.clone(), covered, failed, millis: 12.5, ..Outcome::new(Fate::Killed) }
}
