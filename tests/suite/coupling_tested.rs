//! `wildcaught coupling --test`: which real faults mutants would have led to a test for.

use std::path::Path;

use serde_json::Value;

use crate::cli::command;
use crate::fixture::Fixture;
use crate::schema_check::Checked;
use crate::tools::are_here;

const MAKEFILE: &str = "all: check-f\n\ncheck-f: tests/f.c f.c\n\t$(CC) -o $@ tests/f.c f.c\n\n\
                        check: check-f\n\t./check-f\n\n.PHONY: all check\n";

/// Three functions, each with a part that a fix changes.
fn source(bound: &str, name: &str, rest: &str) -> String {
    format!(
        "int smaller(int a, int b)\n{{\n    if (a {bound} b)\n        return a + 0 * b;\n    return b - 1;\n}}\n\n\
         const char *name(void)\n{{\n    return \"{name}\";\n}}\n\nint rest(int a)\n{{\n    return a {rest} 3;\n}}\n"
    )
}

/// A program that checks these conditions.
fn tests(conditions: &[&str]) -> String {
    let declared = "#include <string.h>\nint smaller(int, int);\nconst char *name(void);\nint rest(int);\n";
    format!("{declared}\nint main(void)\n{{\n    return !({});\n}}\n", conditions.join(" && "))
}

/// A fix that mutants are coupled with, one whose mutants were all noticed before, and one whose test does not notice the fault.
fn history() -> Fixture {
    let mut repo = Fixture::new();
    let first = ["smaller(1, 2) == 1", "smaller(3, 1) == 0", "!strncmp(name(), \"wil\", 3)"];
    let second = [&first[..], &["smaller(2, 2) == 2"]].concat();
    let third = [&second[..], &["!strcmp(name(), \"wild\")"]].concat();
    let fourth = [&third[..], &["rest(3) == 0 + 0"]].concat();
    let begin = source("<", "wile", "-");
    repo.commit("Begin", &[("Makefile", MAKEFILE), ("f.c", &begin), ("tests/f.c", &tests(&first))]);
    repo.commit("Fix equal ones", &[("f.c", &source("<=", "wile", "-")), ("tests/f.c", &tests(&second))]);
    repo.commit("Fix the name", &[("f.c", &source("<=", "wild", "-")), ("tests/f.c", &tests(&third))]);
    repo.commit("Fix the rest", &[("f.c", &source("<=", "wild", "%")), ("tests/f.c", &tests(&fourth))]);
    repo.commit("Fix nothing", &[("f.c", &source("<=", "wild", "/"))]);
    repo
}

fn run(repo: &Path, more: &[&str]) -> std::process::Output {
    let mut args = vec!["coupling", repo.to_str().unwrap(), "-l", "c", "--ops", "classic", "-q", "--test"];
    args.extend(more);
    command(repo).args(&args).output().unwrap()
}

