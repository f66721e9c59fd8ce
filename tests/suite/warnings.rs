//! A mutant that draws a warning does not build where the project calls warnings errors.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::cli::command;
use super::tools;

/// Mutants of it leave `b`, `sum` or `twice` unused; others draw no warning.
const SOURCE: &str = "static int twice(int n) {\n    return n * 2;\n}\n\n\
    int shown(int a, int b) {\n    int sum = a + b;\n    if (sum > 10) {\n        return twice(sum);\n    }\n    \
    return a;\n}\n\nint main(void) {\n    return shown(3, 4) != 3 || shown(10, 1) != 22;\n}\n";

const OPERATORS: &str = "format = 1\nlanguage = 'c'\nidioms = ['0', '1', '2']\n[[operator]]\nfind = '.+ $1'\nput = ''\n\
    [[operator]]\nfind = '.>'\nput = ['.>=', '.<']\n[[operator]]\nfind = ':return $(1) .;'\nput = ':return :0 .;'\n\
    [[operator]]\nfind = '.*'\nput = '.+'\n";

fn project(flags: &str) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    let settings = format!(
        "format = 1\nlanguage = 'c'\nsources = ['a.c']\n[build]\ncommand = 'cc {flags} a.c -o a'\n\
         [tests]\npreset = 'command'\ncommand = './a'\n"
    );
    for (name, text) in [("a.c", SOURCE), ("wildcaught.toml", &settings), ("ops.toml", OPERATORS)] {
        fs::write(project.path().join(name), text).unwrap();
    }
    project
}

/// Tests all mutants, and tries all verdicts again in the plain project.
fn audited(project: &TempDir, engine: &str) -> Value {
    let arguments =
        ["test", "--quiet", "--all", "--ops", "ops.toml", "--fit", "off", "--audit", "1000", "--json"];
    let output = command(project.path()).args(arguments).args(["--engine", engine]).output().unwrap();
    let json = serde_json::from_slice(&output.stdout);
    json.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn what_only_draws_a_warning_is_unviable_where_warnings_are_errors() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let strict = project("-Wall -Wextra -Werror");
    let lenient = project("-Wall -Wextra");
    for engine in ["auto", "classic"] {
        let json = audited(&strict, engine);
        assert!(json["counts"]["unviable"].as_u64() > Some(2), "{json:#}");
        assert!(json["counts"]["killed"].as_u64() > Some(2), "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
        let json = audited(&lenient, engine);
        assert_eq!(json["counts"]["unviable"].as_u64().unwrap_or(0), 0, "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
    }
}

#[test]
fn a_project_that_warnings_refuse_even_unchanged_is_tested_without_them() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let project = project("-Wall -Werror");
    fs::write(project.path().join("a.c"), format!("static int unused;\n{SOURCE}")).unwrap();
    for engine in ["auto", "classic"] {
        let arguments = ["test", "--quiet", "--all", "--ops", "ops.toml", "--fit", "off", "--json"];
        let output = command(project.path()).args(arguments).args(["--engine", engine]).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["counts"]["unviable"].as_u64().unwrap_or(0), 0, "{json:#}");
        assert!(json["counts"]["killed"].as_u64() > Some(2), "{json:#}");
    }
}

/// A mutant of it returns the address of a function as a string, before which GCC then warns of a byte.
const STRINGS: &str = "#include <string.h>\n\ntypedef char *text;\n\nstatic char room[16] = \"5abc\";\n\n\
    static inline int length(const text t) {\n    return t[-1] - '0';\n}\n\n\
    text joined(text t, const char *more) {\n    strcat(t, more);\n    t[-1] += strlen(more);\n    return t;\n}\n\n\
    text twice(text t) {\n    return joined(t, \"ab\");\n}\n\n\
    int main(void) {\n    text t = room + 1;\n    t[-1] = '3';\n    return length(twice(t)) != 5;\n}\n";

const VALUES: &str = "format = 1\nlanguage = 'c'\n[[operator]]\nfind = ':return $1 .( $*2 .)'\nput = ':return $1'\n\
    [[operator]]\nfind = '.-'\nput = '.+'\n[[operator]]\nfind = '.+='\nput = '.-='\n";

#[test]
fn a_compiler_that_stumbles_at_its_own_warnings_makes_a_mutant_unviable() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let project = project("-Wall -std=c99 -O2");
    fs::write(project.path().join("a.c"), STRINGS).unwrap();
    fs::write(project.path().join("ops.toml"), VALUES).unwrap();
    for engine in ["auto", "classic"] {
        let json = audited(&project, engine);
        assert!(json["audit"]["tried"].as_u64() > Some(2), "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
    }
}

/// Mutants shift by as many bits as there are: rustc refuses that where it sees it.
const RUST: &str = "pub fn high(n: u64) -> u64 {\n    n >> (8 * 8 - 1)\n}\n\npub fn half(n: u64) -> u64 {\n    n / (3 - 1)\n}\n\n\
    pub const fn top(n: u64) -> u64 {\n    n << (8 * 8 - 1)\n}\n\n#[test]\nfn works() {\n    assert_eq!(high(1 << 63), 1);\n    \
    assert_eq!(half(8), 4);\n    assert_eq!(top(1), 1 << 63);\n}\n";

#[test]
fn what_a_lint_of_rust_refuses_is_unviable() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let project = tempfile::tempdir().unwrap();
    let operators = "format = 1\nlanguage = 'rust'\nidioms = ['1', '2']\n[[operator]]\nfind = '.- :1'\nput = ''\n\
                     [[operator]]\nfind = ':1'\nput = ':2'\n";
    let settings = "format = 1\nlanguage = 'rust'\nsources = ['src']\n[build]\n\
                    command = 'cargo test --no-run --message-format=json'\n[tests]\npreset = 'cargo'\n";
    fs::create_dir(project.path().join("src")).unwrap();
    for (name, text) in [
        ("Cargo.toml", "[package]\nname = 'a'\nversion = '0.1.0'\nedition = '2021'\n"),
        ("src/lib.rs", RUST),
        ("wildcaught.toml", settings),
        ("ops.toml", operators),
    ] {
        fs::write(project.path().join(name), text).unwrap();
    }
    for engine in ["auto", "classic"] {
        let json = audited(&project, engine);
        // `>> 8 * 8` and `<< 8 * 8`; the others are fine for the compiler.
        assert_eq!(json["counts"]["unviable"].as_u64(), Some(2), "{json:#}");
        assert!(json["counts"]["killed"].as_u64() > Some(2), "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
    }
}
