//! Repositories are known by their root commits, not by the directories they lie in.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::cli::command;
use crate::fixture::Fixture;

/// Two repositories in which the same kind of change was made, in `a/x` and `b/x`.
fn two_of_one_name() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for name in ["a", "b"] {
        let mut fixture = Fixture::new();
        // Neither is a fork of the other: their first commits differ.
        let before = format!("int {name}(int a, int b)\n{{\n    if (a > b)\n        g(a);\n}}\n");
        // Another file, so that it is not the same change seen again.
        let file = format!("{name}.c");
        fixture.commit(name, &[(&file, &before)]);
        fixture.commit(name, &[(&file, &before.replace("a > b", "a > b && b"))]);
        fs::create_dir(home.path().join(name)).unwrap();
        fs::rename(fixture.path(), home.path().join(name).join("x")).unwrap();
    }
    home
}

/// What a command prints to standard output and standard error.
#[track_caller]
fn run(home: &Path, code: i32, arguments: &[&str]) -> (String, String) {
    let output = command(home).args(arguments).output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
    (out, err)
}

/// The repositories of the first operator.
fn repos(set: &str) -> Vec<String> {
    let set: toml::Table = set.parse().unwrap();
    let operators = set["operator"].as_array().unwrap();
    let repos = operators[0]["repos"].as_array().unwrap();
    repos.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn raw_tallies_of_two_repositories_of_one_name_stay_two() {
    let home = two_of_one_name();
    let home = home.path();
    for name in ["a", "b"] {
        let tally = format!("{name}.tally");
        run(home, 0, &["harvest", &format!("{name}/x"), "--raw", "-o", &tally, "-q"]);
    }
    run(home, 0, &["harvest", "a.tally", "b.tally", "--min-repos", "2", "-o", "c.toml", "-q"]);
    let found = repos(&fs::read_to_string(home.join("c.toml")).unwrap());
    assert!(found.len() == 2 && found.iter().all(|name| name.starts_with("x#")), "{found:?}");
    let (kept, _) = run(home, 0, &["ops", "filter", "--min-repos", "2", "c.toml"]);
    assert_eq!(repos(&kept), found);
}

#[test]
fn sets_of_two_repositories_of_one_name_stay_two() {
    let home = two_of_one_name();
    let home = home.path();
    for name in ["a", "b"] {
        let set = format!("{name}.toml");
        run(home, 0, &["harvest", &format!("{name}/x"), "-o", &set, "-q", "--no-idioms"]);
    }
    let (merged, warnings) = run(home, 0, &["ops", "merge", "a.toml", "b.toml"]);
    assert!(repos(&merged).len() == 2 && warnings.is_empty(), "{merged}{warnings}");
    let (_, warnings) = run(home, 0, &["ops", "merge", "a.toml", "a.toml"]);
    assert!(warnings.contains("a.toml: source x is also in an earlier set"), "{warnings}");
}

#[test]
fn one_repository_under_two_names_is_one_and_the_warning_names_the_remedy() {
    let home = two_of_one_name();
    let (_, warning) =
        run(home.path(), 5, &["harvest", "one=a/x", "two=a/x", "--min-repos", "2", "-o", "c.toml", "-q"]);
    assert_eq!(
        warning,
        "warning: no operators: --min-repos 2 keeps only what is seen in 2 repositories, but there is one repository, one; harvest more repositories together, or lower --min-repos\n"
    );
}

#[test]
fn raw_tallies_of_the_first_format_are_read() {
    let home = two_of_one_name();
    let home = home.path();
    run(home, 0, &["harvest", "a/x", "--raw", "-o", "a.tally", "-q"]);
    let tally = fs::read_to_string(home.join("a.tally")).unwrap();
    let mut old: serde_json::Value = serde_json::from_str(&tally).unwrap();
    assert_eq!(old["wildcaught-tally"], 2);
    old["wildcaught-tally"] = 1.into();
    assert_eq!(old["sources"][0].as_array_mut().unwrap().pop().unwrap().as_str().unwrap().len(), 12);
    fs::write(home.join("old.tally"), old.to_string()).unwrap();
    let (set, _) = run(home, 0, &["harvest", "old.tally", "-q"]);
    assert_eq!(repos(&set), ["x"]);
}
