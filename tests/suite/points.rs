//! `wildcaught sshom` from source.

use serde_json::Value;
use serde_json::json;

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
fn triangle_in_c_has_965_sshoms_and_they_are_what_running_them_says() {
    let Some(project) = Project::new("triangle-c") else { return };
    let all = search(&project, &["--search", "var", "--verify"]);
    assert_eq!((&all["points"], &all["mutants"], &all["tests"]), (&33.into(), &128.into(), &26.into()));
    let orders = json!({ "2": "186", "3": "253", "4": "224", "5": "226", "6": "76" });
    assert_eq!((&all["all"]["orders"], &all["strict"]["count"]), (&orders, &json!("6")));
    assert_eq!((&all["complete"], &all["differing"]), (&json!("complete"), &json!(0)));
    assert_eq!(list(&all).len(), 965);
}

/// Pairs of Triangle in another language; one that panics where numbers run over finds the same.
#[track_caller]
fn has_186_pairs(target: &str) {
    let Some(project) = Project::new(target) else { return };
    let ran = project.run(&["sshom", "--quiet", "--json", "--search", "var", "--max-order", "2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&all["points"], &all["mutants"], &all["tests"]), (&33.into(), &128.into(), &26.into()));
    assert_eq!(all["all"]["orders"], json!({ "2": "186" }));
}

#[test]
fn triangle_in_rust_has_the_same_pairs() {
    has_186_pairs("triangle-rust");
}

#[test]
fn triangle_in_java_has_the_same_pairs() {
    has_186_pairs("triangle-java");
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
