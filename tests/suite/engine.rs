//! `wildcaught test`, `init`, `show` and `export` on small projects in six languages.
//!
//! What matters most: a mutant that is switched on in the meta-program meets the same fate, by the same
//! tests, as one that is built alone.

use std::collections::BTreeMap;

use serde_json::Value;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;

use super::targets::Project;
use super::targets::Told;
use super::targets::told;

/// Tests mutants of a target by both engines; none may differ.
#[track_caller]
fn both_engines_agree(target: &str, choice: &[&str]) {
    let Some(project) = Project::new(target) else { return };
    let engine = |name: &str| {
        project.matrix(&format!("wildcaught.out-{name}"), &[&["--engine", name], choice].concat())
    };
    let (switched, classic) = (engine("switch"), engine("classic"));
    let names = |matrix: &KillMatrix| matrix.tests.iter().map(|test| test.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&switched), names(&classic));
    assert!(classic.counts().get(&Fate::Killed).is_some_and(|killed| *killed > 0), "{:?}", classic.counts());
    let (mine, theirs) = (told(&switched), told(&classic));
    assert_eq!(theirs.len(), classic.mutants.len(), "all can be built alone");
    assert!(mine.len() * 3 > theirs.len(), "{} of {} are switched", mine.len(), theirs.len());
    let differing: Vec<String> = classic
        .mutants
        .iter()
        .filter(|row| !is_undefined(&row.before, &row.after))
        .filter_map(|row| Some((row, mine.get(&row.id)?, &theirs[&row.id])))
        .filter(|(_, mine, theirs)| mine != theirs)
        .map(|(row, mine, theirs)| {
            format!("{}:{} {} → {}: {mine:?}, alone {theirs:?}", row.file, row.line, row.before, row.after)
        })
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// Whether a mutant forgets to return: what a C function gives then is anybody's guess.
fn is_undefined(before: &str, after: &str) -> bool {
    before.contains("return") && !after.contains("return")
}

#[test]
fn both_engines_agree_on_a_c_program_and_its_cases() {
    both_engines_agree("c-cases", &["--by", "uniform", "--max", "60"]);
}

#[test]
fn both_engines_agree_on_a_c_library_tested_by_a_command() {
    both_engines_agree("c-command", &["--by", "uniform", "--max", "16"]);
}

#[test]
fn both_engines_agree_on_a_rust_crate() {
    both_engines_agree("rust-lib", &["--by", "uniform", "--max", "12"]);
}

#[test]
fn mutants_of_a_crate_of_the_first_edition_can_be_switched() {
    let Some(project) = Project::new("rust-lib") else { return };
    project.edit("Cargo.toml", "edition = \"2021\"", "edition = \"2015\"");
    let choice = ["--engine", "switch", "--ops", "classic", "--by", "uniform", "--max", "12"];
    let counts = project.matrix("wildcaught.out", &choice).counts();
    let count = |fate| counts.get(&fate).copied().unwrap_or(0);
    assert!(count(Fate::Killed) > count(Fate::Unviable), "{counts:?}");
}

#[test]
fn both_engines_agree_on_java_classes() {
    both_engines_agree("java-junit", &["--by", "uniform", "--max", "6"]);
}

#[test]
fn both_engines_agree_on_a_python_module() {
    both_engines_agree("python", &["--by", "uniform", "--max", "8"]);
}

#[test]
fn both_engines_agree_on_a_go_package() {
    both_engines_agree("go", &["--by", "uniform", "--max", "8"]);
}

#[test]
fn both_engines_agree_on_a_javascript_module() {
    both_engines_agree("js", &["--by", "uniform", "--max", "12"]);
}

