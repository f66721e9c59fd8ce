//! `wildcaught localize` on small files: output, exit codes, messages.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::cli::command;

fn fixtures() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/localize"))
}

fn localize(directory: &Path, arguments: &[&str]) -> Output {
    command(directory).arg("localize").args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_most_suspicious_place_comes_with_its_reasons() {
    let arguments =
        ["--matrix", "matrix.json", "--method", "muse,ochiai", "--fix-diff", "fix.diff", "--top", "1"];
    let output = localize(fixtures(), &arguments);
    let (out, err) = told(&output);
    assert_eq!((code(&output), err.as_str()), (0, ""));
    let wanted = "\
2 of 5 tests fail; 12 mutants, 12 of them change a result; failing tests execute 6 of 6 statements
muse: 6 statements ranked (alpha 0.2368, f2p 3, p2f 19)

#1: muse 0.4605 in setmax
  --> setmax.c:6
   |
 6 |     max = -x;
   |
   = mutant m2 makes 2 of 2 failing tests pass (TC1, TC2), breaks none
     -    max = -x;
     +    max = x;
   = mutant m1 breaks 1 of 3 passing tests (TC3)
   = executed by 2 of 2 failing and 3 of 3 passing tests
   = ochiai #3-5

5 more; --top 0 shows all

fault: setmax.c:6
method  rank of the fault  expense   LIL
muse    #1                 16.67 %  0.59
ochiai  #3-5               83.33 %  1.81
";
    assert_eq!(out, wanted);
}

#[test]
fn coverage_adds_statements_without_mutants() {
    let arguments = ["--matrix", "matrix.json", "--coverage", "setmax.info", "--json", "--method", "all"];
    let output = localize(fixtures(), &arguments);
    let (out, err) = told(&output);
    assert_eq!((code(&output), err.as_str()), (0, ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["statements"], 7);
    let methods: Vec<&str> = document["methods"]
        .as_array()
        .unwrap()
        .iter()
        .map(|method| method["name"].as_str().unwrap())
        .collect();
    assert_eq!(methods[..4], ["blend", "muse", "museum", "best-repair"]);
    assert_eq!(methods.len(), 14, "all but `coverage`, for which there is nothing to go by");
    let first = &document["methods"][0]["ranking"][0];
    assert_eq!((&first["line"], &first["repairs"][0]["mutant"]), (&Value::from(6), &Value::from("m2")));
}

#[test]
fn results_are_the_same_bytes_every_time() {
    let arguments = ["--matrix", "matrix.json", "--coverage", "setmax.info", "--json", "--method", "all"];
    let once = localize(fixtures(), &arguments);
    assert_eq!(once.stdout, localize(fixtures(), &arguments).stdout);
}

#[test]
fn functions_and_files_are_ranked_too() {
    for (by, place) in [("function", "--> setmax.c:5-13"), ("file", "--> setmax.c:1-12")] {
        let output = localize(fixtures(), &["--matrix", "matrix.json", "--by", by]);
        let (out, _) = told(&output);
        assert!(out.contains(place), "{out}");
    }
    let output = localize(fixtures(), &["--matrix", "matrix.json", "--by", "function", "--root", "/nowhere"]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).1.contains("functions are unknown"));
}

#[test]
fn a_fixed_tree_says_where_the_fault_was() {
    let directory = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(fixtures().join("setmax.c")).unwrap();
    fs::write(directory.path().join("setmax.c"), text.replace("-x", "x")).unwrap();
    let fixed = directory.path().to_str().unwrap();
    let (out, _) = told(&localize(fixtures(), &["--matrix", "matrix.json", "--fixed", fixed]));
    assert!(out.contains("fault: setmax.c:6\n"), "{out}");
    let output = localize(fixtures(), &["--matrix", "matrix.json", "--fixed", "."]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).1.contains("none of 1 files differs"));
}

