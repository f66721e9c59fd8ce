//! Runs of growing size: mutants found, stores written and read, parts put together: time and memory, as CSV.
//!
//! Code and outcomes are made on the spot. Each measurement runs in a process of its own, so that its peak is its own.

use std::fmt::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use wildcaught::control::Shard;
use wildcaught::insert::Arsenal;
use wildcaught::insert::Fit;
use wildcaught::insert::Inserter;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::insert::mutant_ids;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::Part;
use wildcaught::matrix::Parts;
use wildcaught::matrix::Store;
use wildcaught::operator::read_set;
use wildcaught::operator::shipped_text;

use super::language;
use super::load::matrix_of;
use super::measure::peak_kilobytes;

/// Sizes of stores: mutants, tests, parts.
const STORES: [(u32, u32, usize); 6] = [
    (100, 100, 4),
    (1000, 100, 4),
    (1000, 1000, 10),
    (10_000, 1000, 10),
    (100_000, 1000, 10),
    (100_000, 1000, 1000),
];
/// Numbers of mutants.
const MUTANTS: [usize; 4] = [1000, 10_000, 100_000, 1_000_000];

/// Measures all.
pub fn parts() {
    println!("what,mutants,tests,parts,seconds,peak_mb,bytes");
    for mutants in MUTANTS {
        measured(&["one-code", &mutants.to_string()]);
    }
    for (mutants, tests, parts) in STORES {
        let place = tempfile::tempdir().expect("a temporary directory");
        let place = place.path().to_string_lossy().into_owned();
        let numbers = [mutants.to_string(), tests.to_string(), parts.to_string()];
        for what in ["one-write", "one-merge-parts", "one-read"] {
            measured(&[what, &numbers[0], &numbers[1], &numbers[2], &place]);
        }
    }
}

fn measured(words: &[&str]) {
    let own = std::env::current_exe().expect("a program");
    let status = Command::new(own).arg("parts").args(words).status().expect("it can be started");
    assert!(status.success(), "{words:?}: {status}");
}

fn tell(what: &str, mutants: usize, tests: &str, parts: &str, begun: Instant, bytes: u64) {
    let (seconds, peak) = (begun.elapsed().as_secs_f64(), peak_kilobytes() / 1024);
    println!("{what},{mutants},{tests},{parts},{seconds:.2},{peak},{bytes}");
}

/// Finds about this number of mutants in made code, and names each.
pub fn one_code(mutants: &str) {
    let wanted: usize = mutants.parse().expect("a number");
    let def = language("c");
    let sets = [read_set(shipped_text("classic-c").expect("it is shipped"), "classic-c").expect("a set")];
    let arsenal = Arsenal::new(&sets, &def).unwrap_or_else(|error| panic!("{error}"));
    // A function of this kind has about 25 mutants.
    let functions = wanted / 25;
    let files: Vec<(PathBuf, Vec<u8>)> = (0..functions.div_ceil(100))
        .map(|file| {
            let here = (file * 100)..((file + 1) * 100).min(functions);
            let text = here.fold(String::new(), |mut text, number| {
                let _ = write!(
                    text,
                    "int f{number}(int a, int b)\n{{\n    int c = a + {number};\n    if (a < b && c != {})\n        c = c - b;\n    \
                     while (c > b * 2)\n        c--;\n    return c;\n}}\n",
                    number % 97
                );
                text
            });
            (PathBuf::from(format!("f{file}.c")), text.into_bytes())
        })
        .collect();
    let begun = Instant::now();
    let target = Target::new(&def, files);
    let inserter =
        Inserter { def: &def, arsenal: &arsenal, target: &target, fit: Fit::of(Rules::sane(), 0.5) };
    let all: Vec<_> = (0..target.files.len()).map(|file| inserter.file(file)).collect();
    let found = mutant_ids(&inserter, &all).len();
    tell("find", found, "", "", begun, 0);
}

/// Writes the stores of all parts.
pub fn one_write(mutants: &str, tests: &str, parts: &str, place: &str) {
    let [mutants, count] = [mutants, tests].map(|text| text.parse::<u32>().expect("a number"));
    let parts_count: usize = parts.parse().expect("a number");
    let matrix = matrix_of(mutants, count);
    let begun = Instant::now();
    let mut bytes = 0;
    for part in 1..=parts_count {
        let shard = Shard::new(part, parts_count).expect("a part");
        let numbers: Vec<u32> =
            (0..mutants).filter(|number| shard.owns(&matrix.mutants[*number as usize].id)).collect();
        let own = KillMatrix {
            tests: matrix.tests.clone(),
            mutants: numbers.iter().map(|number| matrix.mutants[*number as usize].clone()).collect(),
            outcomes: numbers.iter().map(|number| matrix.outcomes[*number as usize].clone()).collect(),
        };
        let path = Path::new(place).join(part.to_string());
        let store = Store::create(&path).expect("a writable directory");
        own.save(&store).expect("a writable store");
        Part::new("bench", shard, mutants as usize, numbers).write(&store).expect("a writable store");
        drop(store);
        Store::seal(&path).expect("a store");
        bytes += std::fs::metadata(&path).expect("it was written").len();
    }
    tell("write", mutants as usize, tests, parts, begun, bytes);
}

/// Puts the stores together.
pub fn one_merge(mutants: &str, tests: &str, parts: &str, place: &str) {
    let count: usize = parts.parse().expect("a number");
    let stores: Vec<PathBuf> = (1..=count).map(|part| Path::new(place).join(part.to_string())).collect();
    let path = Path::new(place).join("merged");
    let begun = Instant::now();
    Parts::gather(&stores).expect("parts of one plan").write(&path).expect("a writable directory");
    let bytes = std::fs::metadata(&path).expect("it was written").len();
    tell("merge", mutants.parse().expect("a number"), tests, parts, begun, bytes);
}

/// Reads what they came to.
pub fn one_read(mutants: &str, tests: &str, parts: &str, place: &str) {
    let begun = Instant::now();
    let store = Store::open(&Path::new(place).join("merged")).expect("it was merged");
    let matrix = KillMatrix::load(&store).expect("rows");
    assert_eq!(matrix.mutants.len().to_string(), mutants);
    tell("read", matrix.mutants.len(), tests, parts, begun, 0);
}
