//! The scripts of `examples/ci`, executed: a pull request played through with git alone.

use std::path::Path;
use std::process::Command;
use std::process::Output;

use crate::targets::Project;

const SOURCE: &str = "def limit(x):\n    if x > 3:\n        return 3\n    return x\n";
const TESTS: &str = "import tiny\n\n\ndef test_limit():\n    assert tiny.limit(2) == 2\n    assert tiny.limit(3) == 3\n    assert tiny.limit(4) == 3\n    assert tiny.limit(9) == 3\n";

fn git(project: &Project, arguments: &[&str]) {
    let who = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"];
    let done = Command::new("git").args(who).args(arguments).current_dir(project.root()).output().unwrap();
    assert!(done.status.success(), "{arguments:?} {}", String::from_utf8_lossy(&done.stderr));
}

fn commit(project: &Project) {
    git(project, &["add", "-A"]);
    git(project, &["commit", "-q", "-m", "a change"]);
}

/// Runs a script of the examples as a job does.
fn script(project: &Project, name: &str) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci").join(name);
    let programs = Path::new(env!("CARGO_BIN_EXE_wildcaught")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.arg(script).current_dir(project.root()).env("PATH", path).env("BASE", "main");
    command.env("TMPDIR", project.scratch()).output().unwrap()
}

fn code(done: &Output) -> (Option<i32>, String) {
    let said = [&done.stdout[..], &done.stderr[..]].concat();
    (done.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_pull_request_fails_for_a_new_survivor_and_passes_with_a_test() {
    let Some(project) = Project::new("python") else { return };
    project.write("tiny.py", SOURCE);
    project.write("tests/test_tiny.py", TESTS);
    project.write(".gitignore", "wildcaught.main\nwildcaught.out\n__pycache__\n");
    git(&project, &["init", "-q"]);
    commit(&project);
    let (main, said) = code(&script(&project, "main-branch.sh"));
    assert_eq!(main, Some(0), "{said}");

    git(&project, &["checkout", "-q", "-b", "more"]);
    project.write("README.md", "Words.\n");
    commit(&project);
    let (docs, said) = code(&script(&project, "mutation.sh"));
    assert_eq!(docs, Some(0), "{said}");
    assert!(said.contains("nothing to test"), "{said}");

    project.write("tiny.py", &format!("{SOURCE}\n\ndef twice(x):\n    return x * 2\n"));
    commit(&project);
    let (worse, said) = code(&script(&project, "mutation.sh"));
    assert_eq!(worse, Some(2), "{said}");
    for file in ["report.html", "mutation.sarif", "mutation.md"] {
        assert!(project.root().join("wildcaught.out").join(file).is_file(), "{file}");
    }

    project.write(
        "tests/test_tiny.py",
        &format!(
            "{TESTS}\n\ndef test_twice():\n    assert tiny.twice(3) == 6\n    assert tiny.twice(-1) == -2\n"
        ),
    );
    commit(&project);
    let (better, said) = code(&script(&project, "mutation.sh"));
    assert_eq!(better, Some(0), "{said}");

    project.write("tests/test_tiny.py", &TESTS.replace("== 2", "== 5"));
    commit(&project);
    let (broken, said) = code(&script(&project, "mutation.sh"));
    assert!(!matches!(broken, Some(0 | 2)), "a broken run is never green: {said}");
}
