//! The page of a run: whole, small, and safe to open.

use std::fs;
use std::path::Path;
use std::process::Command;

use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::MutantRow;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;
use wildcaught::matrix::TestRow;

/// A project with a run of this size in it: functions of ten lines, each reached by a run of tests.
fn project(mutants: u32, tests: u32) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let lines = mutants / 4 + 20;
    let source: String = (0..lines / 10)
        .map(|at| format!("int f{at}(int x)\n{{\n{}    return x;\n}}\n\n", "    x = x + 1;\n".repeat(5)))
        .collect();
    fs::write(root.path().join("a.c"), &source).unwrap();
    fs::create_dir(root.path().join("wildcaught.out")).unwrap();
    let starts: Vec<usize> =
        std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let store = Store::create(&root.path().join("wildcaught.out/store.sqlite")).unwrap();
    let matrix = KillMatrix {
        tests: (0..tests).map(test_row).collect(),
        mutants: (0..mutants).map(|at| mutant(at, &starts)).collect(),
        outcomes: (0..mutants).map(|at| Some(outcome(at, tests))).collect(),
    };
    matrix.save(&store).unwrap();
    root
}

fn test_row(at: u32) -> TestRow {
    let name = format!("suite::group_{}::test_{at}</script><img src=x onerror=alert(1)>", at / 20);
    TestRow { name, verdict: wildcaught::exec::Verdict::Pass, millis: f64::from(at % 90), flaky: false }
}

fn mutant(at: u32, starts: &[usize]) -> MutantRow {
    let line = (at / 4).min(starts.len() as u32 - 2);
    let start = starts[line as usize] as u64;
    let operators = ["${_} ⇒ ε", ".+ ⇒ .-", ":1 ⇒ :0", ".; ⇒ .; :return .;"];
    let number = (at % 4) as usize;
    MutantRow {
        id: format!("{number:08x}-{at:08x}"),
        file: "a.c".into(),
        line: line + 1,
        column: 1,
        end_line: line + 1,
        end_column: 2,
        start,
        end: start + 1,
        text: b"<b>".to_vec(),
        operators: vec![format!("{number:012x}")],
        operator: operators[number].into(),
        repos: 7,
        fix_share: 0.25,
        engine: "switch".into(),
        ..MutantRow::default()
    }
}

/// A function is reached by a tenth of the tests; every third mutant survives.
fn outcome(at: u32, tests: u32) -> Outcome {
    let mut outcome = Outcome::new(if at.is_multiple_of(3) { Fate::Survived } else { Fate::Killed });
    let from = at / 40 * 13 % tests;
    for test in from..(from + tests.div_ceil(10)).min(tests) {
        outcome.covered.insert(test);
        let kills = !at.is_multiple_of(3) && (test * 7919 + at * 31).is_multiple_of(5);
        outcome.note(
            test,
            if kills { wildcaught::exec::Verdict::Fail } else { wildcaught::exec::Verdict::Pass },
        );
    }
    outcome
}

/// Writes the page as a user does.
fn page(root: &Path) -> String {
    let done =
        Command::new(env!("CARGO_BIN_EXE_wildcaught")).arg("report").current_dir(root).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    fs::read_to_string(root.join("wildcaught.out/report.html")).unwrap()
}

/// The data inside of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_holds_everything_and_nothing_in_it_is_read_as_html() {
    let root = project(40, 30);
    let page = page(root.path());
    assert!(!page.contains("<img"), "names of tests are data");
    for address in page.match_indices("http").map(|(at, _)| &page[at..(at + 30).min(page.len())]) {
        assert!(
            address.starts_with("http-equiv") || address.starts_with("http://www.w3.org/2000/svg"),
            "{address}"
        );
    }
    let data = data(&page);
    assert_eq!(data["mutants"]["id"].as_array().unwrap().len(), 40);
    assert_eq!(data["mutants"]["fate"].as_str().unwrap().len(), 40);
    assert_eq!(data["operators"][0]["words"], "deletes a statement");
    assert!(data["files"][0]["source"].as_str().unwrap().starts_with("int f0"));
    assert!(data["files"][0]["functions"][0][2] == "f0", "{}", data["files"][0]["functions"]);
    assert_eq!(data["first"].as_array().unwrap().len(), 10.min(data["ranked"].as_array().unwrap().len()));
    assert!(data["dominator"].is_number(), "every test that reaches a mutant was run");
}

#[test]
fn a_page_of_ten_thousand_mutants_stays_below_fifteen_megabytes() {
    let root = project(10_000, 500);
    let size = page(root.path()).len();
    assert!(size < 15_000_000, "{size} bytes");
}

/// For the browser: `REPORT=DIR cargo test --test suite report::a_large -- --ignored`, then tests/browser/check.mjs.
#[test]
#[ignore = "writes a page to look at"]
fn a_large_page() {
    let to = std::env::var("REPORT").expect("REPORT=DIR says where to");
    for (mutants, tests) in [(10_000, 500), (20_000, 2_000)] {
        let root = project(mutants, tests);
        fs::write(Path::new(&to).join(format!("large-{mutants}-{tests}.html")), page(root.path())).unwrap();
    }
}

#[test]
fn without_results_the_remedy_is_named() {
    let root = tempfile::tempdir().unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_wildcaught"))
        .arg("report")
        .current_dir(root.path())
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&done.stderr).contains("wildcaught test"));
}
