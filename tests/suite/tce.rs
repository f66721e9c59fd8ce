//! Mutants that are compiled to the code of the original or of another mutant are found without being run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Store;

use super::cli::command;
use super::tools;

/// Functions of many kinds; what their mutants are compiled to is in the tests below.
const SUM: &str = r#"#include <assert.h>
#include <stdio.h>
#include "sum.h"

#define PUBLIC(type) type

static inline int scaled(int x) { return x * 1; }

PUBLIC(int) shifted(int a) {
    assert(a < 1000);
    return scaled(a) + 0;
}

int count(void) {
    static int calls = 0;
    return ++calls;
}

const char *word(int n) {
    switch (n) {
    case 0: return "none";
    case 1: return "one";
    case 2: return "two";
    case 7: return "seven";
    default: return __func__;
    }
}

int limited(int n) {
    if (n > 10)
        return 10;
    return n;
}

#ifdef NEVER
int never(int n) { return n + 1; }
#endif

double mean(double a, double b) { return (a + b) / 2.0; }

int again(int n) { return n <= 1 ? 1 : n * again(n - 1); }
"#;

const HEADER: &str = "int shifted(int a);\nint count(void);\nconst char *word(int n);\nint limited(int n);\n\
                      double mean(double a, double b);\nint again(int n);\n";

const TEST: &str = r#"#include <string.h>
#include "sum.h"

int main(void) {
    if (shifted(3) != 3) return 1;
    if (count() != 1 || count() != 2) return 2;
    if (strcmp(word(1), "one") || strcmp(word(9), "word")) return 3;
    if (limited(3) != 3 || limited(30) != 10 || limited(10) != 10) return 4;
    if (mean(1, 3) != 2.0) return 5;
    return again(5) != 120;
}
"#;

const SETTINGS: &str = r#"format = 1
language = "c"
sources = ["src"]
[build]
command = "cc -O0 -DFIRST -c src/sum.c -o first.o && cc -O0 -g -Iinc -c src/sum.c -o sum.o && cc -Isrc check.c sum.o -o check"
[tests]
preset = "command"
command = "./check"
[limits]
jobs = 2
"#;

/// Where no operator of the classic set makes a mutant that changes nothing.
const SET: &str = r#"format = 1
name = "tiny"
language = "c"
idioms = ["0", "1"]

[[operator]]
find = ".>"
put = [".>=", ".<"]

[[operator]]
find = ".+"
put = [".-", ".|"]

[[operator]]
find = ".*"
put = "./"

[[operator]]
find = ":0"
put = ":1"

[[operator]]
find = ".++"
put = ".--"

[[operator]]
find = ":return $_ .;"
put = ":return :0 .;"
"#;

