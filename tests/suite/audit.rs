//! `wildcaught test --audit`: verdicts hold in the plain project, with its own build and test commands.

use std::fs;

use serde_json::Value;

use wildcaught::matrix::Fate;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;

use super::targets::Project;

/// Tests a few mutants of a target; the plain project must confirm a verdict of every fate.
#[track_caller]
fn holds(target: &str, max: &str) {
    let Some(project) = Project::new(target) else { return };
    let more = ["--ops", "classic", "--quiet", "--max", max, "--audit", "1", "--json"];
    let ran = project.run(&[&["test"], &more[..]].concat());
    let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    let audit = &json["audit"];
    assert!(audit["tried"].as_u64() >= Some(1), "{audit}");
    assert_eq!(audit["agreed"], audit["tried"], "{audit:#}");
    assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
}

#[test]
fn verdicts_hold_on_a_c_program_and_its_cases() {
    holds("c-cases", "40");
}

#[test]
fn verdicts_hold_on_a_c_library_tested_by_a_command() {
    holds("c-command", "40");
}

#[test]
fn verdicts_hold_on_a_rust_crate() {
    holds("rust-lib", "8");
}

#[test]
fn verdicts_hold_on_java_classes() {
    holds("java-junit", "16");
}

#[test]
fn verdicts_hold_on_a_python_module() {
    holds("python", "6");
}

#[test]
fn verdicts_hold_on_a_go_package() {
    holds("go", "20");
}

#[test]
fn verdicts_hold_on_a_javascript_module() {
    holds("js", "12");
}

#[test]
fn verdicts_hold_on_triangles_in_three_languages() {
    holds("triangle-c", "30");
    holds("triangle-java", "30");
    holds("triangle-rust", "10");
}

/// Finds the number of a mutant with this fate, and puts another fate in its place.
fn falsify(project: &Project, fate: Fate, wrong: Fate) -> String {
    let store = Store::reopen(&project.root().join("wildcaught.out/store.sqlite")).unwrap();
    let outcomes = store.outcomes().unwrap();
    let at =
        outcomes.iter().position(|known| known.as_ref().is_some_and(|known| known.fate == fate)).unwrap();
    store.record(at as u32, &Outcome::new(wrong)).unwrap();
    store.mutants().unwrap()[at].id.clone()
}

#[test]
fn a_verdict_that_does_not_hold_is_an_exit_code() {
    let Some(project) = Project::new("c-command") else { return };
    project.matrix("wildcaught.out", &["--max", "20"]);
    let wrong = falsify(&project, Fate::Killed, Fate::Equivalent);
    let also = falsify(&project, Fate::Survived, Fate::Unviable);
    let ran = project.test(&["--max", "20", "--resume", "--audit", "20", "--json"]);
    assert_eq!(ran.code, 6, "{}", ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let verdicts = json["audit"]["verdicts"].as_array().unwrap();
    let of =
        |id: &str| verdicts.iter().find(|verdict| verdict["id"] == id).unwrap_or_else(|| panic!("{json:#}"));
    let disagrees = |id: &str, fate: &str, plain: &str| {
        let verdict = of(id);
        let told = (&verdict["fate"], &verdict["plain"], &verdict["agrees"], &verdict["repeated"]);
        assert_eq!(told, (&fate.into(), &plain.into(), &false.into(), &true.into()), "{verdict}");
    };
    disagrees(&wrong, "equivalent", "failed");
    disagrees(&also, "unviable", "passed");
    assert!(of(&wrong)["message"].as_str().is_some_and(|said| !said.is_empty()));
    let ran = project.test(&["--max", "20", "--resume", "--audit", "1"]);
    assert!(
        ran.out.contains("in the original project (tried twice)") && ran.out.contains(&wrong),
        "{}",
        ran.out
    );
}

#[test]
fn an_audit_of_a_finished_run_runs_nothing_else() {
    let Some(project) = Project::new("c-command") else { return };
    let before = project.matrix("wildcaught.out", &["--max", "12"]);
    let ran = project.test(&["--max", "12", "--resume", "--audit", "1", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["builds"], &json["switched"]), (&0.into(), &0.into()), "{json}");
    assert!(json["audit"]["tried"].as_u64() > Some(0), "{json}");
    assert_eq!(project.export("wildcaught.out"), before, "results stay as they were");
}

#[test]
fn a_dry_run_says_how_an_audit_would_run_tests() {
    let project = Project::copy("c-command");
    let ran = project.test(&["--max", "3", "--audit", "2", "--dry-run"]);
    assert!(ran.out.contains("2 verdicts of each fate, in fresh copies, by: make check"), "{}", ran.out);
    assert!(!fs::exists(project.root().join("wildcaught.out")).unwrap());
}

#[test]
fn a_mutant_that_crashes_a_go_program_before_its_tests_is_killed_and_not_unviable() {
    let Some(project) = Project::new("go") else { return };
    let before =
        "package tiny\n\nfunc Must(n int) int {\n\tif n < 1 {\n\t\tpanic(\"none\")\n\t}\n\treturn n\n}\n";
    project.write("tiny.go", before);
    let test = "package tiny\n\nimport \"testing\"\n\nvar first = Must(1)\n\nfunc TestMust(t *testing.T) \
                {\n\tif first != 1 {\n\t\tt.Fail()\n\t}\n}\n";
    project.write("tiny_test.go", test);
    for engine in ["switch", "classic"] {
        let ran = project.test(&["--engine", engine, "--all", "--audit", "3", "--json"]);
        let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
        assert!(json["counts"]["killed"].as_u64() > Some(1), "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
    }
}

#[test]
fn a_mutant_that_hangs_in_tests_which_the_build_runs_is_noticed_and_not_unviable() {
    let Some(project) = Project::new("c-command") else { return };
    let source = "#include <stdio.h>\nint left(int n) {\n    while (n > 0) {\n        n -= 1;\n    }\n    return n;\n}\n\
                  int main(void) {\n    return left(3) != 0;\n}\n";
    project.write("src/stack.c", source);
    project.write("Makefile", "test: src/stack.c\n\tcc -o t src/stack.c\n\t./t\n.PHONY: test\n");
    let settings = "format = 1\nlanguage = \"c\"\nsources = [\"src\"]\n[build]\ncommand = \"make -k\"\ntimeout = 8\n\
                    [tests]\npreset = \"command\"\ncommand = \"make test\"\n";
    project.write("wildcaught.toml", settings);
    for engine in ["switch", "classic"] {
        let ran = project.test(&["--engine", engine, "--all", "--audit", "9", "--json"]);
        let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{engine}: {json:#}");
        let verdicts = json["audit"]["verdicts"].as_array().unwrap();
        assert!(verdicts.iter().any(|verdict| verdict["plain"] == "time-out"), "{engine}: {json:#}");
    }
}