#[test]
fn a_label_behind_a_directive_does_not_make_mutants_unviable() {
    let Some(project) = Project::new("c-command") else { return };
    let pick = "\nint pick(int a)\n{\n    while (a > 3) {\n#ifndef NEVER\n        if (a == 7)\n            goto found;\n\
                #endif\n        a = a - 1;\n    }\n#ifdef NEVER\n    return 1;\n#endif\nfound:\n    return a * 2;\n}\n";
    let first = project.read("src/stack.c").lines().count() as u32;
    project.write("src/stack.c", &(project.read("src/stack.c") + pick));
    let matrix = project.matrix("wildcaught.out", &["--all"]);
    let head = |row: &&wildcaught::matrix::MutantRow| row.line == first + 4;
    let fates: Vec<Fate> = (0..matrix.mutants.len())
        .filter(|mutant| head(&&matrix.mutants[*mutant]))
        .map(|mutant| matrix.fate(mutant))
        .collect();
    assert!(fates.len() > 2 && fates.iter().all(|fate| *fate == Fate::NotCovered), "{fates:?}");
}

#[test]
fn what_compiles_to_the_same_code_meets_the_same_fate() {
    let Some(project) = Project::new("c-cases") else { return };
    let every = told(&project.matrix("wildcaught.out-every", &["--max", "80"]));
    let out = ["--quiet", "--max", "80", "--out", "wildcaught.out-compared"];
    let ran = project.run(&[&["test", "--ops", "classic", "--matrix", "full"], &out[..]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    let compared = project.export("wildcaught.out-compared");
    for (row, outcome) in compared.mutants.iter().zip(&compared.outcomes) {
        let Some(outcome) = outcome else { continue };
        let (fate, _) = &every[&row.id];
        match outcome.fate {
            Fate::Equivalent => assert_eq!(*fate, Fate::Survived, "{} → {}", row.before, row.after),
            Fate::Duplicate => {
                let of = outcome.log.split(' ').next_back().unwrap();
                assert_eq!(every[&row.id], every[of], "{} → {}", row.before, row.after);
            }
            _ => {}
        }
    }
    let counts = compared.counts();
    assert!(counts.contains_key(&Fate::Equivalent) && counts.contains_key(&Fate::Duplicate), "{counts:?}");
}

#[test]
fn what_cannot_be_switched_is_built_alone() {
    let Some(project) = Project::new("c-cases") else { return };
    let ran = project.test(&["--json", "--all", "--in-diff", "global.diff"]);
    assert_eq!(ran.code, 1, "there is no such diff");
    project.write(
        "global.diff",
        "--- a/prog.c\n+++ b/prog.c\n@@ -7,2 +7,2 @@\n \n-x\n+static int weights[] = {1, 2, 3, 5, 8};\n",
    );
    let ran = project.test(&["--json", "--all", "--in-diff", "global.diff"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    assert_eq!(json["switched"], 0, "{json}");
    assert!(json["built_alone"].as_u64() > Some(0), "{json}");
    assert_eq!(json["built_alone"], json["mutants"], "{json}");
    let ran = project.test(&["--json", "--all", "--in-diff", "global.diff", "--engine", "switch"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["counts"]["untested"], json["mutants"], "{json}");
    assert_eq!(ran.code, 5, "{}", ran.err);
}

#[test]
fn missed_mutants_are_an_exit_code() {
    let Some(project) = Project::new("c-command") else { return };
    let ran = project.test(&["--max", "20"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.contains("survived") && ran.out.contains("score "), "{}", ran.out);
    assert_eq!(project.test(&["--max", "20", "--min-score", "1"]).code, 0);
    assert_eq!(project.test(&["--max", "20", "--min-score", "99.9"]).code, 2);
}

#[test]
fn a_shard_is_one_of_those_there_are() {
    let project = Project::copy("c-command");
    for shard in ["3/2", "0/2", "x", "1", "1/0", "-1/2"] {
        let ran = project.test(&[&format!("--shard={shard}")[..]]);
        assert_eq!(ran.code, 1, "{shard}: {}", ran.err);
        assert!(ran.err.contains("K/N"), "{}", ran.err);
    }
}

#[test]
fn a_project_that_does_not_build_is_not_mutated() {
    let Some(project) = Project::new("c-command") else { return };
    project.edit("check.c", "return 0;", "return nothing;");
    let ran = project.test(&["--max", "3"]);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.contains("does not build") && ran.err.contains("nothing"), "{}", ran.err);
}

#[test]
fn a_project_whose_tests_fail_is_not_mutated() {
    let fails = [
        ("c-command", "check.c", "== 5", "== 6"),
        ("rust-lib", "tests/it.rs", "[0, 2, 4]", "[0, 2, 5]"),
        ("java-junit", "src/test/java/tiny/AccountTest.java", "assertEquals(10,", "assertEquals(11,"),
        ("python", "tests/test_tiny.py", "== 26", "== 27"),
        ("go", "tiny_test.go", "total != 3", "total != 4"),
        ("js", "test/tiny.test.js", "([1, 2]), 3)", "([1, 2]), 4)"),
    ];
    for (target, file, before, after) in fails {
        let Some(project) = Project::new(target) else { continue };
        project.edit(file, before, after);
        let ran = project.test(&["--max", "3"]);
        assert_eq!(ran.code, 4, "{target}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("known_failing"), "{target}: {}", ran.err);
    }
}

#[test]
fn tests_that_are_known_to_fail_do_not_count() {
    let Some(project) = Project::new("c-cases") else { return };
    project.edit("wildcaught.toml", "oracle = \"original\"", "oracle = \"exit\"");
    let ran = project.test(&["--max", "10"]);
    assert!(ran.code == 4 && ran.err.contains("cases/many numbers.txt"), "{}", ran.err);
    let known = "oracle = \"exit\"\nknown_failing = [\"*many*\"]";
    project.edit("wildcaught.toml", "oracle = \"exit\"", known);
    let matrix = project.matrix("wildcaught.out", &["--max", "10"]);
    let failing = matrix.tests.iter().position(|test| test.name == "cases/many numbers.txt").unwrap();
    assert!((0..matrix.mutants.len()).all(|mutant| !matrix.kills(mutant).contains(failing as u32)));
}

#[test]
fn a_run_that_is_resumed_tests_nothing_again() {
    let Some(project) = Project::new("c-cases") else { return };
    let before = project.matrix("wildcaught.out", &["--max", "25"]);
    let ran = project.test(&["--max", "25", "--resume", "--json"]);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["switched"], &json["built_alone"]), (&Value::from(0), &Value::from(0)), "{json}");
    let after = project.export("wildcaught.out");
    assert_eq!(before.outcomes, after.outcomes, "outcomes are kept as they were");
    let more = project.matrix("wildcaught.out", &["--max", "30", "--resume"]);
    assert_eq!(told(&more).len(), 30, "what is new is tested");
    let known = told(&before);
    assert!(told(&more).iter().all(|(id, told)| known.get(id).is_none_or(|known| known == told)));
    project.write("prog.c", &format!("{}\n", project.read("prog.c")));
    let ran = project.test(&["--max", "25", "--resume"]);
    assert!(ran.code == 1 && ran.err.contains("run without --resume"), "{} {}", ran.code, ran.err);
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let Some(project) = Project::new("c-cases") else { return };
    let run = |jobs: &str| {
        let out = format!("wildcaught.out-{jobs}");
        project.matrix(&out, &["--max", "60", "-j", jobs]);
        let ran = project.run(&["export", "matrix.json", "--print", "--out", &out]);
        let mut json: Value = serde_json::from_str(&ran.out).unwrap();
        forget(&mut json, "millis");
        json
    };
    assert_eq!(run("1"), run("2"));
}

/// Removes a key everywhere.
fn forget(json: &mut Value, key: &str) {
    match json {
        Value::Object(fields) => {
            fields.remove(key);
            fields.values_mut().for_each(|value| forget(value, key));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| forget(value, key)),
        _ => {}
    }
}

#[test]
fn the_first_test_that_notices_is_enough() {
    let Some(project) = Project::new("c-cases") else { return };
    let full = told(&project.matrix("wildcaught.out-full", &["--max", "40"]));
    let ran = project.run(&[
        "test",
        "--ops",
        "classic",
        "--quiet",
        "--no-tce",
        "--max",
        "40",
        "--out",
        "wildcaught.out-first",
    ]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let first: BTreeMap<String, Told> = told(&project.export("wildcaught.out-first"));
    for (id, (fate, kills)) in &first {
        let (whole_fate, all) = &full[id];
        assert!(
            kills.len() <= 1 && kills.iter().all(|test| all.contains(test)),
            "{id}: {kills:?} of {all:?}"
        );
        assert_eq!(kills.is_empty(), all.is_empty(), "{id}");
        // Whoever is asked first may be one that hangs.
        assert!(fate == whole_fate || *fate == Fate::TimeOut, "{id}: {fate:?}, {whole_fate:?}");
    }
}

#[test]
fn mutants_are_shown_as_diffs_with_what_became_of_them() {
    let Some(project) = Project::new("c-command") else { return };
    let matrix = project.matrix("wildcaught.out", &["--by", "uniform", "--max", "30"]);
    let of = |fate: Fate| (0..matrix.mutants.len()).find(|mutant| matrix.fate(*mutant) == fate).unwrap();
    let killed = &matrix.mutants[of(Fate::Killed)];
    let ran = project.run(&["show", &killed.id]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("+++ b/src/stack.") && ran.out.contains("1 killed it"), "{}", ran.out);
    let first = ran.out.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("src/stack.") && first.contains(&format!("{} killed", killed.id)),
        "{}",
        ran.out
    );
    let count = |fate: Fate| (0..matrix.mutants.len()).filter(|mutant| matrix.fate(*mutant) == fate).count();
    let (survived, not_covered) = (count(Fate::Survived), count(Fate::NotCovered));
    assert!(survived > 0 && not_covered > 0);
    let ran = project.run(&["show", "--survived"]);
    assert_eq!(ran.out.matches("+++ b/src/stack.").count(), survived, "{}", ran.out);
    let ran = project.run(&["show"]);
    assert_eq!(ran.out.matches("+++ b/src/stack.").count(), survived + not_covered, "{}", ran.out);
    assert_eq!(project.run(&["show", "--survived", "--max", "1"]).out.matches("+++ b/").count(), 1);
    assert!(!project.run(&["show", "--fate", "killed"]).out.contains("survived"));
    let ran = project.run(&["show", "ffffffff-0000"]);
    assert!(ran.code == 1 && ran.err.contains("no mutant"), "{}", ran.err);
    let ran = project.run(&["show", "--out", "nowhere"]);
    assert!(ran.code == 1 && ran.err.contains("wildcaught test"), "{}", ran.err);
}

#[test]
fn init_finds_out_how_a_project_is_tested() {
    let presets = [
        ("c-command", "command"),
        ("rust-lib", "cargo"),
        ("java-junit", "junit"),
        ("python", "pytest"),
        ("go", "go"),
        ("js", "node"),
    ];
    for (target, preset) in presets {
        let project = match target {
            "java-junit" => match Project::new(target) {
                Some(project) => project,
                None => continue,
            },
            _ => Project::copy(target),
        };
        std::fs::remove_file(project.root().join("wildcaught.toml")).unwrap();
        let ran = project.run(&["init", "--dry-run"]);
        assert_eq!(ran.code, 0, "{target}: {}", ran.err);
        assert!(ran.out.contains(&format!("\npreset = \"{preset}\"")), "{target}: {}", ran.out);
        let ran = project.run(&["init", "--list"]);
        assert!(ran.code == 0 && ran.out.starts_with(preset), "{target}: {}", ran.out);
    }
    let project = Project::copy("c-cases");
    let ran = project.run(&["init", "--dry-run"]);
    assert!(ran.code == 1 && ran.err.contains("no preset fits"), "{}", ran.err);
}

#[test]
fn init_writes_over_nothing() {
    let project = Project::copy("c-command");
    let ran = project.run(&["init", "--no-check"]);
    assert!(ran.code == 1 && ran.err.contains("--force"), "{}", ran.err);
}

#[test]
fn what_init_writes_can_be_tested() {
    let Some(project) = Project::new("c-command") else { return };
    let text = project.run(&["init", "--dry-run"]).out;
    project.write("wildcaught.toml", &text);
    let matrix = project.matrix("wildcaught.out", &["--max", "5"]);
    assert_eq!(told(&matrix).len(), 5);
}

#[test]
fn a_dry_run_runs_nothing() {
    let project = Project::copy("c-command");
    project.edit("wildcaught.toml", "\"make -k\"", "\"touch ran; false\"");
    let ran = project.test(&["--dry-run"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("touch ran") && ran.out.contains("make check"), "{}", ran.out);
    assert!(!project.root().join("wildcaught.out").exists());
}
