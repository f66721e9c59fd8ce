//! Where results are kept, and what becomes of those that are there.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use wildcaught::matrix::Fate;

use super::cli::command;
use super::targets::Project;

#[test]
fn a_directory_of_results_may_end_in_a_slash_and_its_neighbours_are_safe() {
    let Some(project) = Project::new("c-command") else { return };
    project.matrix("wildcaught.out/", &["--max", "4"]);
    fs::create_dir(project.root().join("wildcaught.out.old")).unwrap();
    fs::write(project.root().join("wildcaught.out.old/precious"), "mine").unwrap();
    let again = project.matrix("wildcaught.out/", &["--max", "5"]);
    assert_eq!(again.mutants.len(), 5);
    assert_eq!(project.export("wildcaught.out/previous").mutants.len(), 4);
    assert_eq!(project.read("wildcaught.out.old/precious"), "mine");
}

#[test]
fn results_inside_of_the_project_are_not_copied_with_it() {
    let Some(project) = Project::new("c-command") else { return };
    project.edit("Makefile", "\t./check-stack", "\ttest ! -e results/of/today/store.sqlite\n\t./check-stack");
    // A name that no copy leaves out by itself. The second run finds the results of the first.
    for _ in 0..2 {
        let ran = command(&project.root())
            .args(["test", "--ops", "classic", "--max", "2", "--quiet", "--out", "results/of/today"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(matches!(ran.status.code(), Some(0 | 2 | 3)), "{said}");
    }
}

#[test]
fn testing_one_mutant_again_keeps_the_results_of_all_others() {
    let Some(project) = Project::new("c-command") else { return };
    let all = project.matrix("wildcaught.out", &["--max", "10"]);
    let one = &all.mutants[3].id;
    for _ in 0..2 {
        let ran = project.test(&["--json", "--id", one]);
        let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
        assert_eq!(json["mutants"], 1, "{json}");
        let after = project.export("wildcaught.out");
        let ids = |matrix: &wildcaught::matrix::KillMatrix| {
            (0..matrix.mutants.len())
                .map(|at| (matrix.mutants[at].id.clone(), matrix.fate(at)))
                .collect::<Vec<(String, Fate)>>()
        };
        assert_eq!(ids(&after), ids(&all));
    }
    project.edit("src/stack.c", "#include", "/* other code */\n#include");
    let ran = project.test(&["--id", one]);
    assert!(ran.out.contains("different code") && ran.out.contains("selected"), "{}{}", ran.out, ran.err);
    assert_eq!(project.export("wildcaught.out").mutants.len(), 10);
}

#[test]
fn a_diff_that_touches_no_code_is_tested_at_once() {
    let project = Project::copy("c-command");
    project.write("docs.diff", "--- a/README\n+++ b/README\n@@ -1 +1 @@\n-old\n+new\n");
    let ran = project.test(&["--in-diff", "docs.diff"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("nothing to test"), "{}", ran.err);
}

#[test]
fn settings_and_results_are_found_from_a_subdirectory() {
    let Some(project) = Project::new("c-command") else { return };
    let inside = project.root().join("src");
    let ran = |arguments: &[&str]| {
        let output = command(&inside).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, _, said) = ran(&["test", "--ops", "classic", "--max", "4", "--quiet"]);
    assert!(matches!(code, Some(0 | 2 | 3)), "{said}");
    assert!(!inside.join("wildcaught.out").exists(), "results belong to the project");
    assert_eq!(project.export("wildcaught.out").mutants.len(), 4);
    let (code, out, said) = ran(&["export", "matrix.json", "--print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(out.contains("src/stack.c"), "{out}");
}

#[test]
fn random_suites_are_in_the_json_too() {
    let Some(project) = Project::new("c-cases") else { return };
    let ran = project.test(&["--max", "20", "--suites", "50x3", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    assert_eq!(json["suites"]["suites"], 50, "{json}");
    assert!(json["suites"]["mean"].as_f64().is_some_and(|mean| mean > 0.0), "{json}");
}

#[test]
fn another_version_of_the_compiler_is_another_run() {
    let Some(project) = Project::new("c-command") else { return };
    project.matrix("wildcaught.out", &["--max", "4"]);
    let other = project.scratch().join("bin");
    fs::create_dir(&other).unwrap();
    let script = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'cc 99' && exit\nexec /usr/bin/cc \"$@\"\n";
    fs::write(other.join("cc"), script).unwrap();
    fs::set_permissions(other.join("cc"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", other.display(), std::env::var("PATH").unwrap());
    let resume =
        ["test", "--ops", "classic", "--matrix", "full", "--quiet", "--no-tce", "--max", "4", "--resume"];
    let ran = project.run_with(&resume, &[("PATH", &path)]);
    assert!(ran.code == 1 && ran.err.contains("without --resume"), "{}", ran.err);
    assert!(matches!(project.run(&resume).code, 0 | 2), "the same compiler goes on");
}

#[test]
fn limits_and_the_engine_are_part_of_what_is_resumed() {
    let Some(project) = Project::new("c-command") else { return };
    project.test(&["--max", "4"]);
    let ran = project.test(&["--max", "4", "--resume", "--engine", "classic"]);
    assert!(ran.code == 1 && ran.err.contains("without --resume"), "{}", ran.err);
    let text = project.read("wildcaught.toml");
    project.write("wildcaught.toml", &format!("{text}\n[limits]\nfactor = 7.0\n"));
    let ran = project.test(&["--max", "4", "--resume"]);
    assert!(ran.code == 1 && ran.err.contains("without --resume"), "{}", ran.err);
}

#[test]
fn the_runtime_and_the_copy_are_phases_of_their_own() {
    let Some(project) = Project::new("c-command") else { return };
    let ran = project.test(&["--max", "2", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    let phases: Vec<&str> =
        json["phases"].as_array().unwrap().iter().map(|phase| phase[0].as_str().unwrap()).collect();
    assert_eq!(phases[..2], ["copying the project", "building the runtime that switches mutants"]);
}
