//! The directory of results, with runs that are killed.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::exec::Verdict;

use super::super::Fate;
use super::super::KillMatrix;
use super::super::MutantRow;
use super::super::Outcome;
use super::super::TestRow;
use super::place::Earlier;
use super::place::PREVIOUS;
use super::place::RunDir;
use super::place::SELECTED;
use super::swap::NEW;
use super::swap::STORE;

fn rows(ids: &[&str]) -> Vec<MutantRow> {
    ids.iter().map(|id| MutantRow { id: (*id).into(), file: "a.c".into(), ..MutantRow::default() }).collect()
}

/// A run of these mutants, all of which meet this fate.
fn run(out: &Path, earlier: Earlier, fingerprint: &str, ids: &[&str], fate: Fate) -> Vec<bool> {
    let directory = RunDir::lock(out).unwrap();
    let begun = directory.begin(earlier, fingerprint, &rows(ids)).unwrap();
    let test = TestRow { name: "t".into(), verdict: Verdict::Pass, millis: 1.0, flaky: false };
    begun.store.put_tests(&[test]).unwrap();
    for (number, known) in (0..).zip(&begun.known) {
        if !known {
            begun.store.record(number, &Outcome::new(fate)).unwrap();
        }
    }
    let known = begun.known.clone();
    directory.finish(begun).unwrap();
    known
}

fn fates(out: &Path) -> Vec<(String, Fate)> {
    let matrix = KillMatrix::load(&RunDir::open_store(out).unwrap()).unwrap();
    (0..matrix.mutants.len()).map(|at| (matrix.mutants[at].id.clone(), matrix.fate(at))).collect()
}

fn of(pairs: &[(&str, Fate)]) -> Vec<(String, Fate)> {
    pairs.iter().map(|(id, fate)| ((*id).to_owned(), *fate)).collect()
}

#[test]
fn a_second_run_keeps_the_first_and_touches_no_neighbour() {
    let home = tempfile::tempdir().unwrap();
    let neighbour = home.path().join("out.old");
    fs::create_dir(&neighbour).unwrap();
    fs::write(neighbour.join("precious"), "x").unwrap();
    // With a slash at the end, as a shell completes it.
    let out = PathBuf::from(format!("{}/", home.path().join("out").display()));
    for fate in [Fate::Killed, Fate::Survived, Fate::TimeOut] {
        run(&out, Earlier::Replaced, "f", &["a"], fate);
    }
    assert_eq!(fates(&out), of(&[("a", Fate::TimeOut)]));
    assert_eq!(fates(&out.join(PREVIOUS)), of(&[("a", Fate::Survived)]));
    assert!(neighbour.join("precious").exists());
}

#[test]
fn files_of_others_in_the_directory_stay() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("notes.txt"), "mine").unwrap();
    run(home.path(), Earlier::Replaced, "f", &["a"], Fate::Killed);
    run(home.path(), Earlier::Replaced, "f", &["a"], Fate::Killed);
    assert_eq!(fs::read_to_string(home.path().join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_run_of_one_mutant_keeps_the_results_of_all_others() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path();
    run(out, Earlier::Replaced, "f", &["a", "b", "c"], Fate::Killed);
    for _ in 0..2 {
        run(out, Earlier::Updated, "f", &["b", "d"], Fate::Survived);
        let all = [("a", Fate::Killed), ("b", Fate::Survived), ("c", Fate::Killed), ("d", Fate::Survived)];
        assert_eq!(fates(out), of(&all));
    }
}

#[test]
fn a_run_of_one_mutant_of_other_code_is_kept_apart() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path();
    run(out, Earlier::Replaced, "f", &["a", "b"], Fate::Killed);
    run(out, Earlier::Updated, "g", &["b"], Fate::Survived);
    run(out, Earlier::Updated, "g", &["a"], Fate::Survived);
    assert_eq!(fates(out), of(&[("a", Fate::Killed), ("b", Fate::Killed)]));
    assert_eq!(fates(&out.join(SELECTED)), of(&[("a", Fate::Survived)]));
}

#[test]
fn resuming_keeps_what_is_known_and_refuses_other_code() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path();
    run(out, Earlier::Replaced, "f", &["a", "b"], Fate::Killed);
    assert_eq!(run(out, Earlier::Resumed, "f", &["b", "c"], Fate::Survived), [true, false]);
    assert_eq!(fates(out), of(&[("b", Fate::Killed), ("c", Fate::Survived)]));
    let directory = RunDir::lock(out).unwrap();
    let refused = directory.begin(Earlier::Resumed, "g", &rows(&["b"])).err().unwrap().to_string();
    assert!(refused.contains("without --resume"), "{refused}");
    assert_eq!(fates(out), of(&[("b", Fate::Killed), ("c", Fate::Survived)]));
}

#[test]
fn who_is_killed_between_two_renames_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path();
    run(out, Earlier::Replaced, "f", &["a"], Fate::Killed);
    fs::create_dir_all(out.join(PREVIOUS)).unwrap();
    fs::rename(out.join(STORE), out.join(PREVIOUS).join(STORE)).unwrap();
    fs::write(out.join(NEW), "half a store").unwrap();
    drop(RunDir::lock(out).unwrap());
    assert_eq!(fates(out), of(&[("a", Fate::Killed)]));
}

