//! The program as others start it, and the scripts of `examples`.

use std::path::Path;
use std::process::Command;
use std::process::Output;

use crate::targets::Project;

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// The path of programs, ours first.
fn path() -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_wildcaught")).parent().unwrap().display().to_string();
    format!("{programs}:{}", std::env::var("PATH").unwrap())
}

#[test]
fn cargo_finds_its_subcommand() {
    let home = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-wildcaught"));
        command.args(words).current_dir(home.path()).output().unwrap()
    };
    let version = run(&["wildcaught", "--version"]);
    assert!(text(&version).starts_with("wildcaught "), "{}", text(&version));
    let help = run(&["wildcaught", "test", "--help"]);
    assert!(text(&help).contains("Usage: cargo wildcaught test"), "{}", text(&help));
    assert_eq!(run(&["--version"]).stdout, version.stdout);
    if !crate::tools::are_here(&["cargo"]) {
        return;
    }
    let cargo = Command::new("cargo").args(["wildcaught", "--version"]).env("PATH", path()).output().unwrap();
    assert_eq!(cargo.stdout, version.stdout, "{}", text(&cargo));
}

#[test]
fn the_archive_of_a_release_is_where_binstall_looks() {
    let read =
        |file: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let key = |name: &str| binstall[name].as_str().unwrap().to_owned();
    let script = read(".ci/release");
    assert!(script.contains("name=wildcaught-$version-$target"));
    assert!(key("pkg-url").ends_with("/{ name }-{ version }-{ target }.tar.gz"));
    assert!(key("bin-dir").starts_with("{ name }-{ version }-{ target }/"));
    for bin in manifest["bin"].as_array().unwrap() {
        assert!(script.contains(&format!("\"$built/{}\"", bin["name"].as_str().unwrap())), "{bin}");
    }
}

/// Adds the test that a task asks for, as a person would: it knows what the functions are for.
const WRITER: &str = r#"
import sys
task = sys.stdin.read()
assert "Check a result" in task or "check a result" in task, task
with open("tests/test_tiny.py", "a") as tests:
    tests.write("\n\ndef test_limit_%d():\n    assert [tiny.limit(x) for x in range(6)] == [0, 1, 2, 3, 9, 9]\n" % len(task))
"#;

#[test]
fn the_script_of_missing_tests_asks_until_nothing_is_missed() {
    let Some(project) = Project::new("python") else { return };
    project.write("tiny.py", "def limit(x):\n    if x > 3:\n        return 9\n    return x\n");
    project.write("tests/test_tiny.py", "import tiny\n\n\ndef test_limit():\n    tiny.limit(2)\n");
    project.write("writer.py", WRITER);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/missing-tests/missing_tests.py");
    let run = |words: &[&str]| {
        let mut command = Command::new("python3");
        command
            .arg(&script)
            .args(words)
            .args(["--", "--ops", "classic", "--all"])
            .current_dir(project.root());
        command.env("PATH", path()).env("TMPDIR", project.scratch()).env("CI", "false").output().unwrap()
    };
    let listed = run(&[]);
    assert_eq!(listed.status.code(), Some(2), "{}", text(&listed));
    for wanted in
        ["tiny.py:2:", "no test fails for a change", "in the function limit", "--- a/tiny.py", "test_limit"]
    {
        assert!(text(&listed).contains(wanted), "{wanted}: {}", text(&listed));
    }
    let written = run(&["--write", "python3 writer.py"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written));
    assert!(text(&written).contains("killed now"), "{}", text(&written));
    project.edit("tests/test_tiny.py", "import tiny", "import tinny");
    let broken = run(&[]);
    assert!(!matches!(broken.status.code(), Some(0 | 2)), "{}", text(&broken));
}