#[test]
fn methods_are_compared_over_many_faults() {
    let directory = tempfile::tempdir().unwrap();
    let files: Vec<String> = [("6", "one"), ("8", "two"), ("7", "three")]
        .map(|(line, name)| {
            let faults = directory.path().join(name);
            fs::write(&faults, format!("setmax.c:{line}\n")).unwrap();
            let faults = faults.to_str().unwrap();
            let arguments =
                ["--matrix", "matrix.json", "--method", "muse,ochiai", "--json", "--faults", faults];
            let result = directory.path().join(format!("{name}.json"));
            fs::write(&result, localize(fixtures(), &arguments).stdout).unwrap();
            result.to_str().unwrap().to_owned()
        })
        .to_vec();
    let mut arguments = vec!["--compare"];
    arguments.extend(files.iter().map(String::as_str));
    let (out, err) = told(&localize(directory.path(), &arguments));
    // Ranks 1, 5, 2 against 5, 2, 5 (worst of a tie): differences −4, 3, −3.
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["3", "faults"], "{err}");
    assert_eq!(rows[2][..8], ["muse", "3", "1", "3", "3", "3", "2.67", "2.67"]);
    assert_eq!(rows[3][..8], ["ochiai", "3", "0", "3", "3", "3", "4.00", "4.00"]);
    arguments.insert(0, "--json");
    let document: Value = serde_json::from_str(&told(&localize(directory.path(), &arguments)).0).unwrap();
    assert_eq!(document["methods"][1]["wilcoxon"]["n"], 3);
    // The other way round, and only these.
    let other = localize(directory.path(), &[&arguments[..], &["--method", "ochiai,muse"]].concat());
    let document: Value = serde_json::from_str(&told(&other).0).unwrap();
    assert_eq!(document["methods"][0]["name"], "ochiai");
    assert_eq!(document["methods"][1]["wilcoxon"]["n"], 3);
    let unknown = localize(directory.path(), &[&arguments[..], &["--method", "op2,muse"]].concat());
    assert!(code(&unknown) == 1 && told(&unknown).1.contains("op2 is not in all files"));
    let output = localize(fixtures(), &["--compare", "matrix.json"]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).1.contains("matrix.json: not a result of `wildcaught localize --json`"));
}

#[test]
fn matrices_of_other_tools_need_to_be_told_who_fails() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write(
        "mutants.log",
        "1:ROR:<=(int,int):<(int,int):a.T@m(int):2:x <= 0 |==> x < 0\n2:STD:<CALL>:<NO-OP>:a.T@m(int):3:f() |==> <NO-OP>\n",
    );
    write("testMap.csv", "TestNo,TestName,Runtime\n1,a.TestT[one],1\n2,a.TestT[two],1\n");
    write("covMap.csv", "TestNo,MutantNo\n1,1\n2,1\n1,2\n2,2\n");
    write("killMap.csv", "TestNo,MutantNo,[FAIL | TIME | EXC]\n1,2,FAIL\n2,2,EXC\n");
    let output = localize(directory.path(), &["--matrix", "."]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).1.contains("no test fails on the unchanged program"));
    write("failing.txt", "# triggers\na.TestT[one]\n");
    let output = localize(directory.path(), &["--matrix", ".", "--failing", "failing.txt"]);
    let (out, err) = told(&output);
    assert_eq!((code(&output), err.as_str()), (0, ""));
    assert!(out.contains("#1: blend") && out.contains("--> a/T.java:2"), "{out}");
    assert!(
        out.contains("mutant 1 [ROR] makes 1 of 1 failing tests pass (a.TestT[one]), breaks none"),
        "{out}"
    );
    assert!(out.contains("-x <= 0\n") && out.contains("+x < 0\n"), "{out}");
    write("failing.txt", "a.TestT[one]\nwho\n");
    let output = localize(directory.path(), &["--matrix", "killMap.csv", "--failing", "failing.txt"]);
    assert!(told(&output).1.contains("failing.txt:2: unknown test `who`"));
}

#[test]
fn the_method_coverage_compares_executions() {
    let directory = tempfile::tempdir().unwrap();
    let under = directory.path().join("m2");
    let info = fs::read_to_string(fixtures().join("setmax.info")).unwrap();
    // With the fix, the branch is not taken: neither line 8 nor line 9 is executed by TC1.
    let tc1 = info.split_inclusive("end_of_record\n").next().unwrap();
    fs::write(&under, tc1.replace("DA:8,1", "DA:8,0").replace("DA:9,1", "DA:9,0")).unwrap();
    let mutants = directory.path().to_str().unwrap();
    let arguments = [
        "--matrix",
        "matrix.json",
        "--coverage",
        "setmax.info",
        "--mutant-coverage",
        mutants,
        "--method",
        "coverage",
        "--test",
        "TC1",
    ];
    let (out, err) = told(&localize(fixtures(), &arguments));
    assert!(out.contains("coverage of TC1: 7 statements ranked (repairs 1)"), "{out}{err}");
    assert!(out.contains("#1-2: coverage 1 in setmax\n  --> setmax.c:8"), "{out}");
    let output = localize(fixtures(), &["--matrix", "matrix.json", "--method", "coverage"]);
    assert!(
        told(&output).1.contains("needs --mutant-coverage: the coverage of failing tests under the mutants")
    );
}

