//! `wildcaught repair`: programs with faults, and the patches that are found.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::targets::Project;
use super::targets::Ran;
use super::tools;

/// A project made of these files.
fn project(files: &[(&str, &str)]) -> Project {
    let home = TempDir::new().unwrap();
    for (name, text) in files {
        let path = home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    Project::copy_of(home.path())
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("exit {}: {} {}", ran.code, ran.out, ran.err))
}

/// The edits of each patch, in words.
fn edits(document: &Value) -> Vec<Vec<String>> {
    let patches = document["patches"].as_array().unwrap();
    let says = |edit: &Value| edit["says"].as_str().unwrap().to_owned();
    patches.iter().map(|patch| patch["edits"].as_array().unwrap().iter().map(says).collect()).collect()
}

/// Figure 5.3 of the thesis on variational execution, without the edits: `smallest-90834803-005`.
const CHAIN: &str = "    if (a < b && a < c && a < d) {
        smallest = a;
    } else if (b < a && b < c && b < d) {
        smallest = b;
    } else if (c < a && c < b && c < d) {
        smallest = c;
    } else if (d < a && d < b && d < c) {
        smallest = d;
    } else {
        smallest = LARGEST;
    }
";
/// Lines that are left alone: those that the figure does not edit.
const ALONE: &str = r"a < b|c < a|smallest = [abcd];";
/// By what the last statement becomes: with `a`, all tests pass; `b` and `d` need one more edit, in five ways; `c` needs
/// an edit of each condition, as in the figure.
const COMBINATIONS: [usize; 3] = [1, 5 + 5, 5 * 5];

const CASES: &str = "format = 1
language = 'c'
sources = ['smallest.c']
[build]
command = 'cc -o smallest smallest.c'
[tests]
preset = 'cases'
cases = ['cases/*.in']
run = './smallest < {case}'
golden = '{dir}/{stem}.out'
[limits]
floor = 0.3
";

fn smallest_in_c() -> Project {
    let chain = CHAIN.replace("LARGEST", "2147483647");
    let program = format!(
        "#include <stdio.h>\n\nint main(void)\n{{\n    int a, b, c, d, smallest;\n    scanf(\"%d %d %d %d\", &a, &b, &c, &d);\n\
         {chain}    printf(\"%d\\n\", smallest);\n    return 0;\n}}\n"
    );
    let cases = ["1 2 3 4", "1 1 1 1", "1 1 2 3", "1 2 3 1"];
    let names: Vec<(String, &str)> =
        cases.iter().enumerate().map(|(number, case)| (format!("cases/{number}.in"), *case)).collect();
    let golden: Vec<String> = (0..cases.len()).map(|number| format!("cases/{number}.out")).collect();
    let mut files = vec![("wildcaught.toml", CASES), ("smallest.c", program.as_str())];
    files.extend(names.iter().map(|(name, case)| (name.as_str(), *case)));
    files.extend(golden.iter().map(|name| (name.as_str(), "1\n")));
    project(&files)
}

const FIGURE: [&str; 6] =
    ["--families", "comparison,logic,replace", "--exclude-lines", ALONE, "--all", "--quiet"];

#[test]
fn the_three_edits_of_figure_5_3_are_found_and_nothing_that_is_not_minimal_in_c() {
    if !tools::are_here(&["cc", "ar"]) {
        return;
    }
    let project = smallest_in_c();
    let ran = project.run(&[&["repair", "--json", "--top", "64"], &FIGURE[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let document = document(&ran);
    let found = edits(&document);
    let of_order = |order: usize| found.iter().filter(|edits| edits.len() == order).count();
    assert_eq!([1, 2, 3].map(of_order), COMBINATIONS, "{found:?}");
    let figure = [
        "replaces `<` with `<=`",
        "replaces `&&` with `||`",
        "replaces `smallest = 2147483647;` with `smallest = c;`",
    ];
    assert!(found.iter().any(|edits| edits == &figure), "{found:?}");
}

#[test]
fn as_many_patches_of_figure_5_3_are_found_in_java() {
    if !tools::are_here(&["javac", "junit4", "hamcrest"]) {
        return;
    }
    let chain = CHAIN.replace("LARGEST", "Integer.MAX_VALUE");
    let program = format!(
        "class Smallest {{\n    static int of(int a, int b, int c, int d) {{\n    int smallest;\n{chain}    return smallest;\n    }}\n}}\n"
    );
    let tests = "import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class SmallestTest {
    @Test public void different() { assertEquals(1, Smallest.of(1, 2, 3, 4)); }
    @Test public void same() { assertEquals(1, Smallest.of(1, 1, 1, 1)); }
    @Test public void first() { assertEquals(1, Smallest.of(1, 1, 2, 3)); }
    @Test public void last() { assertEquals(1, Smallest.of(1, 2, 3, 1)); }
}
";
    let settings = "format = 1\nlanguage = 'java'\nsources = ['main']\n[tests]\npreset = 'junit'\nmain = ['main']\n\
        test = ['test']\nclasspath = ['/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar']\n";
    let project = project(&[
        ("wildcaught.toml", settings),
        ("main/Smallest.java", &program),
        ("test/SmallestTest.java", tests),
    ]);
    let ran = project.run(&[&["repair", "--json", "--top", "1"], &FIGURE[..]].concat());
    let document = document(&ran);
    assert_eq!(document["plausible"], COMBINATIONS.iter().sum::<usize>());
}

const RUST_TESTS: &str = "
#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn different() {
        assert_eq!(smallest(1, 2, 3, 4), 1);
    }

    #[test]
    fn same() {
        assert_eq!(smallest(1, 1, 1, 1), 1);
    }

    #[test]
    fn first() {
        assert_eq!(smallest(1, 1, 2, 3), 1);
    }

    #[test]
    fn last() {
        assert_eq!(smallest(1, 2, 3, 1), 1);
    }
}
";

