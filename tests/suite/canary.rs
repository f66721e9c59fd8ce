//! The canary: a set-up whose tests do not execute what is mutated ends with an error that says what runs instead.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::targets::Project;
use super::targets::Ran;

/// A run must end with an error, without a score, and say all of this.
#[track_caller]
fn is_refused(ran: &Ran, says: &[&str]) {
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(!ran.out.contains("score") && !ran.err.contains("it works"), "{}{}", ran.out, ran.err);
    for says in says {
        assert!(ran.err.contains(says), "{says:?} is not said: {}", ran.err);
    }
}

fn run(program: &str, arguments: &[&str], directory: &Path) {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_command_that_only_builds_is_no_test() {
    let Some(project) = Project::new("c-command") else { return };
    project.edit("Makefile", "\t./check-stack\n", "\t@echo all is built\n");
    let says = [
        "none executes any code of src/stack.c",
        "does not only build them:\n    all is built",
        "check-stack",
    ];
    is_refused(&project.test(&["--max", "5"]), &says);
    is_refused(&project.test(&["--max", "5", "src/stack.c"]), &says);
    is_refused(&project.test(&["--max", "3", "--engine", "classic"]), &says);
    fs::remove_file(project.root().join("wildcaught.toml")).unwrap();
    // The program that is only built can be run.
    let ran = project.run_init(&["--preset", "command"]);
    assert!(ran.code == 0 && ran.err.contains("Makefile: ./check-stack"), "{}", ran.err);
}

#[test]
fn init_says_that_it_works_where_tests_execute_the_sources() {
    let Some(project) = Project::new("c-command") else { return };
    fs::remove_file(project.root().join("wildcaught.toml")).unwrap();
    let ran = project.run_init(&["--preset", "command"]);
    assert!(ran.code == 0 && ran.err.contains("it works"), "{}", ran.err);
}

#[test]
fn a_file_that_no_test_executes_is_tested_where_others_are_executed() {
    let Some(project) = Project::new("c-command") else { return };
    project.write("src/unused.c", "int unused(int a, int b)\n{\n    return a < b ? a + 1 : b - 1;\n}\n");
    let ran = project.test(&["--max", "5", "src/unused.c"]);
    assert!(ran.code == 2 && ran.out.contains("not-covered"), "{}{}", ran.out, ran.err);
}

#[test]
fn an_installed_program_is_not_what_was_built() {
    let Some(project) = Project::new("c-command") else { return };
    project.edit("wildcaught.toml", "\"make check\"", "\"check-stack\"");
    let bin = tempfile::tempdir().unwrap();
    let installed = bin.path().join("check-stack");
    fs::write(&installed, "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(&installed, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    let ran = project.run_with(&["test", "--quiet", "--max", "3"], &[("PATH", &path)]);
    is_refused(&ran, &["the build creates check-stack", &installed.display().to_string(), "./check-stack"]);
}

#[test]
fn a_package_that_is_installed_from_the_original_is_imported_from_the_copy() {
    let Some(project) = Project::new("python") else { return };
    let (home, site) = editable(&project);
    let more = [("PYTHONUSERBASE", &home[..]), ("PYTHONNOUSERSITE", "")];
    let ran = project.run_with(&["test", "--ops", "classic", "--max", "6", "--json"], &more);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    assert!(json["counts"]["killed"].as_u64() > Some(0), "{json} {site}");
    assert!(ran.err.contains("Python would import tiny from"), "{}", ran.err);
}

#[test]
fn a_package_that_is_imported_from_elsewhere_in_spite_of_all_is_named() {
    let Some(project) = Project::new("python") else { return };
    let (home, _) = editable(&project);
    let src = project.root().join("src");
    let conftest = format!("import sys\nsys.path.insert(0, {:?})\n", src.display().to_string());
    project.write("tests/conftest.py", &conftest);
    let more = [("PYTHONUSERBASE", &home[..]), ("PYTHONNOUSERSITE", "")];
    let ran = project.run_with(&["test", "--quiet", "--max", "3"], &more);
    is_refused(&ran, &["Python imports tiny from", "conftest.py", &src.display().to_string()]);
}

/// Puts the module of the Python target below `src`, and a `.pth` that leads there into a home for user packages.
fn editable(project: &Project) -> (String, String) {
    let root = project.root();
    fs::create_dir_all(root.join("src")).unwrap();
    fs::rename(root.join("tiny.py"), root.join("src/tiny.py")).unwrap();
    fs::remove_file(root.join("conftest.py")).unwrap();
    project.edit("wildcaught.toml", "[\"tiny.py\"]", "[\"src\"]");
    let home = project.scratch().join("user base").display().to_string();
    let ask = ["-c", "import site; print(site.getusersitepackages())"];
    let said = Command::new("python3").args(ask).env("PYTHONUSERBASE", &home).output().unwrap();
    let site = String::from_utf8(said.stdout).unwrap().trim().to_owned();
    fs::create_dir_all(&site).unwrap();
    fs::write(Path::new(&site).join("tiny.pth"), format!("{}\n", root.join("src").display())).unwrap();
    (home, site)
}

#[test]
fn a_module_that_node_finds_in_node_modules_is_named() {
    let Some(project) = Project::new("js") else { return };
    let elsewhere = tempfile::tempdir().unwrap();
    fs::copy(project.root().join("tiny.js"), elsewhere.path().join("tiny.js")).unwrap();
    fs::write(elsewhere.path().join("package.json"), r#"{ "name": "tiny", "main": "tiny.js" }"#).unwrap();
    fs::create_dir(project.root().join("node_modules")).unwrap();
    symlink(elsewhere.path(), project.root().join("node_modules/tiny")).unwrap();
    project.edit("test/tiny.test.js", "'../tiny.js'", "'tiny'");
    project.edit("wildcaught.toml", "sources", "link = [\"node_modules\"]\nsources");
    let ran = project.test(&["--max", "3"]);
    is_refused(&ran, &["node finds \"tiny\" in", &elsewhere.path().display().to_string()]);
}

#[test]
fn a_go_package_that_is_replaced_is_named() {
    let Some(project) = Project::new("go") else { return };
    let elsewhere = tempfile::tempdir().unwrap();
    let lib = "package lib\n\nfunc Least(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n";
    let module = "module example.com/lib\n\ngo 1.18\n";
    fs::create_dir(project.root().join("lib")).unwrap();
    for directory in [elsewhere.path(), &project.root().join("lib")] {
        fs::write(directory.join("lib.go"), lib).unwrap();
        fs::write(directory.join("go.mod"), module).unwrap();
    }
    let there = elsewhere.path().display();
    let needs = "require example.com/lib v0.0.0";
    project.write(
        "go.mod",
        &format!("module app\n\ngo 1.18\n\n{needs}\n\nreplace example.com/lib => {there}\n"),
    );
    let test = "package app\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc TestLeast(t *testing.T) \
                {\n\tif lib.Least(1, 2) != 1 {\n\t\tt.Fail()\n\t}\n}\n";
    fs::remove_file(project.root().join("tiny.go")).unwrap();
    project.write("tiny_test.go", test);
    project.edit("wildcaught.toml", "[\".\"]", "[\"lib\"]");
    let ran = project.test(&["--max", "3"]);
    is_refused(&ran, &["go compiles example.com/lib from", &there.to_string(), "replace"]);
}

#[test]
fn classes_of_the_copy_come_before_those_of_an_installed_jar() {
    let Some(project) = Project::new("java-junit") else { return };
    let root = project.root();
    let classes = tempfile::tempdir().unwrap();
    let (to, jar) = (classes.path().display().to_string(), root.join("lib/tiny.jar").display().to_string());
    fs::create_dir(root.join("lib")).unwrap();
    let sources = ["-sourcepath", "src/main/java", "-d", &to, "src/main/java/tiny/Account.java"];
    run("javac", &sources, &root);
    run("jar", &["cf", &jar, "-C", &to, "."], &root);
    project.edit("wildcaught.toml", "classpath = [", "classpath = [\"lib/*.jar\", ");
    let ran = project.test(&["--max", "3", "--audit", "1"]);
    assert!(ran.out.contains("killed") && !ran.out.contains("not-covered"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("(100.0 %)"), "{}", ran.out);
}
