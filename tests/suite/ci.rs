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
    script_with(project, name, &[("BASE", "main")])
}

/// The same in a job with these variables.
fn script_with(project: &Project, name: &str, variables: &[(&str, &str)]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci").join(name);
    let programs = Path::new(env!("CARGO_BIN_EXE_wildcaught")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let mut command = Command::new("sh");
    command.arg(script).current_dir(project.root()).env("PATH", path).env("TMPDIR", project.scratch());
    for name in ["CI", "GITHUB_BASE_REF", "TF_BUILD", "JENKINS_URL"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

/// A repository with a main branch, known as that of the remote, and a branch for work.
fn repository() -> Option<Project> {
    let project = Project::new("python")?;
    project.write("tiny.py", SOURCE);
    project.write("tests/test_tiny.py", TESTS);
    project.write(".gitignore", "wildcaught.main\nwildcaught.out\n__pycache__\n");
    git(&project, &["init", "-q"]);
    commit(&project);
    git(&project, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    git(&project, &["checkout", "-q", "-b", "more"]);
    Some(project)
}

fn code(done: &Output) -> (Option<i32>, String) {
    let said = [&done.stdout[..], &done.stderr[..]].concat();
    (done.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_pull_request_fails_for_a_new_survivor_and_passes_with_a_test() {
    let Some(project) = repository() else { return };
    git(&project, &["checkout", "-q", "main"]);
    let (main, said) = code(&script(&project, "main-branch.sh"));
    assert_eq!(main, Some(0), "{said}");

    git(&project, &["checkout", "-q", "more"]);
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

const PULL_REQUEST: [(&str, &str); 2] = [("CI", "true"), ("GITHUB_BASE_REF", "main")];

#[test]
fn a_job_of_a_pull_request_tests_what_changed_without_being_told() {
    let Some(project) = repository() else { return };
    project.write("README.md", "Words.\n");
    commit(&project);
    let (docs, said) = code(&script_with(&project, "mutation.sh", &PULL_REQUEST));
    assert_eq!(docs, Some(0), "{said}");
    assert!(
        said.contains("only what changed since origin/main...") && said.contains("nothing to test"),
        "{said}"
    );

    project.write("tiny.py", &format!("{SOURCE}\n\ndef twice(x):\n    return x * 2\n"));
    commit(&project);
    // What others did on the main branch meanwhile is no part of the change.
    git(&project, &["checkout", "-q", "main"]);
    project.write("tiny.py", &SOURCE.replace("return x\n", "return x + 0\n"));
    commit(&project);
    git(&project, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    git(&project, &["checkout", "-q", "more"]);
    let (worse, said) = code(&script_with(&project, "mutation.sh", &PULL_REQUEST));
    assert_eq!(worse, Some(2), "{said}");
    let tested = project.export("wildcaught.out");
    let lines: Vec<u32> = tested.mutants.iter().map(|row| row.line).collect();
    assert!(lines.iter().all(|line| *line >= 7) && lines.len() <= 3, "{lines:?}");

    let more = format!(
        "{TESTS}\n\ndef test_twice():\n    assert tiny.twice(3) == 6\n    assert tiny.twice(-1) == -2\n"
    );
    project.write("tests/test_tiny.py", &more);
    commit(&project);
    let (better, said) = code(&script_with(&project, "mutation.sh", &PULL_REQUEST));
    assert_eq!(better, Some(0), "{said}");
}

#[test]
fn a_job_tests_the_whole_project_where_no_base_is_known_or_somebody_asks() {
    let Some(project) = repository() else { return };
    let dry = ["test", "--ops", "classic", "--dry-run"];
    let there = |ran: &crate::targets::Ran| ran.out.contains("tiny.py:2");
    let push = project.run_with(&dry, &[("CI", "true")]);
    assert!(there(&push) && push.err.contains("testing the whole project"), "{}{}", push.out, push.err);
    let own = project.run(&dry);
    assert!(there(&own) && !own.err.contains("CI"), "{}{}", own.out, own.err);
    let shallow = project.run_with(&dry, &[("CI", "true"), ("GITHUB_BASE_REF", "release")]);
    assert!(
        there(&shallow) && shallow.err.contains("warning: GitHub Actions"),
        "{}{}",
        shallow.out,
        shallow.err
    );
    for asked in [&["--in-diff", "none"][..], &["--all"], &["tiny.py"]] {
        let ran = project.run_with(&[&dry, asked].concat(), &PULL_REQUEST);
        assert!(there(&ran), "{asked:?} {}{}", ran.out, ran.err);
    }
    let diff = project.run_with(&[&dry[..], &["--json"]].concat(), &PULL_REQUEST);
    assert_eq!((diff.code, diff.out.as_str()), (0, ""), "{}", diff.err);
    let json = project.run_with(&["test", "--json"], &PULL_REQUEST);
    assert_eq!(json.code, 0, "{}", json.err);
    let document: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(document["mutants"], 0);
}

#[test]
fn few_mutants_of_a_function_are_of_different_lines() {
    let Some(project) = repository() else { return };
    let lines = |most: &str| {
        let ran = project.run(&[
            "mutate",
            "tiny.py",
            "--ops",
            "classic",
            "--per-function",
            most,
            "--list",
            "--json",
        ]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let listed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let mut lines: Vec<u64> =
            listed["mutants"].as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(lines("1").len(), 1);
    assert_eq!(lines("3"), [2, 3, 4]);
    assert!(lines("5").len() == 5);
}
