//! Large inputs: a store of many mutants and tests, sets of many operators, and all mutants of much code.

use std::fmt::Write;
use std::path::Path;
use std::path::PathBuf;

use roaring::RoaringBitmap;
use wildcaught::exec::Verdict;
use wildcaught::insert::Arsenal;
use wildcaught::insert::Fit;
use wildcaught::insert::Inserter;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::MutantRow;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::Store;
use wildcaught::matrix::TestRow;
use wildcaught::matrix::from_json;
use wildcaught::matrix::to_csv;
use wildcaught::matrix::to_json;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_names;
use wildcaught::operator::shipped_text;

use super::language;
use super::measure::cost_of;
use super::read;

/// Sizes whose cost is told next to the whole: what grows faster than the input shows.
const PARTS: [usize; 3] = [4, 2, 1];

/// Measures stores of a quarter, a half and all of the mutants.
pub fn store(mutants: &str, tests: &str) {
    let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{text}: a number"));
    let (mutants, tests) = (number(mutants), number(tests));
    for part in PARTS {
        one_store(mutants / part as u32, tests);
    }
}

fn one_store(mutants: u32, tests: u32) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("store");
    let matrix = matrix_of(mutants, tests);
    let told = |what: &str, work: &mut dyn FnMut()| {
        let cost = cost_of(&mut || work());
        println!(
            "load  {mutants:>7} mutants x {tests} tests  {what:<11} {:>7.2} CPU-seconds  {:>5} MB at most",
            cost.cpu, cost.peak_megabytes
        );
    };
    let store = Store::create(&path).expect("a writable temporary directory");
    told("write", &mut || matrix.save(&store).expect("a writable store"));
    drop(store);
    let mut back = KillMatrix::default();
    told("read", &mut || back = load(&path));
    assert!(back == matrix, "what was written is read");
    drop(matrix);
    told("score", &mut || drop((back.score(), back.by_file(), back.by_operator(), back.survivors_ranked())));
    let (mut json, mut csv) = (String::new(), String::new());
    told("matrix.json", &mut || json = to_json(&back));
    told("import", &mut || drop(from_json(&json, "m").expect("our own")));
    told("matrix.csv", &mut || csv = to_csv(&back));
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let size = std::fs::metadata(&path).expect("it was written").len();
    println!(
        "load  {mutants:>7} mutants x {tests} tests  store {:.1} MB, matrix.json {:.1} MB, matrix.csv {:.1} MB",
        megabytes(size),
        megabytes(json.len() as u64),
        megabytes(csv.len() as u64)
    );
}

fn load(path: &Path) -> KillMatrix {
    KillMatrix::load(&Store::open(path).expect("a store")).expect("rows")
}

/// Every mutant is reached by a tenth of the tests, and killed by a few of them or by none.
pub fn matrix_of(mutants: u32, tests: u32) -> KillMatrix {
    let test = |number| TestRow {
        name: format!("suite_{}::test_{number}", number % 40),
        verdict: Verdict::Pass,
        millis: 1.5,
        flaky: false,
    };
    KillMatrix {
        tests: (0..tests).map(test).collect(),
        mutants: (0..mutants).map(mutant).collect(),
        outcomes: (0..mutants).map(|number| Some(outcome(number, tests))).collect(),
    }
}

fn mutant(number: u32) -> MutantRow {
    MutantRow {
        id: format!("{:012x}", u64::from(number) * 0x9e37_79b9),
        file: format!("src/module_{}/file_{}.c", number % 17, number % 120),
        line: number % 3000 + 1,
        end_line: number % 3000 + 1,
        text: b"<=".to_vec(),
        operators: vec![format!("{:012x}", number % 900)],
        operator: "$1 < $2 => $1 <= $2".into(),
        before: "if (index < count)".into(),
        after: "if (index <= count)".into(),
        ..MutantRow::default()
    }
}

fn outcome(number: u32, tests: u32) -> Outcome {
    let spread = |at: u32| (number.wrapping_mul(7919) ^ at.wrapping_mul(104_729)) % tests;
    let covered: RoaringBitmap = (0..tests / 10).map(spread).collect();
    let failed: RoaringBitmap = covered.iter().take((number % 4) as usize).collect();
    let fate = if failed.is_empty() { Fate::Survived } else { Fate::Killed };
    Outcome { ran: covered.clone(), covered, failed, millis: 12.5, ..Outcome::new(fate) }
}

/// Measures reading, linting and indexing of operators that share nothing: a quarter of them, half, and all.
pub fn operators(count: &str) {
    let count: usize = count.parse().unwrap_or_else(|_| panic!("{count}: a number"));
    let def = language("c");
    for count in PARTS.map(|part| count / part) {
        let mut text = "format = 1\nlanguage = \"c\"\n".to_owned();
        for at in 0..count {
            let _ =
                write!(text, "[[operator]]\nfind = \":w{at} .+ $1\"\nput = \":w{at} .- $1\"\ncount = 2\n");
        }
        let mut set = None;
        let reading = cost_of(&mut || set = Some(read_set(&text, "made").expect("a set")));
        let sets = [set.expect("it was read")];
        let indexing = cost_of(&mut || drop(Arsenal::new(&sets, &def)));
        println!(
            "load  {count:>7} operators  read {:.2}, index {:.2} CPU-seconds  {} MB at most",
            reading.cpu, indexing.cpu, indexing.peak_megabytes
        );
    }
}

/// Measures all mutants of files of C by all shipped operators, of growing parts of the files.
pub fn code(files: &[&str]) {
    let def = language("c");
    let sets: Vec<OperatorSet> = shipped_names()
        .filter_map(|name| read_set(shipped_text(name)?, name).ok())
        .filter(|set| set.header.language == def.name())
        .collect();
    let files: Vec<(PathBuf, Vec<u8>)> = files.iter().map(|file| (PathBuf::from(file), read(file))).collect();
    let arsenal = Arsenal::new(&sets, &def).unwrap_or_else(|error| panic!("{error}"));
    for part in [16, 8, 4, 2, 1] {
        let chosen = files[..files.len().div_ceil(part)].to_vec();
        let lines: usize =
            chosen.iter().map(|(_, text)| text.iter().filter(|byte| **byte == b'\n').count()).sum();
        let mut mutants = 0;
        let cost = cost_of(&mut || {
            let target = Target::new(&def, chosen.clone());
            let fit = Fit::of(Rules::sane(), 0.5);
            let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
            mutants = (0..target.files.len()).map(|file| inserter.file(file).mutants.len()).sum();
        });
        println!(
            "load  {lines:>7} lines  {mutants:>8} mutants  {:>6.2} CPU-seconds  {} MB at most",
            cost.cpu, cost.peak_megabytes
        );
    }
}