/// What is on the disk when a run of these mutants is killed: a store with a log beside it.
fn killed_run(home: &Path, ids: &[&str]) -> PathBuf {
    let (running, out) = (home.join("running"), home.join("out"));
    let directory = RunDir::lock(&running).unwrap();
    let begun = directory.begin(Earlier::Replaced, "f", &rows(ids)).unwrap();
    (0..).zip(ids).for_each(|(number, _)| begun.store.record(number, &Outcome::new(Fate::Killed)).unwrap());
    fs::create_dir(&out).unwrap();
    for entry in fs::read_dir(&running).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), out.join(entry.file_name())).unwrap();
        }
    }
    assert!(fs::metadata(out.join("store.sqlite-wal")).unwrap().len() > 0);
    out
}

#[test]
fn who_is_killed_while_results_are_put_aside_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let out = killed_run(home.path(), &["a"]);
    // As if it were killed there: the store cannot be put aside.
    fs::create_dir_all(out.join(PREVIOUS).join(STORE).join("x")).unwrap();
    let directory = RunDir::lock(&out).unwrap();
    assert!(directory.begin(Earlier::Replaced, "f", &rows(&["a"])).is_err());
    assert_eq!(fates(&out), of(&[("a", Fate::Killed)]));
}

#[test]
fn who_is_killed_while_a_store_is_sealed_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let (out, before) = (home.path().join("out"), home.path().join("before"));
    run(&out, Earlier::Replaced, "f", &["a"], Fate::Killed);
    // What SQLite leaves: pages of the file as they were, to be put back.
    let connection = rusqlite::Connection::open(out.join(STORE)).unwrap();
    connection.execute_batch("PRAGMA cache_size = 1; BEGIN; UPDATE mutant SET id = 'x'").unwrap();
    connection.execute_batch("CREATE TABLE t AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 50000) SELECT x FROM n").unwrap();
    fs::create_dir(&before).unwrap();
    for name in ["store.sqlite", "store.sqlite-journal"] {
        fs::copy(out.join(name), before.join(name)).unwrap();
    }
    assert_eq!(fates(&before), of(&[("a", Fate::Killed)]));
    assert_eq!(run(&before, Earlier::Resumed, "f", &["a"], Fate::Survived), [true]);
}

#[test]
fn the_log_of_a_killed_run_is_kept_and_not_taken_for_one_of_the_next() {
    let home = tempfile::tempdir().unwrap();
    let out = killed_run(home.path(), &["a", "b"]);
    assert_eq!(run(&out, Earlier::Resumed, "f", &["a", "b", "c"], Fate::Survived), [true, true, false]);
    assert!(!out.join("store.sqlite-wal").exists(), "results at rest are one file");
    run(&out, Earlier::Replaced, "f", &["d"], Fate::Survived);
    assert_eq!(fates(&out), of(&[("d", Fate::Survived)]));
    let all = [("a", Fate::Killed), ("b", Fate::Killed), ("c", Fate::Survived)];
    assert_eq!(fates(&out.join(PREVIOUS)), of(&all));
}

#[test]
fn resuming_with_fewer_mutants_keeps_the_others_among_the_previous_results() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path();
    run(out, Earlier::Replaced, "f", &["a", "b"], Fate::Killed);
    run(out, Earlier::Resumed, "f", &["a"], Fate::Killed);
    assert_eq!(fates(&out.join(PREVIOUS)), of(&[("a", Fate::Killed), ("b", Fate::Killed)]));
}

#[test]
fn whoever_reads_results_while_a_run_goes_on_takes_nothing_from_it() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let directory = RunDir::lock(&out).unwrap();
    let begun = directory.begin(Earlier::Replaced, "f", &rows(&["a", "b"])).unwrap();
    begun.store.record(0, &Outcome::new(Fate::Killed)).unwrap();
    assert_eq!(fates(&out).len(), 2);
    assert!(fs::metadata(out.join("store.sqlite-wal")).unwrap().len() > 0, "the log is the writer's");
    begun.store.record(1, &Outcome::new(Fate::Killed)).unwrap();
    directory.finish(begun).unwrap();
    assert_eq!(fates(&out), of(&[("a", Fate::Killed), ("b", Fate::Killed)]));
}

#[cfg(unix)]
#[test]
fn no_planted_link_is_written_through() {
    use std::os::unix::fs::symlink;
    let home = tempfile::tempdir().unwrap();
    let (out, victim) = (home.path().join("out"), home.path().join("victim"));
    for name in ["lock", ".gitignore", "store.new.sqlite", "store.sqlite-wal", "store.sqlite"] {
        fs::create_dir_all(&out).unwrap();
        fs::write(&victim, "precious").unwrap();
        symlink(&victim, out.join(name)).unwrap();
        if let Ok(directory) = RunDir::lock(&out) {
            let begun = directory.begin(Earlier::Replaced, "f", &rows(&["a"])).unwrap();
            begun.store.record(0, &Outcome::new(Fate::Killed)).unwrap();
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "{name}");
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn the_lock_of_a_process_that_is_gone_is_no_obstacle() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("lock"), "4194304\n").unwrap();
    let lock = RunDir::lock(home.path()).unwrap();
    // Somebody who holds it and has not said who: a number of a dead process is not named.
    fs::write(home.path().join("lock"), "4194304\n").unwrap();
    let refused = RunDir::lock(home.path()).unwrap_err().to_string();
    assert!(refused.contains("in use by another run;"), "{refused}");
    drop(lock);
}

#[test]
fn two_runs_at_once_are_refused_and_the_other_is_named() {
    let home = tempfile::tempdir().unwrap();
    let first = RunDir::lock(home.path()).unwrap();
    let refused = RunDir::lock(home.path()).unwrap_err().to_string();
    assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
    drop(first);
    RunDir::lock(home.path()).unwrap();
}
