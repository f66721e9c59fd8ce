//! Kill matrices: into the store and out again, into documents and out again.

use proptest::collection::vec;
use proptest::prelude::*;
use roaring::RoaringBitmap;
use serde_json::Value;

use wildcaught::exec::Verdict;
use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::MutantRow;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;
use wildcaught::matrix::TestRow;
use wildcaught::matrix::from_csv;
use wildcaught::matrix::from_json;
use wildcaught::matrix::mte_json;
use wildcaught::matrix::mutants_json;
use wildcaught::matrix::to_csv;
use wildcaught::matrix::to_json;

/// Names with everything in them that a file format could trip over.
fn name() -> impl Strategy<Value = String> {
    "[a-z:,\" \r\n\\PC]{0,6}"
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Verdict::Pass), Just(Verdict::Fail), Just(Verdict::Crash), Just(Verdict::TimeOut)]
}

/// What fifteen digits can say.
fn millis() -> impl Strategy<Value = f64> {
    (0u32..10_000_000).prop_map(|micros| f64::from(micros) / 1000.0)
}

fn test() -> impl Strategy<Value = TestRow> {
    (name(), verdict(), millis(), any::<bool>()).prop_map(|(name, verdict, millis, flaky)| TestRow {
        name,
        verdict,
        millis,
        flaky,
    })
}

fn mutant() -> impl Strategy<Value = MutantRow> {
    let place = any::<([u32; 4], [u64; 2], Vec<u8>, u32, Option<(u32, u32)>)>();
    let texts = (vec(name(), 6), vec(name(), 0..3));
    (place, texts, 0u32..=1000).prop_map(|((at, bytes, text, repos, unit), (names, operators), share)| {
        let [id, file, operator, before, after, engine] = <[String; 6]>::try_from(names).unwrap();
        let [line, column, end_line, end_column] = at;
        let ([start, end], fix_share) = (bytes, f64::from(share) / 1000.0);
        MutantRow {
            id,
            file,
            line,
            column,
            end_line,
            end_column,
            start,
            end,
            text,
            operators,
            operator,
            before,
            after,
            repos,
            fix_share,
            engine,
            unit: unit.map(Into::into),
        }
    })
}

/// An outcome over so many tests: each is covered or not, and says something or does not run.
fn outcome(tests: usize) -> impl Strategy<Value = Outcome> {
    let fate = (0..Fate::ALL.len()).prop_map(|at| Fate::ALL[at]);
    let cells = vec((any::<bool>(), proptest::option::of(verdict())), tests);
    (fate, cells, millis(), name()).prop_map(|(fate, cells, millis, log)| {
        let mut outcome = Outcome { millis, log, ..Outcome::new(fate) };
        for (test, (covered, said)) in (0..).zip(cells) {
            if covered {
                outcome.covered.insert(test);
            }
            if let Some(verdict) = said {
                outcome.note(test, verdict);
            }
        }
        outcome
    })
}

fn matrix() -> impl Strategy<Value = KillMatrix> {
    vec(test(), 0..20).prop_flat_map(|tests| {
        let rows = vec((mutant(), proptest::option::of(outcome(tests.len()))), 0..12);
        rows.prop_map(move |rows| {
            let (mutants, outcomes) = rows.into_iter().unzip();
            KillMatrix { tests: tests.clone(), mutants, outcomes }
        })
    })
}

/// What the table keeps of a matrix.
fn in_csv(matrix: &KillMatrix) -> KillMatrix {
    let test =
        |row: &TestRow| TestRow { name: row.name.clone(), verdict: Verdict::Pass, millis: 0.0, flaky: false };
    let mutant = |row: &MutantRow| MutantRow {
        id: row.id.clone(),
        file: row.file.clone(),
        line: row.line,
        ..MutantRow::default()
    };
    let outcome = |row: &Option<Outcome>| {
        row.clone().map(|row| Outcome { covered: row.ran.clone(), millis: 0.0, log: String::new(), ..row })
    };
    KillMatrix {
        tests: matrix.tests.iter().map(test).collect(),
        mutants: matrix.mutants.iter().map(mutant).collect(),
        outcomes: matrix.outcomes.iter().map(outcome).collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_store_gives_back_what_was_put(matrix in matrix()) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("matrix");
        matrix.save(&Store::create(&path).unwrap()).unwrap();
        prop_assert_eq!(KillMatrix::load(&Store::open(&path).unwrap()).unwrap(), matrix);
    }

    #[test]
    fn json_gives_back_what_was_written(matrix in matrix()) {
        prop_assert_eq!(from_json(&to_json(&matrix), "k").unwrap(), matrix);
    }

    #[test]
    fn csv_gives_back_what_it_has_room_for(matrix in matrix()) {
        prop_assert_eq!(from_csv(&to_csv(&matrix), "k").unwrap(), in_csv(&matrix));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[mutanfile,\"\r\n.P{}:1\\[\\]]{0,60}") {
        let _ = from_csv(&text, "k");
        let _ = from_csv(&format!("mutant,file,line,fate,t\n{text}"), "k");
        let _ = from_json(&text, "k");
    }
}

const SIDE: u32 = 10_000;

/// Of each four rows one is sparse, one is full, one has long runs, one is as random as can be.
fn wide_row(number: u32) -> Outcome {
    let mixed = |test: u32| (test ^ number.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b) >> 16;
    let set = |share: u32| -> RoaringBitmap { (0..SIDE).filter(|test| mixed(*test) % 100 < share).collect() };
    let mut row = Outcome::new(Fate::Killed);
    match number % 4 {
        0 => row.ran = set(1),
        1 => row.ran = (0..SIDE).collect(),
        2 => row.ran = (number / 2..SIDE / 2 + number / 2).collect(),
        _ => row.ran = set(50),
    }
    row.covered = row.ran.clone();
    row.failed = row.ran.iter().filter(|test| mixed(test + 1) % 5 == 0).collect();
    row
}

#[test]
fn a_hundred_million_cells_are_less_than_thirty_megabytes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("matrix");
    let store = Store::create(&path).unwrap();
    let row = |number| MutantRow { id: format!("{number:016x}"), ..MutantRow::default() };
    store.put_mutants(&(0..SIDE).map(row).collect::<Vec<_>>()).unwrap();
    // The store does not look for rows that are alike; a hundred different ones will do.
    let outcomes: Vec<Outcome> = (0..100).map(wide_row).collect();
    store.record_all((0..SIDE).zip(outcomes.iter().cycle())).unwrap();
    drop(store);
    let size = std::fs::metadata(&path).unwrap().len();
    assert!(size < 30_000_000, "{size} bytes");
    let read = Store::open(&path).unwrap().outcomes().unwrap();
    assert!(read.iter().zip(outcomes.iter().cycle()).all(|(read, put)| read.as_ref() == Some(put)));
    assert_eq!(read.len(), SIDE as usize);
}