#[test]
fn mutants_that_were_not_run_are_no_mutants_that_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let table = "mutant,file,line,fate,a,b\nm1,f.c,1,killed,P,P\nm2,f.c,2,,.,.\nm3,f.c,2,survived,F,P\nm4,f.c,3,,.,.\n";
    fs::write(directory.path().join("matrix.csv"), table).unwrap();
    fs::write(directory.path().join("failing"), "a\n").unwrap();
    let arguments = ["--matrix", "matrix.csv", "--failing", "failing", "--top", "0"];
    let output = localize(directory.path(), &arguments);
    let (out, err) = told(&output);
    assert_eq!(code(&output), 5);
    assert!(err.contains("2 mutants of 4 did not run; the ranking uses the others"), "{err}");
    assert!(
        out.contains("1 mutant of it ran, and no test result changes\n  = 1 mutant of it did not run"),
        "{out}"
    );
    let json = localize(directory.path(), &[&arguments[..], &["--json"]].concat());
    let document: Value = serde_json::from_str(&told(&json).0).unwrap();
    assert!(document["warnings"][0].as_str().unwrap().contains("did not run"), "{document:#}");
    let places = document["methods"][0]["ranking"].as_array().unwrap();
    let last = places.iter().find(|place| place["line"] == 3).unwrap();
    assert_eq!((&last["silent"], &last["unrun"]), (&Value::from(0), &Value::from(1)));
    // Methods that ask no mutants lack nothing.
    let spectrum = localize(directory.path(), &[&arguments[..], &["--method", "ochiai"]].concat());
    assert_eq!(code(&spectrum), 0);
}

#[test]
fn what_is_missing_changes_the_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    let info = fs::read_to_string(fixtures().join("setmax.info")).unwrap();
    write("some.info", &info.replace("TN:TC5", "TN:other"));
    write("faults", "nowhere.c:1\n");
    let coverage = directory.path().join("some.info");
    let faults = directory.path().join("faults");
    let arguments = [
        "--matrix",
        "matrix.json",
        "--coverage",
        coverage.to_str().unwrap(),
        "--faults",
        faults.to_str().unwrap(),
    ];
    let output = localize(fixtures(), &arguments);
    let (_, err) = told(&output);
    assert_eq!(code(&output), 5);
    assert!(err.contains("1 test in the coverage but not in the matrix: other"), "{err}");
    assert!(
        err.contains("1 test without coverage; the mutants that they reach are used instead: TC5"),
        "{err}"
    );
    assert!(err.contains("faults in lines that are not ranked: nowhere.c:1"), "{err}");
}

#[test]
fn wrong_words_are_refused_with_those_that_are_right() {
    let output = localize(fixtures(), &["--matrix", "matrix.json", "--method", "magic"]);
    assert_eq!(code(&output), 1);
    assert!(told(&output).1.contains("unknown method `magic`; known are blend, muse, museum"));
    let output = localize(fixtures(), &["--matrix", "setmax.c"]);
    assert!(told(&output).1.contains("setmax.c: not a supported kill matrix"));
    let output = localize(fixtures(), &["--matrix", "matrix.json", "--test", "TC3"]);
    assert!(told(&output).1.contains("test `TC3` does not fail"));
}

#[test]
fn a_page_shows_evidence_and_marks_the_source() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("page.html");
    let arguments =
        ["--matrix", "matrix.json", "--method", "muse,ochiai", "--fix-diff", "fix.diff", "--html"];
    let output = localize(fixtures(), &[&arguments[..], &[file.to_str().unwrap()]].concat());
    assert_eq!(code(&output), 0);
    let page = fs::read_to_string(&file).unwrap();
    for wanted in [
        "<details open><summary>#1: muse 0.4605 in setmax setmax.c:6</summary>",
        "<p>mutant m2 makes 2 of 2 failing tests pass (TC1, TC2), breaks none</p>",
        "<span class=\"old\">-    max = -x;</span><span class=\"new\">+    max = x;</span>",
        "<td>ochiai</td><td>#3-5</td>",
        "--share:60%\" title=\"muse 0.4605\"><b class=\"n\">6</b>    max = -x;</span>",
    ] {
        assert!(page.contains(wanted), "{wanted}\n{page}");
    }
    assert!(!page.contains('\u{1b}'));
}
