//! Maven projects, with a Maven that is a script: no network is needed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use super::cli::command;
use super::tools;

/// Does what Maven does, as far as its log tells: compiles both modules, and prints the settings of its plugins.
const MVN: &str = r#"#!/bin/sh
echo "$@" >> "$MVN_CALLS"
cp=/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar
list="/usr/share/java/junit4.jar, /usr/share/java/hamcrest-core.jar"
P=org.apache.maven.plugins
settings() {
    goal=$1; shift
    echo "[DEBUG] Configuring mojo '$P:$goal' with basic configurator -->"
    for one in "$@"; do echo "[DEBUG]   (f) $one"; done
    echo "[DEBUG] -- end configuration --"
}
above= failed=0
for module in core app; do
    root=$PWD/$module; main=$root/target/classes; test=$root/target/test-classes
    path=$main:$PWD/core/target/classes:$cp
    build() {
        mkdir -p "$main"
        settings maven-compiler-plugin:3.15.0:compile "basedir = $root" "compilePath = [$main$above]" \
            "compileSourceRoots = [$root/src/main/java]" "outputDirectory = $main"
        javac -d "$main" -cp "$path" "$root"/src/main/java/*.java || { echo "[ERROR] COMPILATION ERROR"; return 1; }
        mkdir -p "$test"
        settings maven-compiler-plugin:3.15.0:testCompile "basedir = $root" "testPath = [$test, $main$above, $list]" \
            "outputDirectory = $test"
        javac -d "$test" -cp "$path" "$root"/src/test/java/*.java || return 1
        settings maven-surefire-plugin:3.5.6:test "basedir = $root" "excludes = [**/Slow*.java]" \
            "systemPropertyVariables = {mode=fast}" "workingDirectory = $root"
    }
    if build; then state=SUCCESS; else state=FAILURE failed=1; fi
    echo "[INFO] $module .................... $state [  0.1 s]"
    above=", $PWD/core/target/classes"
done
exit $failed
"#;

const FILES: [(&str, &str); 8] = [
    ("pom.xml", "<project><modules><module>core</module><module>app</module></modules></project>"),
    (
        "core/src/main/java/Core.java",
        "public class Core {\n  public static int twice(int n) {\n    return n + n;\n  }\n}\n",
    ),
    (
        "core/src/test/java/CoreTest.java",
        "public class CoreTest {\n  @org.junit.Test public void one() {\n    org.junit.Assert.assertEquals(2, Core.twice(1));\n    \
         org.junit.Assert.assertEquals(\"fast\", System.getProperty(\"mode\"));\n  }\n}\n",
    ),
    (
        "core/src/test/java/SlowTest.java",
        "public class SlowTest {\n  @org.junit.Test public void never() {\n    throw new Error();\n  }\n}\n",
    ),
    (
        "app/src/main/java/App.java",
        "public class App {\n  public static int run(int n) {\n    return Core.twice(n) - 1;\n  }\n}\n",
    ),
    (
        "app/src/test/java/AppTest.java",
        "public class AppTest {\n  @org.junit.Test public void one() {\n    org.junit.Assert.assertEquals(5, App.run(3));\n    \
         org.junit.Assert.assertTrue(new java.io.File(\"here.txt\").exists());\n  }\n}\n",
    ),
    ("app/here.txt", ""),
    (
        "ops.toml",
        "format = 1\nlanguage = 'java'\n[[operator]]\nfind = '.+'\nput = '.-'\n[[operator]]\nfind = '.-'\nput = '.+'\n",
    ),
];

/// The project and the script, and a file that counts its calls.
fn project() -> Option<TempDir> {
    if !tools::are_here(&["javac", "junit4", "hamcrest"]) {
        return None;
    }
    let home = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    FILES.iter().for_each(|(path, text)| write(&format!("project/{path}"), text));
    write("bin/mvn", MVN);
    fs::set_permissions(home.path().join("bin/mvn"), fs::Permissions::from_mode(0o755)).unwrap();
    Some(home)
}

fn run(home: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let path = format!("{}:{}", home.join("bin").display(), std::env::var("PATH").unwrap());
    let calls = home.join("project/wildcaught.out");
    fs::create_dir_all(&calls).unwrap();
    let mut command = command(&home.join("project"));
    let output = command.args(arguments).env("PATH", path).env("MVN_CALLS", "/dev/null").output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn a_project_of_two_modules_is_asked_of_maven_once_and_tested_test_by_test() {
    let Some(home) = project() else { return };
    let (code, said) = run(home.path(), &["init"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("pom.xml: Maven") && said.contains("it works: 2 tests"), "{said}");
    let (code, said) = run(home.path(), &["test", "--all", "--ops", "ops.toml"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("2 switched") && said.contains("0 built one by one"), "{said}");
    let (_, said) = run(home.path(), &["export", "matrix.csv"]);
    let csv = fs::read_to_string(home.path().join("project/matrix.csv")).unwrap_or(said);
    assert!(csv.contains("core/CoreTest#one") && csv.contains("app/AppTest#one"), "{csv}");
}

#[test]
fn what_maven_says_of_a_project_that_does_not_build_is_shown() {
    let Some(home) = project() else { return };
    for module in ["core/src/main/java/Core.java", "app/src/main/java/App.java"] {
        fs::write(home.path().join("project").join(module), "class X { int x = ; }\n").unwrap();
    }
    let (code, said) = run(home.path(), &["init", "--preset", "maven"]);
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("[ERROR] COMPILATION ERROR"), "{said}");
}

#[test]
fn a_module_that_does_not_build_is_named_and_the_others_are_tested() {
    let Some(home) = project() else { return };
    fs::write(home.path().join("project/app/src/main/java/App.java"), "class App { int x = ; }\n").unwrap();
    let (code, said) = run(home.path(), &["init", "--preset", "maven"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Maven does not build app:") && said.contains("it works: 1 test"), "{said}");
}
