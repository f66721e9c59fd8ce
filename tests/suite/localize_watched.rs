//! Statements that are hard to watch, or cannot be watched at all: none of them is left out of a ranking.

use std::fs;
use std::process::Command;

use serde_json::Value;

use super::targets::Project;

const SETTINGS: &str = r#"format = 1
language = "c"
sources = ["prog.c"]
[build]
command = "cc -w -O1 -o prog prog.c"
[tests]
preset = "cases"
list = ["0", "1", "3", "60"]
run = "./prog {name}"
oracle = "golden"
golden = "golden/{name}.out"
"#;

/// A program with golden files of its own, but for one of its four cases, which fails.
fn program(text: &str, fails: &str) -> Option<Project> {
    let project = Project::new("c-cases")?;
    let root = project.root();
    project.write("prog.c", text);
    project.write("wildcaught.toml", SETTINGS);
    let compiled =
        Command::new("cc").args(["-w", "-o", "right", "prog.c"]).current_dir(&root).status().unwrap();
    assert!(compiled.success());
    fs::create_dir(root.join("golden")).unwrap();
    for case in ["0", "1", "3", "60"] {
        let output = Command::new("./right").arg(case).current_dir(&root).output().unwrap();
        fs::write(root.join(format!("golden/{case}.out")), output.stdout).unwrap();
    }
    fs::remove_file(root.join("right")).unwrap();
    project.write(&format!("golden/{fails}.out"), "something else\n");
    Some(project)
}

/// What was said on standard error, and the places of the first method.
#[track_caller]
fn places(project: &Project, method: &str) -> (String, Vec<Value>) {
    let ran = project.run(&["localize", "--quiet", "--json", "--method", method]);
    assert!(matches!(ran.code, 0 | 5), "{} {}", ran.code, ran.err);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    (ran.err, document["methods"][0]["ranking"].as_array().unwrap().clone())
}

#[test]
fn statements_of_all_shapes_are_watched_and_do_what_they_did() {
    let Some(project) = program(include_str!("../localize/shapes.c"), "3") else { return };
    let (err, places) = places(&project, "ochiai");
    assert!(!err.contains("could not be instrumented") && !err.contains("fail only in"), "{err}");
    let executed = |line: u64| {
        let place = places.iter().find(|place| place["line"] == line);
        let place = place.unwrap_or_else(|| panic!("nothing is known of line {line}"));
        (place["failing"].as_u64().unwrap(), place["passing"].as_u64().unwrap())
    };
    // Behind `else`; macros without an end mark; in a loop that is tested last; a function behind macros.
    assert_eq!(executed(19), (1, 2));
    assert_eq!(executed(43), (1, 3));
    assert_eq!((executed(65), executed(67)), ((1, 1), (0, 2)));
    assert_eq!(executed(98), (1, 3));
    assert_eq!(executed(12), (1, 3));
    assert_eq!(places.len(), 92);
}

/// `OTHERWISE` hides an `else` from whoever does not expand macros: no guard can stand before it.
const HIDDEN: &str = r#"#include <stdio.h>
#include <stdlib.h>
#define OTHERWISE else
static int half(int n) {
    int out = 0;
    if (n > 2)
        out = n / 2;
    OTHERWISE
        out = n + 1;
    return out;
}
static int twice(int n) {
    return n * 2;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n > 0) printf("%d\n", twice(n));
    if (n != 1) printf("%d\n", half(n));
    return 0;
}
"#;

#[test]
fn a_statement_that_cannot_be_watched_is_judged_by_what_stands_beside_it() {
    let Some(project) = program(HIDDEN, "60") else { return };
    for method in ["ochiai", "muse"] {
        let (err, places) = places(&project, method);
        assert!(
            err.contains("could not be instrumented (expected")
                || err.contains("could not be instrumented (‘else’"),
            "{err}"
        );
        let place = places.iter().find(|place| place["line"] == 8).expect("the statement is ranked");
        // All cases but 1 call the function; only 60 fails.
        assert_eq!(
            (&place["failing"], &place["passing"]),
            (&Value::from(1), &Value::from(2)),
            "{method}: {place:#}"
        );
    }
}