#[test]
fn threads_share_a_store() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::create(&directory.path().join("matrix")).unwrap();
    store.put_mutants(&vec![MutantRow::default(); 40]).unwrap();
    std::thread::scope(|scope| {
        for first in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in (first..40).step_by(4) {
                    store.record(number, &Outcome::new(Fate::Survived)).unwrap();
                }
            });
        }
    });
    assert!(store.outcomes().unwrap().iter().all(Option::is_some));
}

#[test]
fn outcomes_of_other_tests_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::create(&directory.path().join("matrix")).unwrap();
    store.put_mutants(&[MutantRow::default()]).unwrap();
    store.set_covered(0, &RoaringBitmap::from([3])).unwrap();
    let refusal = KillMatrix::load(&store).unwrap_err().to_string();
    assert!(refusal.contains("mutant 0 names test 3, but there are 0"), "{refusal}");
}

#[test]
fn a_time_that_is_no_number_is_written_as_none() {
    let mut matrix = every_fate();
    matrix.outcomes[0].as_mut().unwrap().millis = f64::NAN;
    let read = from_json(&to_json(&matrix), "k").unwrap();
    assert_eq!(read.outcome(0).unwrap().millis, 0.0);
}

/// One mutant of each fate, and one of which nothing is known.
fn every_fate() -> KillMatrix {
    let test = TestRow { name: "t::one".into(), verdict: Verdict::Pass, millis: 1.5, flaky: false };
    let mutant = |at: usize| MutantRow {
        id: format!("m{at}"),
        file: "a.c".into(),
        start: 4,
        end: 5,
        text: b"<=".to_vec(),
        operator: "< ⇒ <=".into(),
        ..MutantRow::default()
    };
    let known = Fate::ALL.into_iter().map(|fate| {
        let mut outcome = Outcome::new(fate);
        outcome.note(0, if fate == Fate::Killed { Verdict::Fail } else { Verdict::Pass });
        Some(outcome)
    });
    KillMatrix {
        tests: vec![test],
        mutants: (0..=Fate::ALL.len()).map(mutant).collect(),
        outcomes: known.chain([None]).collect(),
    }
}

#[test]
fn the_elements_report_has_a_status_for_every_fate() {
    let text = mte_json(&every_fate(), |_| Some("if a < b\n".into()), "c");
    let report: Value = serde_json::from_str(&text).unwrap();
    let mutants = report["files"]["a.c"]["mutants"].as_array().unwrap();
    let status: Vec<&str> = mutants.iter().map(|mutant| mutant["status"].as_str().unwrap()).collect();
    let wanted = "Killed Survived Timeout CompileError NoCoverage Ignored Ignored Pending Pending";
    assert_eq!(status.join(" "), wanted);
    let place = serde_json::json!({ "start": { "line": 1, "column": 5 }, "end": { "line": 1, "column": 6 } });
    assert_eq!(mutants[0]["location"], place);
    assert_eq!(mutants[0]["killedBy"], serde_json::json!(["0"]));
    assert_eq!(report["testFiles"][""]["tests"][0]["name"], "t::one");
}

#[test]
fn the_list_of_mutants_has_their_fates() {
    let list: Value = serde_json::from_str(&mutants_json(&every_fate())).unwrap();
    let fates: Vec<&str> = list.as_array().unwrap().iter().map(|row| row["fate"].as_str().unwrap()).collect();
    assert_eq!(fates[..8], Fate::ALL.map(Fate::name));
    assert_eq!((fates[8], &list[0]["kills"]), ("untested", &Value::from(1)));
}
