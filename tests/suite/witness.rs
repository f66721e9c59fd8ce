//! `wildcaught witness`: a tiny compiler with a planted fault, and the function that is found.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use wildcaught::insert::Rules;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_text;

use super::fixture::Fixture;
use super::insert::mutated;
use super::targets::Project;
use super::targets::Ran;
use super::tools;

/// How the tiny compiler is run, and what it should do.
const WRONG_OUTPUT: [&str; 5] = ["bug.c", "--run", "./cc {file}", "--reference", "./cc -O0 {file}"];

/// The tiny compiler, built so that runs leave coverage.
fn compiler() -> Option<Project> {
    if !tools::are_here(&["cc", "ar", "make"]) {
        return None;
    }
    let project = Project::copy("tiny-compiler");
    make(&project.root(), &[]);
    Some(project)
}

fn make(root: &Path, arguments: &[&str]) {
    let made = Command::new("make").arg("-s").args(arguments).current_dir(root).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn witness(project: &Project, arguments: &[&str]) -> Ran {
    project.run(&[&["witness"], arguments, &["--quiet"]].concat())
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("exit {}: {} {}", ran.code, ran.out, ran.err))
}

/// The functions of a ranking, the most suspicious first.
fn names(document: &Value) -> Vec<&str> {
    document["ranking"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect()
}

/// A document without what differs from run to run.
fn steady(ran: &Ran) -> Value {
    let mut document = document(ran);
    document["seconds"] = Value::Null;
    document
}

#[test]
fn the_broken_function_of_a_compiler_is_first_and_a_diff_shows_what_avoids_it() {
    let Some(project) = compiler() else { return };
    let page = project.scratch().join("page.html");
    let html = ["--tests", "programs", "--html", page.to_str().unwrap()];
    let ran = witness(&project, &[&WRONG_OUTPUT[..], &html].concat());
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    assert!(ran.out.contains("bug.c: it prints unexpected output"), "{}", ran.out);
    let first = ran.out.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(first.contains("fold_product"), "{}", ran.out);
    assert!(ran.out.contains("this change makes the failure disappear"), "{}", ran.out);
    assert!(ran.out.contains("3 programs of the developers"), "{}", ran.out);
    let page = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(project.scratch().join("page.html")).unwrap();
    for wanted in ["fold_product", "abs(left)", "This change makes the failure disappear", "class=\"m\""] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    let files = project.root().join("cc.gcda");
    assert!(!files.exists(), "runs write their coverage elsewhere");
}

/// Figure 1 of the paper: LLVM bug 24482, and two variations of it that pass.
#[test]
fn the_rules_of_diwi_make_the_witnesses_of_figure_1() {
    let failing = "struct S1\n{\n  int f0;\n  int f1;\n  int f2;\n} a;\nstruct S1 b;\nint c = 1;\nint fn1 () {\n  if (!c)\n    \
                   return 0;\n  b = a;\n  return 0;\n}\nint main () {\n  struct S1 d = {0,1,0};\n  a = d;\n  a.f0 = d.f2;\n  \
                   fn1 ();\n  a = d;\n  if (b.f1 != 1)\n    __builtin_abort ();\n  return 0;\n}\n";
    let set = read_set(shipped_text("diwi-c").unwrap(), "diwi-c").unwrap();
    let made = mutated(&set, Rules::NONE, failing);
    let optimal = failing.replace("fn1 ();\n  a = d;", "fn1 ();\n  a = a;");
    assert!(made.contains(&optimal), "1b: {} mutants", made.len());
    let poor = failing.replace("b.f1 != 1", "a.f1 != 1");
    assert!(made.contains(&poor), "1c: {} mutants", made.len());
}

/// Table 1 of the paper, a change of each row.
#[test]
fn the_rules_of_diwi_are_those_of_table_1() {
    let set = read_set(shipped_text("diwi-c").unwrap(), "diwi-c").unwrap();
    let makes = |before: &str, after: &str| {
        let made = mutated(&set, Rules::NONE, before);
        assert!(made.contains(&after.to_owned()), "{before} does not become {after}: {made:#?}");
    };
    makes("int x = 4;\n", "volatile int x = 4;\n");
    makes("const int x = 4;\n", "int x = 4;\n");
    makes("int x = 4;\n", "unsigned int x = 4;\n");
    makes("long int x = 4;\n", "short int x = 4;\n");
    makes("long int x = 4;\n", "int x = 4;\n");
    makes("int f(int x, int y) { return x + 1; }\n", "int f(int x, int y) { return y + 1; }\n");
    makes("int f(int x) { return x + 1; }\n", "int f(int x) { return x % 1; }\n");
    makes("int f(int x) { return x < 1; }\n", "int f(int x) { return x != 1; }\n");
    makes("int f(int x) { return x && 1; }\n", "int f(int x) { return x || 1; }\n");
    makes("void f(int x) { x++; }\n", "void f(int x) { --x; }\n");
    makes("int f(int x) { return !x; }\n", "int f(int x) { return x; }\n");
    makes("int f(int x) { return x + 7; }\n", "int f(int x) { return x + 8; }\n");
    makes("int f(int x) { return x + 7; }\n", "int f(int x) { return x + 6; }\n");
    makes("int f(int x) { return x + 7; }\n", "int f(int x) { return x + 0; }\n");
    makes("int f(int x) { return x == 7; }\n", "int f(int x) { return x == -7; }\n");
}

#[test]
fn results_are_the_same_for_any_number_of_workers_and_other_for_another_seed() {
    let Some(project) = compiler() else { return };
    let run = |more: &[&str]| {
        let ran = witness(
            &project,
            &[&WRONG_OUTPUT[..], &["--search", "random", "--tries", "20", "--json"], more].concat(),
        );
        steady(&ran)
    };
    let one = run(&["--jobs", "1"]);
    assert_eq!(one, run(&["--jobs", "4"]));
    assert_ne!(one, run(&["--jobs", "4", "--seed", "7"]));
}

#[test]
fn no_coverage_tool_is_needed_where_statements_can_be_watched() {
    if !tools::are_here(&["cc", "ar", "make"]) {
        return;
    }
    let project = Project::copy("tiny-compiler");
    let reach = ["--coverage", "reach", "--build", "make CFLAGS=-O0", "--tests", "programs", "--json"];
    let ran = witness(&project, &[&WRONG_OUTPUT[..], &reach].concat());
    let found = document(&ran);
    assert_eq!(names(&found)[0], "fold_product", "{}", ran.out);
    assert!(!project.root().join("cc").exists(), "only the copy is built");
    let ran = witness(
        &project,
        &["bug.c", "--run", "./cc {file}", "--coverage", "reach", "--build", "make CFLAGS=-Dint=nothing"],
    );
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the program does not build"), "{}", ran.err);
}

#[test]
fn a_broken_interpreter_in_another_language_is_watched_too() {
    if !tools::are_here(&["pytest"]) {
        return;
    }
    let project = Project::copy("tiny-compiler");
    std::fs::create_dir(project.root().join("calc")).unwrap();
    project.write(
        "calc/interpreter.py",
        "import sys\n\ndef negate(value):\n    if value < 0:\n        return value\n    return -value\n\ndef plus(left, right):\n    \
         return left + right\n\ndef run(text):\n    total = 0\n    for line in text.split('\\n'):\n        words = line.split()\n        \
         if not words:\n            continue\n        value = int(words[1])\n        if words[0] == 'sub':\n            \
         value = negate(value)\n        total = plus(total, value)\n    print(total)\n\nrun(open(sys.argv[1]).read())\n",
    );
    project.write("sums.c", "add 3\nsub 4\nadd 1\nsub -2\n");
    project.write(
        "reference.py",
        "import sys\nt = 0\nfor w in map(str.split, open(sys.argv[1])):\n    if w:\n        \
         t += int(w[1]) if w[0] == 'add' else -int(w[1])\nprint(t)\n",
    );
    let ran = witness(
        &project,
        &[
            "sums.c",
            "--run",
            "python3 interpreter.py {file}",
            "--reference",
            "python3 ../reference.py {file}",
            "--sources",
            "calc",
            "--coverage",
            "reach",
            "--build",
            "true",
            "--json",
            "--sandbox",
            "off",
            "--no-reduce",
            "--tries",
            "1",
        ],
    );
    // Commands are run in the copy of the sources, which has nothing beside it.
    assert!(ran.err.contains("the reference ends with exit code 2"), "{} {}", ran.out, ran.err);
    let reference = project.root().join("reference.py");
    let reference = format!("python3 '{}' {{file}}", reference.display());
    let ran = witness(
        &project,
        &[
            "sums.c",
            "--run",
            "python3 interpreter.py {file}",
            "--reference",
            &reference,
            "--sources",
            "calc",
            "--coverage",
            "reach",
            "--build",
            "true",
            "--tries",
            "15",
            "--json",
        ],
    );
    let found = document(&ran);
    assert_eq!(names(&found)[0], "negate", "{} {}", ran.out, ran.err);
}

#[test]
fn crashes_and_hangs_are_traced_to_where_they_happen() {
    let Some(project) = compiler() else { return };
    // A crash in the optimizer, and a loop that does not end.
    project.edit("cc.c", "return abs(left) * right;", "abort();");
    make(&project.root(), &[]);
    let ran = witness(&project, &["bug.c", "--run", "./cc {file}", "--tests", "programs", "--json"]);
    let found = document(&ran);
    assert_eq!(found["failure"], "it crashes in fold_product", "{}", ran.out);
    assert_eq!(names(&found)[0], "fold_product", "{}", ran.out);
    assert_eq!(found["ranking"][0]["on_stack"].as_u64(), Some(1), "{}", ran.out);
    project.edit("cc.c", "abort();", "for (;;) right++;");
    make(&project.root(), &[]);
    let hang =
        ["bug.c", "--run", "./cc {file}", "--timeout", "1s", "--tries", "5", "--budget", "12s", "--json"];
    let ran = witness(&project, &hang);
    let found = document(&ran);
    assert_eq!(found["failure"], "it hangs", "{} {}", ran.out, ran.err);
    assert_eq!(names(&found)[0], "fold_product", "{}", ran.out);
}

#[test]
fn a_script_or_an_expected_output_says_what_fails() {
    let Some(project) = compiler() else { return };
    project.write(
        "oracle.sh",
        "#!/bin/sh\n./cc \"$1\" >\"$2/out\" || exit 125\n./cc -O0 \"$1\" | cmp -s - \"$2/out\"\n",
    );
    let ran = witness(&project, &["bug.c", "--oracle", "sh oracle.sh {file} {dir}", "--json"]);
    let found = document(&ran);
    assert_eq!(found["failure"], "the oracle ends with exit code 1");
    assert_eq!(names(&found)[0], "fold_product", "{}", ran.out);
    let right = Command::new("./cc").args(["-O0", "bug.c"]).current_dir(project.root()).output().unwrap();
    std::fs::write(project.root().join("right.txt"), right.stdout).unwrap();
    let ran = witness(&project, &["bug.c", "--run", "./cc {file}", "--expect", "right.txt", "--json"]);
    let found = document(&ran);
    assert_eq!(found["failure"], "it prints unexpected output", "{} {}", ran.out, ran.err);
    assert!(found["ranking"].as_array().unwrap().len() > 5, "{}", ran.out);
    assert_eq!(ran.code, 5);
    assert!(ran.err.contains("give --reference or --tests"), "{}", ran.err);
}

#[test]
fn the_first_bad_commit_of_a_history_is_found() {
    if !tools::are_here(&["git", "cc", "ar", "make"]) {
        return;
    }
    let project = Project::copy("tiny-compiler");
    let bad = project.read("cc.c");
    let good = bad.replace("return abs(left) * right;", "return left * right;");
    let makefile = project.read("Makefile");
    let mut fixture = Fixture::new();
    let first = fixture.commit("Begin", &[("cc.c", &good), ("Makefile", &makefile)]);
    fixture.commit("Say more", &[("cc.c", &format!("/* Tiny. */\n{good}")), ("Makefile", &makefile)]);
    fixture.commit(
        "Break the build",
        &[("cc.c", &good.replace("static int length;", "")), ("Makefile", &makefile)],
    );
    let culprit = fixture.commit("Fold products", &[("cc.c", &bad), ("Makefile", &makefile)]);
    fixture.commit(
        "Say less",
        &[("cc.c", &bad.replace("A tiny compiler", "A compiler")), ("Makefile", &makefile)],
    );
    let root = &project.scratch().join("history");
    let clone = Command::new("git").args(["clone", "-q"]).arg(fixture.path()).arg(root).output().unwrap();
    assert!(clone.status.success(), "{}", String::from_utf8_lossy(&clone.stderr));
    make(root, &[]);
    std::fs::write(root.join("bug.c"), project.read("bug.c")).unwrap();
    let run = |range: &str| {
        let arguments = [
            &["witness"],
            &WRONG_OUTPUT[..],
            &["--bisect", range, "--build", "make -s", "--json", "--quiet"],
        ]
        .concat();
        let ran = Command::new(env!("CARGO_BIN_EXE_wildcaught"))
            .args(arguments)
            .current_dir(root)
            .output()
            .unwrap();
        (String::from_utf8_lossy(&ran.stdout).into_owned(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let (out, err) = run(&format!("{first}..HEAD"));
    let found: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out} {err}"));
    assert_eq!(found["first_bad"]["commit"], culprit.to_string());
    assert_eq!(found["first_bad"]["subject"], "Fold products");
    assert_eq!(
        found["first_bad"]["or"].as_array().unwrap().len(),
        1,
        "the one that does not build may be it"
    );
    let changes = found["first_bad"]["changes"].to_string();
    assert!(changes.contains("cc.c: fold_product"), "{changes}");
    assert_eq!(names(&found)[0], "fold_product");
    assert_eq!(found["ranking"][0]["changed"], true);
    let (_, err) = run(&format!("{culprit}..HEAD"));
    assert!(err.contains("should be good but is not"), "{err}");
    let (_, err) = run("HEAD..HEAD");
    assert!(err.contains("no commits in between"), "{err}");
    let (_, err) = run("nonsense");
    assert!(err.contains("GOOD..BAD"), "{err}");
}

#[test]
fn wrong_inputs_say_what_to_do() {
    let Some(project) = compiler() else { return };
    let cases: [(&[&str], &str); 7] = [
        (&["bug.c"], "--oracle <COMMAND>"),
        (&["programs/loop.c", "--run", "./cc {file}"], "it ends with exit code 0; name a program that fails"),
        (&["bug.c", "--run", "./nothing {file}"], "not found or not executable"),
        (
            &["bug.c", "--run", "./cc {file}", "--reference", "./cc -O0 {file}", "--sources", "programs"],
            "no executed code is below",
        ),
        (&["bug.c", "--run", "./cc {file}", "--html", "no/such/page.html"], "cannot write no/such/page.html"),
        (&["bug.c", "--run", "./cc {file}", "--keep", "("], "--keep"),
        (
            &["bug.c", "--run", "./cc {file}", "--coverage", "reach", "--sources", "programs"],
            "--build: name the command that builds programs",
        ),
    ];
    for (arguments, wanted) in cases {
        let ran = witness(&project, arguments);
        assert!(ran.code != 0 && ran.err.contains(wanted), "{arguments:?}: {} {}", ran.code, ran.err);
    }
    make(&project.root(), &["clean", "CFLAGS=-O0"]);
    make(&project.root(), &["CFLAGS=-O0"]);
    let ran = witness(&project, &WRONG_OUTPUT);
    assert!(ran.err.contains("build the compiler or interpreter with `gcc --coverage`"), "{}", ran.err);
}
