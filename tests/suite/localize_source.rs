//! `wildcaught localize` and `tame` from source: small projects with a fault that their tests notice.

use std::fs;
use std::process::Command;

use serde_json::Value;

use wildcaught::matrix::Fate;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;

use super::targets::Project;

/// Breaks a target at one line; the fault must be ranked among the first, by every method.
#[track_caller]
fn the_fault_is_found(target: &str, file: &str, right: &str, wrong: &str, methods: &str, within: usize) {
    let Some(project) = Project::new(target) else { return };
    project.edit(file, right, wrong);
    found_in(&project, file, wrong, methods, within);
}

#[track_caller]
fn found_in(project: &Project, file: &str, wrong: &str, methods: &str, within: usize) {
    let line = project.read(file).lines().position(|line| line.contains(wrong.lines().next().unwrap()));
    let line = line.expect("the fault is there") as u64 + 1;
    let ran = project.run(&["localize", "--quiet", "--json", "--method", methods]);
    assert!(matches!(ran.code, 0 | 5), "{} {}", ran.code, ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let rankings = document["methods"].as_array().unwrap();
    assert_eq!(rankings.len(), methods.split(',').count(), "{document:#}");
    for ranking in rankings {
        let places = ranking["ranking"].as_array().unwrap();
        let at = places.iter().position(|place| {
            let lines = place["line"].as_u64().unwrap()..=place["endLine"].as_u64().unwrap();
            place["file"].as_str().unwrap().ends_with(file) && lines.contains(&line)
        });
        assert!(at.is_some_and(|at| at < within), "{at:?} of {}: {ranking:#}", places.len());
    }
}

/// The C program with the output that it should have, since its own would be that of the fault.
fn with_goldens() -> Option<Project> {
    let project = Project::new("c-cases")?;
    let root = project.root();
    let compiled = Command::new("cc").args(["-o", "right", "prog.c"]).current_dir(&root).status().unwrap();
    assert!(compiled.success());
    fs::create_dir(root.join("golden")).unwrap();
    for case in fs::read_dir(root.join("cases")).unwrap() {
        let case = case.unwrap().path();
        let output = Command::new("./right").arg(&case).current_dir(&root).output().unwrap();
        let name = format!("{}.out", case.file_name().unwrap().to_string_lossy());
        fs::write(root.join("golden").join(name), output.stdout).unwrap();
    }
    fs::remove_file(root.join("right")).unwrap();
    project.edit(
        "wildcaught.toml",
        "oracle = \"original\"",
        "oracle = \"golden\"\ngolden = \"golden/{name}.out\"",
    );
    Some(project)
}

#[test]
fn a_fault_in_a_c_program_is_found() {
    let Some(project) = with_goldens() else { return };
    project.edit("prog.c", "    if (n > LIMIT)", "    if (n > LIMIT - 3)");
    found_in(&project, "prog.c", "    if (n > LIMIT - 3)", "muse,museum,repair", 3);
    // What the run left can be ranked again, by others, without running anything.
    let again = ["localize", "--matrix", "wildcaught.out", "--coverage", "wildcaught.out/coverage.info"];
    let ran = project.run(&[&again[..], &["--method", "ochiai", "--top", "3"]].concat());
    assert!(ran.code == 0 && ran.out.contains("ochiai"), "{} {}", ran.out, ran.err);
}

#[test]
fn a_run_with_a_limit_ranks_by_what_it_ran_and_says_what_it_did_not() {
    let Some(project) = with_goldens() else { return };
    project.edit("prog.c", "    if (n > LIMIT)", "    if (n > LIMIT - 3)");
    let few = |jobs| project.run(&["localize", "--json", "--quiet", "--max", "12", "--jobs", jobs]);
    let ran = few("1");
    assert!(matches!(ran.code, 0 | 5), "{} {}", ran.code, ran.err);
    assert_eq!(ran.out, few("2").out, "the same mutants are chosen, whoever runs them");
    let mutants = |out: &str| {
        let document: Value = serde_json::from_str(out).unwrap();
        let places = document["methods"][0]["ranking"].as_array().unwrap().clone();
        let count = |key: &str| places.iter().map(|place| place[key].as_u64().unwrap()).sum::<u64>();
        (count("silent"), count("unrun"))
    };
    assert_eq!(mutants(&ran.out).1, 0);
    // No time at all: the spectrum ranks, and nothing is said to change no result.
    let ran = project.run(&["localize", "--json", "--quiet", "--budget", "0.001s"]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(
        ran.err.contains("did not run, since the time ran out") && ran.err.contains("--resume"),
        "{}",
        ran.err
    );
    let (silent, unrun) = mutants(&ran.out);
    assert!(silent == 0 && unrun > 12, "{silent} {unrun}");
    // What was not run then is run now.
    let ran = project.run(&["localize", "--json", "--quiet", "--resume"]);
    assert_eq!(mutants(&ran.out).1, 0, "{}", ran.err);
}

#[test]
fn a_fault_in_a_rust_crate_is_found() {
    the_fault_is_found("rust-lib", "src/lib.rs", "if number > best", "if number < best", "muse", 3);
}

#[test]
fn a_fault_in_java_classes_is_found() {
    let file = "src/main/java/tiny/Account.java";
    the_fault_is_found("java-junit", file, "amount > balance + limit", "amount > balance - limit", "muse", 3);
}

#[test]
fn a_fault_in_a_python_module_is_found() {
    the_fault_is_found("python", "tiny.py", "return seen > limit", "return seen < limit", "blend", 4);
}

#[test]
fn a_fault_in_a_go_package_is_found() {
    the_fault_is_found("go", "tiny.go", "if number >= limit {", "if number < limit {", "muse", 3);
}

#[test]
fn without_a_failing_test_there_is_nothing_to_blame() {
    let Some(project) = Project::new("c-cases") else { return };
    let ran = project.run(&["localize", "--quiet"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.contains("no test fails"), "{}", ran.err);
}

/// Two bugs, one in each branch, and crashes of both.
const CRASHING: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char text[64] = "";
    FILE *file = fopen(argv[1], "r");
    if (!file || !fgets(text, sizeof text, file)) return 0;
    int *nothing = NULL;
    if (text[0] == 'a') {
        if (text[1] == '!') abort();
        puts("a");
    } else {
        if (text[1] == '?') *nothing = 1;
        puts("b");
    }
    return 0;
}
"#;

/// The program, its crashes and the truth about them.
fn with_crashes() -> Option<Project> {
    let project = Project::new("c-cases")?;
    project.write("crash.c", CRASHING);
    fs::create_dir(project.root().join("crashes")).unwrap();
    for (name, text) in [("1", "a!x"), ("2", "a!y"), ("3", "a!z"), ("4", "b?x"), ("README.txt", "no input")] {
        project.write(&format!("crashes/{name}"), text);
    }
    project.write("truth.txt", "1 abort\n2 abort\n3 abort\n4 null\n");
    Some(project)
}

const PROGRAM: [&str; 8] = [
    "--config",
    "none.toml",
    "--cmd",
    "./crash {}",
    "--build",
    "cc -o crash crash.c",
    "--sources",
    "crash.c",
];

#[test]
fn inputs_that_pass_are_not_ranked_by_coverage_either() {
    let Some(project) = with_crashes() else { return };
    fs::create_dir(project.root().join("fine")).unwrap();
    project.write("fine/5", "axx");
    let rest = ["--passing", "fine", "--distance", "coverage-jaccard", "--json", "--quiet"];
    let ran = project.run(&[&["tame", "crashes"][..], &PROGRAM, &rest].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let order = document["order"].as_array().unwrap().iter();
    let order: Vec<&str> = order.map(|row| row["input"].as_str().unwrap()).collect();
    assert_eq!(order, ["1", "4", "2", "3"], "{document:#}");
}

#[test]
fn crashes_of_different_bugs_come_first() {
    let Some(project) = with_crashes() else { return };
    let rest = ["--truth", "truth.txt", "--all-starts", "--json", "--quiet", "--group-into", "../groups"];
    let ran = project.run(&[&["tame", "crashes"][..], &PROGRAM, &rest].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let order = document["order"].as_array().unwrap_or_else(|| panic!("{document:#}"));
    assert_eq!(order.len(), 4, "{document:#}");
    assert_eq!(order[1]["input"].as_str().unwrap_or_default(), "4", "{document:#}");
    let inside = |group: &str| {
        let entries = fs::read_dir(project.root().join("../groups").join(group)).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(
        (inside("001"), inside("002")),
        (vec!["1".into(), "2".into(), "3".into()], vec!["4".to_owned()])
    );
    assert_eq!(project.read("../groups/001/2"), project.read("crashes/2"), "copied, and still there");
    let ran = project.run(&["onion", "1"]);
    assert_eq!(ran.out.lines().next(), Some("0.00: 1 2 3"), "{} {}", ran.out, ran.err);
}

#[test]
fn an_audit_says_whether_repairs_hold_in_the_plain_project() {
    let Some(project) = with_goldens() else { return };
    project.edit("prog.c", "    if (n > LIMIT)", "    if (n > LIMIT - 3)");
    let run = |more: &[&str]| {
        let fixed = ["localize", "--quiet", "--json", "--ops", "classic", "--method", "muse", "--audit", "4"];
        let ran = project.run(&[&fixed, more].concat());
        (ran.code, serde_json::from_str::<Value>(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err)))
    };
    let (code, document) = run(&[]);
    let audit = &document["audit"];
    assert!(matches!(code, 0 | 5), "{code} {audit:#}");
    assert!(audit["repaired"]["tried"].as_u64() > Some(0) && audit["broken"]["tried"].as_u64() > Some(0));
    assert_eq!(
        (&audit["repaired"]["agreed"], &audit["agreed"]),
        (&audit["repaired"]["tried"], &audit["tried"])
    );
    assert_eq!(document["sandbox"]["mode"], "auto");
    let forged = forge_repairs(&project);
    let (code, document) = run(&["--resume"]);
    assert_eq!(code, 6, "{document:#}");
    let wrong = document["audit"]["mutants"].as_array().unwrap().iter().filter(|one| one["agrees"] == false);
    let wrong: Vec<&str> = wrong.map(|one| one["id"].as_str().unwrap()).collect();
    assert!(!wrong.is_empty() && wrong.iter().all(|id| forged.contains(&(*id).to_owned())), "{wrong:?}");
    let ran = project.run(&["localize", "--ops", "classic", "--method", "muse", "--audit", "4", "--resume"]);
    assert!(ran.out.contains("in the original project (tried twice)"), "{}", ran.out);
}

/// Makes every mutant that repairs nothing, and was run, a repair; gives their ids.
fn forge_repairs(project: &Project) -> Vec<String> {
    let store = Store::reopen(&project.root().join("wildcaught.out/store.sqlite")).unwrap();
    let tests = store.tests().unwrap();
    let failing: Vec<u32> =
        (0..).zip(&tests).filter(|(_, test)| test.verdict.is_kill()).map(|(at, _)| at).collect();
    let mut forged = Vec::new();
    for (at, outcome) in (0..).zip(store.outcomes().unwrap()) {
        let Some(outcome) = outcome else { continue };
        let repairs =
            failing.iter().any(|test| outcome.ran.contains(*test) && !outcome.kills().contains(*test));
        if repairs || !failing.iter().any(|test| outcome.ran.contains(*test)) {
            continue;
        }
        let mut wrong = Outcome::new(Fate::Survived);
        wrong.ran = outcome.ran.clone();
        store.record(at, &wrong).unwrap();
        forged.push(store.mutants().unwrap()[at as usize].id.clone());
    }
    forged
}
