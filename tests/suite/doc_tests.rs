//! Rust's documentation tests are tests like the others.

use std::fs;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Store;

use super::cli::command;
use super::tools;

const LIBRARY: &str = r#"//! A library that is tested in its documentation.
//!
//! ```
//! assert_eq!(documented::twice(2), 4);
//! ```

/// Only unit tests run this, which adds lines before the tests that follow.
pub fn first(a: i32, b: i32) -> i32 {
    if a < b {
        return a + 1;
    }
    b
}

/// ```
/// assert_eq!(documented::larger(1, 2), 2);
/// ```
///
/// ```should_panic
/// documented::larger(3, -1);
/// ```
///
/// ```no_run
/// documented::larger(3, -1);
/// ```
pub fn larger(a: i32, b: i32) -> i32 {
    assert!(b > 0);
    if a < b { b } else { a }
}

/// Twice a number.
pub fn twice(a: i32) -> i32 {
    a + a
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_is_found() {
        assert_eq!(super::first(1, 2), 2);
        assert_eq!(super::first(2, 1), 1);
    }
}
"#;

#[test]
fn mutants_that_only_documentation_tests_execute_are_killed_by_them() {
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
        "[package]\nname = \"documented\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n",
    );
    write("src/lib.rs", LIBRARY);
    let run = |arguments: &[&str]| command(project.path()).args(arguments).output().unwrap();
    let init = run(&["init"]);
    let said = String::from_utf8_lossy(&init.stderr);
    assert!(said.contains("4 tests (3 in documentation; `doc = false`"), "{said}");

    let tested = run(&["test", "--all", "--ops", "classic", "--quiet"]);
    let said = String::from_utf8_lossy(&tested.stderr);
    assert!(matches!(tested.status.code(), Some(0 | 2 | 3)), "{said}");
    let store = Store::open(&project.path().join("wildcaught.out/store.sqlite")).unwrap();
    let matrix = KillMatrix::load(&store).unwrap();
    let line = |text: &str| LIBRARY.lines().position(|line| line.contains(text)).unwrap() + 1;
    let names: Vec<&str> = matrix.tests.iter().map(|test| test.name.as_str()).collect();
    let documented = [
        "src/lib.rs - (line 3)".to_owned(),
        format!("src/lib.rs - larger (line {})", line("```should_panic") - 4),
        format!("src/lib.rs - larger (line {})", line("```should_panic")),
    ];
    assert!(documented.iter().all(|name| names.contains(&name.as_str())), "{names:?}");
    assert!(matrix.tests.iter().all(|test| !test.flaky), "{:?}", matrix.tests);
    let fates: Vec<(u32, Fate)> =
        matrix.mutants.iter().enumerate().map(|(at, row)| (row.line, matrix.fate(at))).collect();
    assert!(!fates.iter().any(|(_, fate)| *fate == Fate::NotCovered), "{fates:?}");
    for text in ["a + a", "assert!(b > 0)", "if a < b { b }"] {
        let here = |(at, fate): &(u32, Fate)| *at == line(text) as u32 && *fate == Fate::Killed;
        assert!(fates.iter().any(here), "{text}: {fates:?}");
    }
}
