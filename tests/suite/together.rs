//! Tests that find what others left in their process, and tests that fail now and then.

use std::fs;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Store;

use super::cli::command;
use super::tools;

/// The second test notices something only if the first ran before it; the third fails alone.
const LIBRARY: &str = r#"use std::sync::atomic::{AtomicBool, Ordering};

static READY: AtomicBool = AtomicBool::new(false);

pub fn prepare() {
    READY.store(true, Ordering::SeqCst);
}

pub fn size(a: i32) -> i32 {
    a + a
}

pub fn half(a: i32) -> i32 {
    a / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prepares() {
        prepare();
    }

    #[test]
    fn b_looks_if_all_is_prepared() {
        let found = size(3);
        assert!(!READY.load(Ordering::SeqCst) || found == 6);
    }

    #[test]
    fn c_needs_the_first() {
        half(5);
        assert!(READY.load(Ordering::SeqCst));
    }
}
"#;

#[test]
fn what_tests_leave_for_each_other_counts_and_what_they_need_of_each_other_does_not() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let project = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"shared\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    write("src/lib.rs", LIBRARY);
    let settings = "format = 1\nlanguage = 'rust'\nsources = ['src']\nskip = ['target']\n[build]\n\
                    command = 'cargo test --no-run --message-format=json'\n[tests]\npreset = 'cargo'\ndoc = false\n";
    write("wildcaught.toml", settings);
    let set = "format = 1\nlanguage = 'rust'\n[[operator]]\nfind = '.+'\nput = '.-'\n[[operator]]\nfind = './'\n\
               put = '.*'\n";
    write("ops.toml", set);
    let arguments = ["test", "--all", "--ops", "ops.toml", "--fit", "off", "--quiet"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{said}");
    let store = Store::open(&project.path().join("wildcaught.out/store.sqlite")).unwrap();
    let matrix = KillMatrix::load(&store).unwrap();
    let fate = |after: &str| {
        let at = matrix.mutants.iter().position(|row| row.after.contains(after));
        matrix.fate(at.unwrap_or_else(|| panic!("no mutant {after}: {said}")))
    };
    assert_eq!(fate("-"), Fate::Killed, "{said}");
    assert!(!fate("*").is_detected(), "{said}");
    let flaky: Vec<&str> =
        matrix.tests.iter().filter(|test| test.flaky).map(|test| test.name.as_str()).collect();
    assert_eq!(flaky, ["tests::c_needs_the_first"], "{said}");
    assert!(said.contains("tests::c_needs_the_first failed without any mutant"), "{said}");
}
