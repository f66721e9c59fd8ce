//! `wildcaught coupling`: which real faults of a history mutants are.

use std::path::Path;

use serde_json::Value;

use crate::cli::command;
use crate::fixture::Fixture;

/// A function with a body, and a second one that never changes.
fn source(body: &str) -> String {
    format!(
        "int f(int a, int b) {{\n    int c = 0;\n{body}    return c;\n}}\n\nint g(int x) {{ return x; }}\n"
    )
}

/// A history with one fix that a classic mutant takes back, one that nothing takes back, and commits that do not
/// count.
fn history() -> Fixture {
    let mut repo = Fixture::new();
    let strict = "    if (a < b)\n        c = a;\n";
    let right = "    if (a <= b)\n        c = a;\n";
    let longer = "    if (a <= b)\n        c = a;\n    log_it(\"a\", c, a, b);\n";
    repo.commit("Begin", &[("f.c", &source(strict)), ("tests/t.c", "int t;\n")]);
    repo.commit("Fix the bound", &[("f.c", &source(right)), ("tests/t.c", "int t = 1;\n")]);
    repo.commit("Fix a comment", &[("f.c", &format!("// f\n{}", source(right)))]);
    repo.commit("Add a log", &[("f.c", &format!("// f\n{}", source(longer)))]);
    let renamed = source(longer).replace("\"a\"", "\"of a and b\"");
    repo.commit("Fix the text", &[("f.c", &format!("// f\n{renamed}"))]);
    repo
}

fn coupling(repo: &Path, more: &[&str]) -> Value {
    let mut args = vec!["coupling", repo.to_str().unwrap(), "--json", "-q"];
    args.extend(more);
    let output = command(repo).args(&args).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_fault_that_a_mutant_is_counts_as_recreated_and_others_say_why_not() {
    let repo = history();
    let found = coupling(repo.path(), &["-l", "c", "--ops", "classic,wild"]);
    let fixes = found["fixes"].as_array().unwrap();
    assert_eq!(fixes.len(), 2, "{found:#}");
    // The newest comes first.
    assert_eq!(fixes[1]["path"], "f.c");
    assert_eq!((fixes[1]["line"].as_u64(), fixes[1]["with_test"].as_bool()), (Some(3), Some(true)));
    assert!(fixes[1]["sets"][0]["operator"].is_string(), "{found:#}");
    assert_eq!(fixes[0]["sets"][0]["loss"], "no such operator");
    assert!(fixes[0]["sets"][1]["loss"].is_string());
    assert_eq!(found["left_out"]["only comments or tests"], 1);
    let names: Vec<&str> =
        found["sets"].as_array().unwrap().iter().map(|set| set["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["classic-c", "wild-c", "together"]);
    assert_eq!(found["sets"][0]["recreated"], 1);
}

#[test]
fn a_directory_that_is_no_repository_is_named_as_such() {
    let place = tempfile::tempdir().unwrap();
    let output = command(place.path()).args(["coupling", "."]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(".: not a git repository"), "{said}");
    assert!(!said.contains("language"), "{said}");
}

#[test]
fn fixes_without_a_test_can_be_left_out() {
    let repo = history();
    let found = coupling(repo.path(), &["-l", "c", "--ops", "classic", "--with-test"]);
    assert_eq!(found["fixes"].as_array().unwrap().len(), 1);
    assert_eq!(found["sets"].as_array().unwrap().len(), 1, "one set needs no column for all");
}

#[test]
fn a_page_shows_shares_a_curve_reasons_and_every_fix() {
    let repo = history();
    let place = tempfile::tempdir().unwrap();
    let html = place.path().join("page.html");
    let found =
        coupling(repo.path(), &["-l", "c", "--ops", "classic,wild", "--html", html.to_str().unwrap()]);
    let page = std::fs::read_to_string(&html).unwrap();
    let commit = &found["fixes"][1]["commit"].as_str().unwrap()[..10];
    for wanted in [
        "<svg",
        "classic-c",
        "together, in random order",
        "no such operator",
        commit,
        "f.c:3",
        "in the function",
    ] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
}