fn project() -> TempDir {
    let project = tempfile::tempdir().unwrap();
    let files = [
        ("src/sum.c", SUM),
        ("src/sum.h", HEADER),
        ("check.c", TEST),
        ("wildcaught.toml", SETTINGS),
        ("ops.toml", SET),
    ];
    for (name, text) in files {
        let path = project.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

/// Per mutant, its function's line, what it changes and its fate.
fn fates(project: &Path, more: &[&str]) -> BTreeMap<(u32, String, String, String), Fate> {
    fates_of(project, &[&["--all", "--ops", "ops.toml", "--ops", "classic"], more].concat())
}

/// Per mutant, its function's line, what it changes and its fate, of a run with these arguments.
fn fates_of(project: &Path, arguments: &[&str]) -> BTreeMap<(u32, String, String, String), Fate> {
    let arguments = [&["test", "--quiet"], arguments].concat();
    let output = command(project).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{said}");
    assert!(!said.contains("not compared"), "{said}");
    let store = Store::open(&project.join("wildcaught.out/store.sqlite")).unwrap();
    let matrix = KillMatrix::load(&store).unwrap();
    let key = |row: &wildcaught::matrix::MutantRow| {
        (row.line, row.before.clone(), row.after.clone(), row.id.clone())
    };
    matrix.mutants.iter().enumerate().map(|(at, row)| (key(row), matrix.fate(at))).collect()
}

/// `known` is compiled to the same code with either number, and inlined to another; without its `return`, the code
/// of `copied` is the same by accident.
const INLINED: &str = "int length(int n);\n\
    static int known(int n) {\n    return __builtin_constant_p(n) ? 1 : 0;\n}\n\
    int shifted(int a) {\n    return known(7) ? a : a + 1;\n}\n\
    int copied(int n) {\n    return length(n);\n}\n\
    int main(void) {\n    return shifted(3) != 3 || copied(4) != 4;\n}\n\
    __attribute__((noinline)) int length(int n) {\n    return n + 0;\n}\n";

#[test]
fn what_differs_where_it_is_inlined_is_not_equivalent() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let project = tempfile::tempdir().unwrap();
    let settings = "format = 1\nlanguage = 'c'\nsources = ['a.c']\n[build]\ncommand = 'cc -O2 a.c -o a'\n\
                    [tests]\npreset = 'command'\ncommand = './a'\n";
    let operators = "format = 1\nlanguage = 'c'\nidioms = ['0', '1']\n[[operator]]\nfind = ':1'\nput = ':0'\n\
                     [[operator]]\nfind = '.+'\nput = '.-'\n[[operator]]\nfind = ':return'\nput = ''\n";
    for (name, text) in [("a.c", INLINED), ("wildcaught.toml", settings), ("ops.toml", operators)] {
        fs::write(project.path().join(name), text).unwrap();
    }
    let found = fates_of(project.path(), &["--all", "--ops", "ops.toml", "--fit", "off"]);
    let line = |text: &str| INLINED.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let of = |text: &str, fate: Fate| found.iter().any(|(key, found)| key.0 == line(text) && *found == fate);
    assert!(!of("__builtin_constant_p", Fate::Equivalent), "{found:#?}");
    assert!(!of("return length(n)", Fate::Equivalent) && of("n + 0", Fate::Equivalent), "{found:#?}");
    let (equivalent, _) = found.iter().find(|(_, fate)| **fate == Fate::Equivalent).unwrap();
    let output = command(project.path()).args(["show", &equivalent.3]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("not run: compiled to the same code as the original"), "{shown}");
    assert!(!shown.contains("reached by"), "{shown}");
}

#[test]
fn what_changes_nothing_is_found_and_what_tests_notice_is_not() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let project = project();
    let compared = fates(project.path(), &[]);
    let run = fates(project.path(), &["--no-tce"]);
    assert!(compared.keys().eq(run.keys()));
    let of = |wanted: Fate| compared.iter().filter(move |(_, fate)| **fate == wanted).map(|(key, _)| key);
    assert!(run.values().all(|fate| !matches!(fate, Fate::Equivalent | Fate::Duplicate)), "{run:?}");
    for key in of(Fate::Equivalent) {
        assert!(!run[key].is_detected(), "{key:?} is noticed: {:?}", run[key]);
    }
    // `a + 0` is `a - 0` and `a | 0`; `x * 1` is `x / 1`; `n > 10 ? 10 : n` is `n >= 10 ? 10 : n`.
    let line = |text: &str| SUM.lines().position(|line| line.contains(text)).unwrap() as u32 + 1;
    let is_settled =
        |at: u32, after: &str| of(Fate::Equivalent).any(|key| key.0 == at && key.2.contains(after));
    for (at, after) in [
        (line("scaled(a) + 0"), "-"),
        (line("scaled(a) + 0"), "|"),
        (line("x * 1"), "/"),
        (line("n > 10"), ">="),
    ] {
        assert!(is_settled(at, after), "{at} {after}: {compared:#?}");
    }
    // Only the first value of a variable differs.
    assert!(!of(Fate::Equivalent).any(|key| key.0 == line("static int calls")), "{compared:#?}");
    assert!(of(Fate::Duplicate).count() > 0, "{compared:#?}");
}
