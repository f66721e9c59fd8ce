//! `wildcaught sshom` from source.

use std::fs;

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
fn triangle_in_c_has_965_sshoms() {
    let Some(project) = Project::new("triangle-c") else { return };
    let all = search(&project, &["--search", "var"]);
    assert_eq!((&all["points"], &all["mutants"], &all["tests"]), (&33.into(), &128.into(), &26.into()));
    let orders = json!({ "2": "186", "3": "253", "4": "224", "5": "226", "6": "76" });
    assert_eq!((&all["all"]["orders"], &all["strict"]["count"]), (&orders, &json!("6")));
    assert_eq!(
        (&all["complete"], &all["all"]["spread"]["one_function"]),
        (&json!("complete"), &json!("965"))
    );
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
fn any_number_of_workers_finds_the_same() {
    let Some(project) = Project::new("triangle-c") else { return };
    let few = ["--search", "var,pri,gen", "--max-order", "3", "--kinds", "logical", "--max-looked", "300"];
    let found = |jobs: &str| {
        let mut found = search(&project, &[&few[..], &["--jobs", jobs]].concat());
        found["millis"].take();
        found["searches"].as_array_mut().unwrap().iter_mut().for_each(|search| drop(search["millis"].take()));
        found
    };
    let alone = found("1");
    assert!(!list(&alone).is_empty());
    assert_eq!(alone, found("3"));
}

#[test]
fn searches_are_compared_and_what_they_find_var_has_too() {
    let Some(project) = Project::new("triangle-c") else { return };
    let few = ["--max-order", "2", "--kinds", "logical,arithmetic", "--max-looked", "400"];
    let found = search(&project, &[&["--search", "var,pri,gen,bf"], &few[..]].concat());
    let searches = found["searches"].as_array().unwrap();
    let names: Vec<&Value> = searches.iter().map(|search| &search["search"]).collect();
    assert_eq!(names, ["var", "pri", "gen", "bf"]);
    for other in &searches[1..] {
        assert_eq!(other["in_var"]["found"], other["in_var"]["of"], "{other}");
        assert_ne!(other["count"], "0", "{other}");
    }
    assert!(searches[2]["complete"].as_str().unwrap().starts_with("not complete"));
}

/// What is found is put into the sources as a diff, and does there what was found.
#[track_caller]
fn can_be_written_out_and_verified(target: &str) {
    let Some(project) = Project::new(target) else { return };
    let few = ["--max-order", "3", "--kinds", "arithmetic,relational", "--max-looked", "3000"];
    let files = [
        "--patches",
        "wildcaught.out/patches",
        "--svg",
        "wildcaught.out/c.svg",
        "--html",
        "wildcaught.out/p.html",
    ];
    let arguments = ["sshom", "--quiet", "--search", "pri", "--list", "4", "--verify"];
    let ran = project.run(&[&arguments[..], &few, &files].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("verified: built from the sources"), "{}", ran.out);
    let mut patches: Vec<_> = fs::read_dir(project.root().join("wildcaught.out/patches"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    patches.sort();
    assert_eq!(patches.len(), 4);
    let diff = fs::read_to_string(&patches[0]).unwrap();
    assert!(diff.starts_with("--- a/") && diff.contains("\n@@ -"), "{diff}");
    assert!(project.read("wildcaught.out/c.svg").contains(">pri</text>"));
    let page = project.read("wildcaught.out/p.html");
    assert!(page.contains("<summary>order 2") && page.contains("class=\"new\""), "{page}");
}

#[test]
fn what_is_found_in_c_can_be_written_out_and_verified() {
    can_be_written_out_and_verified("triangle-c");
}

#[test]
fn what_is_found_in_java_can_be_written_out_and_verified() {
    can_be_written_out_and_verified("triangle-java");
}

#[test]
fn what_time_does_not_allow_is_told() {
    let Some(project) = Project::new("triangle-c") else { return };
    let ran = project.run(&["sshom", "--quiet", "--budget", "0.001s"]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.out.contains("time ran out"), "{}", ran.out);
    let ran = project.run(&["sshom", "--dry-run", "--kinds", "logical"]);
    assert_eq!((ran.code, ran.out.lines().last()), (0, Some("     7        7  in all")), "{}", ran.out);
    let ran = project.run(&["sshom", "--kinds", "comical"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no kind \"comical\""), "{}", ran.err);
}
