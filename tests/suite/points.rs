//! `wildcaught sshom` from source.

use std::fs;

use serde_json::Value;
use serde_json::json;

use wildcaught::report::documents::SshomDocument;

use super::targets::Project;

/// Searches a target, and reads what was printed, which is what the type of the document says.
fn search(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["sshom", "--quiet", "--json", "--list", "0"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document: SshomDocument = serde_json::from_str(&ran.out).unwrap();
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((document.format, serde_json::to_value(&document).unwrap()), (1, value.clone()));
    value
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

/// Triangle with a long way to its points. What forks share must not show: what was printed and read before, and
/// input that is read after. Some tests leave a file behind, which a fork must not.
const LONG_WAY: &str = r#"
#include <stdio.h>
int triangle(int a, int b, int c);
int main(void)
{
    volatile unsigned long work = 0;
    int a, b, c, expected, kind;
    setvbuf(stdin, 0, _IONBF, 0);
    if (scanf("%d %d %d", &a, &b, &c) != 3)
        return 2;
    printf("%d %d ", a, b);
    fflush(stdout);
    printf("%d: ", c);
    if (a > b)
        fclose(fopen("left", "a"));
    while (work < 1000000)
        ++work;
    kind = triangle(a, b, c);
    printf("%d\n", kind);
    return scanf("%d", &expected) != 1 || kind != expected;
}
"#;

#[test]
fn forks_find_what_runs_from_the_start_find() {
    let Some(project) = Project::new("triangle-c") else { return };
    let few = ["--search", "var", "--max-order", "3", "--kinds", "logical,arithmetic"];
    let plain = search(&project, &few);
    project.write("main.c", LONG_WAY);
    project.edit("wildcaught.toml", "\"exit\"", "\"original\"");
    let forked = search(&project, &few);
    assert_eq!(plain["runs"], forked["runs"]);
    assert!(!list(&plain).is_empty());
    assert_eq!(list(&plain), list(&forked));
    if cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
        assert!(forked["forks"].as_u64() > Some(0));
    }
}

/// A test that fails when it meets itself, and a class that is made with an operator that is exchanged: nothing of
/// either may reach another run.
#[test]
fn what_java_classes_keep_is_not_seen_by_the_next_run() {
    let Some(project) = Project::new("triangle-java") else { return };
    let few = ["--search", "var", "--max-order", "3", "--kinds", "logical"];
    let plain = search(&project, &few);
    let (test, tested) = ("src/test/java/tiny/TriangleTest.java", "src/main/java/tiny/Triangle.java");
    let once = "private static final java.util.Set<String> SEEN = new java.util.HashSet<>(); \
                @org.junit.Rule public final org.junit.rules.TestName name = new org.junit.rules.TestName(); \
                @org.junit.Before public void once() { \
                if (name.getMethodName().endsWith(\"1\")) \
                org.junit.Assert.assertTrue(SEEN.add(name.getMethodName())); }";
    project.edit(test, "class TriangleTest {", &format!("class TriangleTest {{ {once}"));
    let made = "static boolean yes() { return true; } static boolean no() { return !yes(); } \
                static boolean never() { return yes() && no(); } \
                private static final boolean NEVER = never();";
    project.edit(tested, "class Triangle {", &format!("class Triangle {{ {made}"));
    project.edit(tested, "int c) {", "int c) { if (NEVER) return 7;");
    let keeping = search(&project, &few);
    let more = |count: &Value| count.as_u64().map(|count| count + 1);
    assert_eq!((more(&plain["mutants"]), &plain["tests"]), (keeping["mutants"].as_u64(), &keeping["tests"]));
    assert!(!list(&plain).is_empty());
    assert_eq!(list(&plain), list(&keeping));
}

#[test]
fn any_number_of_workers_finds_the_same() {
    let Some(project) = Project::new("triangle-c") else { return };
    let kinds = ["--max-order", "3", "--kinds", "logical,arithmetic"];
    let few = [&["--search", "var,pri,gen", "--max-looked", "50"], &kinds[..]].concat();
    let found = |jobs: &str| {
        let mut found = search(&project, &[&few[..], &["--jobs", jobs]].concat());
        let searches = found["searches"].as_array_mut().unwrap().iter_mut();
        searches.for_each(|search| drop([search["millis"].take(), search["forks"].take()]));
        drop([found["millis"].take(), found["forks"].take()]);
        found
    };
    let alone = found("1");
    assert!(!list(&alone).is_empty());
    assert!(alone["complete"].as_str().unwrap().contains("more than 50 leaves"), "{}", alone["complete"]);
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
    assert!(ran.out.contains("verified: all listed SSHOMs behave the same"), "{}", ran.out);
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
    assert!(ran.err.contains("unknown kind \"comical\""), "{}", ran.err);
}