#[test]
fn as_many_patches_of_figure_5_3_are_found_in_rust() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let chain = CHAIN.replace("LARGEST", "i32::MAX").replace("if (", "if ").replace(") {", " {");
    let program = format!(
        "pub fn smallest(a: i32, b: i32, c: i32, d: i32) -> i32 {{\n    let smallest;\n{chain}    smallest\n}}\n{RUST_TESTS}"
    );
    let manifest = "[package]\nname = \"smallest\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let lock = "version = 4\n\n[[package]]\nname = \"smallest\"\nversion = \"0.1.0\"\n";
    let settings = "format = 1\nlanguage = 'rust'\nsources = ['src']\n[build]\ncommand = 'cargo test --no-run --offline --message-format=json'\n[tests]\npreset = 'cargo'\n";
    let project = project(&[
        ("wildcaught.toml", settings),
        ("Cargo.toml", manifest),
        ("Cargo.lock", lock),
        ("src/lib.rs", &program),
    ]);
    let ran = project.run(&[&["repair", "--json", "--top", "1"], &FIGURE[..]].concat());
    let document = document(&ran);
    assert_eq!(document["plausible"], COMBINATIONS.iter().sum::<usize>());
}

#[test]
fn what_is_found_does_not_depend_on_the_number_of_workers() {
    if !tools::are_here(&["cc", "ar"]) {
        return;
    }
    let project = smallest_in_c();
    let patches = |jobs: &str| {
        let ran = project.run(&["repair", "--json", "--quiet", "--jobs", jobs]);
        let mut document = document(&ran);
        for patch in document["patches"].as_array_mut().unwrap() {
            patch.as_object_mut().unwrap().remove("seconds");
        }
        (document["plausible"].clone(), document["runs"].clone(), document["patches"].clone())
    };
    assert_eq!(patches("1"), patches("2"));
}

/// The middle of three, with one variable for another.
fn middle() -> Project {
    Project::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/repair"))
}

#[test]
fn a_patch_is_written_into_the_sources_and_taken_back() {
    if !tools::are_here(&["pytest"]) {
        return;
    }
    let project = middle();
    let original = project.read("middle.py");
    let ran = project.run(&["repair", "--quiet", "--jobs", "1"]);
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    assert!(ran.out.contains("+            m = x"), "{}", ran.out);
    let run = |arguments: &[&str]| project.command().args(arguments).output().unwrap();
    assert!(run(&["repair", "--apply", "1"]).status.success());
    let patched = project.read("middle.py");
    assert_ne!(patched, original);
    let passes = |root: &Path| {
        let tests = Command::new("python3")
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .current_dir(root)
            .output();
        tests.unwrap().status.success()
    };
    assert!(passes(&project.root()));
    assert!(run(&["repair", "--revert"]).status.success());
    assert_eq!(project.read("middle.py"), original);
    let again = run(&["repair", "--apply", "99"]);
    assert!(String::from_utf8(again.stderr).unwrap().contains("--apply 99: the last run found"));
}

#[test]
fn a_project_whose_tests_pass_has_nothing_to_repair() {
    if !tools::are_here(&["cc", "ar"]) {
        return;
    }
    let project = smallest_in_c();
    for case in 1..4 {
        std::fs::remove_file(project.root().join(format!("cases/{case}.in"))).unwrap();
    }
    let ran = project.run(&["repair", "--quiet"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("all tests pass, so there is nothing to repair"), "{}", ran.err);
}

#[test]
fn a_patch_that_the_held_out_command_refutes_comes_last() {
    if !tools::are_here(&["cc", "ar"]) {
        return;
    }
    let project = smallest_in_c();
    let held_out = "test \"$(echo 2 2 1 1 | ./smallest)\" = 1";
    let ran = project.run(&["repair", "--json", "--quiet", "--top", "20", "--held-out", held_out]);
    let document = document(&ran);
    let patches = document["patches"].as_array().unwrap();
    let told: Vec<bool> = patches.iter().map(|patch| patch["held_out"].as_bool().unwrap()).collect();
    assert!(told.is_sorted_by(|a, b| a >= b), "{told:?}");
    assert!(told.iter().collect::<BTreeSet<_>>().len() == 2, "{told:?}");
}

#[test]
fn wrong_input_is_refused() {
    let project = smallest_in_c();
    for (arguments, problem) in [
        (["--families", "nothing"], "--families: unknown family \"nothing\"; known are text, comparison"),
        (["--degree", "0"], "--degree and --top must be at least 1"),
        (["--budget", "soon"], "--budget: \"soon\" is not a time"),
        (["--apply", "1"], "run `wildcaught repair` first"),
    ] {
        let ran = project.run(&[&["repair"], &arguments[..]].concat());
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(problem), "{}", ran.err);
    }
}
