//! `wildcaught sshom` from source.

use serde_json::Value;

use super::targets::Project;

/// Searches a target, and reads what was printed.
fn search(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["sshom", "--quiet", "--json", "--list", "0"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// What was found: the mutants of each, and who kills it.
fn list(found: &Value) -> Vec<(&Value, &Value)> {
    found["list"].as_array().unwrap().iter().map(|one| (&one["mutants"], &one["killed_by"])).collect()
}

#[test]
fn triangle_in_c_has_186_pairs_by_splitting_and_they_are_what_running_them_says() {
    let Some(project) = Project::new("triangle-c") else { return };
    let all = search(&project, &["--search", "var", "--max-order", "2", "--verify"]);
    assert_eq!((&all["points"], &all["mutants"], &all["tests"]), (&33.into(), &128.into(), &26.into()));
    assert_eq!(all["all"]["orders"]["2"], "186");
    assert_eq!((&all["complete"], &all["differing"]), (&"complete up to order 2".into(), &0.into()));
    assert_eq!(list(&all).len(), 186);
}

#[test]
fn trying_all_pairs_finds_what_splitting_finds() {
    let Some(project) = Project::new("triangle-c") else { return };
    let kinds = ["--kinds", "logical,arithmetic"];
    let all = search(&project, &[&["--search", "var", "--max-order", "2"], &kinds[..]].concat());
    let tried = search(&project, &[&["--search", "bf", "--max-order", "2"], &kinds[..]].concat());
    assert!(!list(&all).is_empty());
    assert_eq!(list(&all), list(&tried));
}

#[test]
fn other_searches_find_some_of_them() {
    let Some(project) = Project::new("triangle-c") else { return };
    for name in ["pri", "gen"] {
        let found = search(&project, &["--search", name, "--max-order", "3", "--budget", "5s", "--verify"]);
        assert_eq!(found["differing"], 0, "{name}");
        assert!(!list(&found).is_empty(), "{name}");
    }
}

#[test]
fn what_time_does_not_allow_is_told() {
    let Some(project) = Project::new("triangle-c") else { return };
    let ran = project.run(&["sshom", "--quiet", "--budget", "0.001s"]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.out.contains("time ran out"), "{}", ran.out);
    let ran = project.run(&["sshom", "--kinds", "comical"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no kind \"comical\""), "{}", ran.err);
}