#[test]
fn faults_are_coupled_not_coupled_or_not_measurable_and_each_says_why() {
    if !are_here(&["cc", "make"]) {
        return;
    }
    let repo = history();
    let output = run(repo.path(), &["--json"]);
    let found: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let fixes = found["fixes"].as_array().unwrap();
    let subjects: Vec<&str> = fixes.iter().map(|fix| fix["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, ["Fix the rest", "Fix the name", "Fix equal ones"], "{found:#}");
    assert_eq!(fixes[0]["unmeasurable"], "the new tests do not detect the fault", "{found:#}");
    assert_eq!(fixes[1]["sets"][0]["why_not"], "old tests kill all mutants", "{found:#}");
    let coupled = &fixes[2]["sets"][0];
    let mutants = coupled["coupled"].as_array().unwrap();
    let takes_back = |mutant: &Value| mutant["after"].as_str().is_some_and(|after| after.contains("a < b"));
    assert!(mutants.iter().any(takes_back), "{coupled:#}");
    assert!(coupled["killed_before"].as_u64() > Some(0) && coupled["first"].is_u64(), "{coupled:#}");
    assert_eq!((found["measurable"].as_u64(), found["sets"][0]["coupled"].as_u64()), (Some(2), Some(1)));
    assert_eq!(found["without_test"], 1);
    let schema = command(repo.path()).args(["schema", "coupling-test"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(Checked::new(schema).problem(&found), None);
}

#[test]
fn a_dry_run_lists_the_fixes_and_runs_nothing() {
    let repo = history();
    let output = run(repo.path(), &["--dry-run"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].ends_with("f.c:15  Fix the rest"), "{text}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn fixes_beyond_the_budget_are_counted() {
    let repo = history();
    let output = run(repo.path(), &["--budget", "0.000001s"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("3 not reached"), "{text}");
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn settings_that_are_missing_are_named() {
    let repo = history();
    let output = run(repo.path(), &["--config", "nowhere.toml"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("nowhere.toml"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_is_kept_is_not_measured_again_and_other_operators_are() {
    if !are_here(&["cc", "make"]) {
        return;
    }
    let repo = history();
    let place = tempfile::tempdir().unwrap();
    let keep = place.path().to_str().unwrap();
    let read = |more: &[&str]| -> Value {
        let output = run(repo.path(), &[&["--json", "--keep", keep][..], more].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    };
    let html = place.path().join("page.html");
    let first = read(&["--html", html.to_str().unwrap()]);
    let page = std::fs::read_to_string(&html).unwrap();
    for wanted in ["<svg", "2 measurable", "Fix equal ones", "(a &lt; b)", "old tests kill all mutants"] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
    assert_eq!(first["not_reached"], 0);
    // No time is left for anything that is not known.
    let again = read(&["--budget", "0.000001s"]);
    assert_eq!(again, first);
    // With fewer mutants it is another question; what cannot be measured stays so.
    let other = read(&["--budget", "0.000001s", "--most", "1"]);
    assert_eq!((other["not_reached"].as_u64(), other["fixes"].as_array().unwrap().len()), (Some(2), 1));
    assert_eq!(other["fixes"][0]["unmeasurable"], "the new tests do not detect the fault", "{other:#}");
    let one = read(&["--most", "1"]);
    assert_eq!(one["measurable"], 2, "{one:#}");
    assert_eq!(one["fixes"][2]["detecting"], first["fixes"][2]["detecting"]);
    assert_eq!(one["fixes"][2]["sets"][0]["mutants"], 1, "{one:#}");
    // A damaged file says nothing.
    let directory = walk(&place.path().join("fixes"));
    std::fs::write(&directory[0], "{").unwrap();
    let damaged = read(&["--most", "1", "--budget", "0.000001s"]);
    assert_eq!(damaged["not_reached"], 1, "{damaged:#}");
}

#[test]
fn parts_put_together_are_the_whole() {
    if !are_here(&["cc", "make"]) {
        return;
    }
    let repo = history();
    let place = tempfile::tempdir().unwrap();
    let keep = place.path().to_str().unwrap();
    let read = |more: &[&str]| -> Value {
        let output = run(repo.path(), &[&["--json"][..], more].concat());
        let mut found: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let fixes = found["fixes"].as_array_mut().unwrap();
        fixes.iter_mut().for_each(|fix| fix["seconds"] = Value::Null);
        found
    };
    let whole = read(&[]);
    let mut measured = 0;
    for shard in ["2/2", "1/2"] {
        let output = run(repo.path(), &["--keep", keep, "--shard", shard]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b""[..]), "{said}");
        let (_, after) = said.split_once(" of 3 fixes; ").expect(&said);
        measured += after.split_once(" measured now").expect(&said).0.parse::<usize>().unwrap();
        assert!(said.contains("without --shard"), "{said}");
    }
    assert_eq!(measured, 3);
    // No time is left for anything that is not known.
    assert_eq!(read(&["--keep", keep, "--budget", "0.000001s"]), whole);
}

#[test]
fn a_part_that_would_keep_nothing_is_refused() {
    let repo = history();
    for (more, remedy) in [
        (&["--shard", "1/2"][..], "--keep DIR"),
        (&["--shard", "1/2", "--keep", "k", "--json"], "without --shard"),
    ] {
        let output = run(repo.path(), more);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(remedy), "{said}");
    }
}

#[test]
fn tests_that_detect_the_fault_are_not_run_again_with_less_of_a_sandbox() {
    if !are_here(&["cc", "make"]) {
        return;
    }
    let repo = history();
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("log");
    let settings = format!(
        "format = 1\nlanguage = \"c\"\nsources = [\".\"]\n[build]\ncommand = \"make\"\n[tests]\npreset = \"command\"\n\
         command = \"echo run >> {}; ./check-f\"\n[sandbox]\nwrite = [\"{}\"]\n",
        log.display(),
        place.path().display()
    );
    let config = place.path().join("wildcaught.toml");
    std::fs::write(&config, settings).unwrap();
    // Without mutants only the originals are tested.
    let output = run(repo.path(), &["--config", config.to_str().unwrap(), "--most", "0", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
    assert_eq!(found["measurable"], 2, "{found:#}");
    let runs = std::fs::read_to_string(&log).unwrap().lines().count();
    // New and old tests, each with and without the fault, of two fixes; of the third only the new ones.
    assert_eq!(runs, 10);
}

/// The files below a directory of directories.
fn walk(root: &Path) -> Vec<std::path::PathBuf> {
    let entries = |path: &Path| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries(root).flat_map(|directory| entries(&directory).collect::<Vec<_>>()).collect();
    files.sort();
    files
}
