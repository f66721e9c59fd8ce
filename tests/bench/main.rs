//! Throughput in CPU-seconds, on any file or repository:
//!
//!     cargo bench --bench throughput -- lex FILE          # the lexer alone
//!     cargo bench --bench throughput -- patch FILE        # a whole harvest of `git log -p` text, both granularities
//!     cargo bench --bench throughput -- git REPO LANGUAGE # a whole harvest, against `git log -p -U0`
//!     cargo bench --bench throughput -- insert SET FILE…  # all sites of 100, 1,000 and all operators, and fitted
//!     cargo bench --bench throughput -- store             # outcomes recorded one by one, and all at once
//!     cargo bench --bench throughput -- idle              # a C program with all mutants built in and switched off
//!     cargo bench --bench throughput -- fork              # the same run again and again, by the fork server or not
//!     cargo bench --bench throughput -- load store 100000 1000   # a store of mutants and tests: write, read, export
//!     cargo bench --bench throughput -- load operators 100000    # a set of operators: read, index
//!     cargo bench --bench throughput -- load code FILE…   # all mutants of growing parts of the files, all operators
//!     cargo bench --bench throughput -- scale             # harvests of 10^3 to 10^5 commits, 2 to 1000 tallies put together
//!     cargo bench --bench throughput -- scale commits 1000000
//!     cargo bench --bench throughput -- scale tallies 10 100
//!     cargo bench --bench throughput -- parts             # 10^3 to 10^6 mutants found, stores of 10^4 to 10^8 cells put together
//!     cargo bench --bench throughput -- draw FILE…        # what scale and parts printed, as an SVG picture
//!
//! Without arguments each runs on something small that is made on the spot.

mod draw;
mod engine;
mod insert;
mod load;
mod measure;
mod parts;
mod scale;
mod store;

use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;

use measure::Cost;
use measure::cost_of;
use wildcaught::control::Progress;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::Tally;
use wildcaught::harvest::TallyOptions;
use wildcaught::harvest::finish;
use wildcaught::harvest::tally_git;
use wildcaught::harvest::tally_patch;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::history::PatchText;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::langdef::builtin_names;
use wildcaught::lex::Lexer;
use wildcaught::lex::Start;
use wildcaught::operator::Direction;
use wildcaught::operator::Granularity;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::write_set;

/// How often each measurement is repeated; the least is told.
const TIMES: usize = 3;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["lex", file] => lex(&language_of(file), &read(file)),
        ["patch", file] => patches(&language("c"), file),
        ["patch", file, name] => patches(&language(name), file),
        ["git", path, name] => git(&language(name), Path::new(path)),
        ["insert", set, files @ ..] => insert::insert(set, files),
        ["store"] => store::store(),
        ["load", "store", mutants, tests] => load::store(mutants, tests),
        ["load", "operators", count] => load::operators(count),
        ["load", "code", files @ ..] => load::code(files),
        ["scale"] => scale::scale(&[1000, 10_000, 100_000], &[2, 10, 100, 1000]),
        ["scale", "commits", counts @ ..] => scale::scale(&numbers(counts), &[]),
        ["scale", "tallies", counts @ ..] => scale::scale(&[], &numbers(counts)),
        ["scale", "one-harvest", commits, place] => scale::one_harvest(commits, place),
        ["scale", "one-merge", count, place, mode, least] => scale::one_merge(count, place, mode, least),
        ["draw", files @ ..] => draw::draw(files),
        ["parts"] => parts::parts(),
        ["parts", "one-code", mutants] => parts::one_code(mutants),
        ["parts", "one-write", mutants, tests, count, place] => {
            parts::one_write(mutants, tests, count, place);
        }
        ["parts", "one-merge-parts", mutants, tests, count, place] => {
            parts::one_merge(mutants, tests, count, place);
        }
        ["parts", "one-read", mutants, tests, count, place] => parts::one_read(mutants, tests, count, place),
        ["idle"] => engine::engine(&[engine::idle]),
        ["fork"] => engine::engine(&[engine::fork]),
        [] => small(),
        _ => eprintln!(
            "usage: lex FILE | patch FILE [LANGUAGE] | git REPO LANGUAGE | insert SET FILE… | store | load store MUTANTS TESTS | load operators COUNT | load code FILE… | scale [commits N… | tallies N…] | parts | draw FILE… | idle | fork"
        ),
    }
}

fn read(file: &str) -> Vec<u8> {
    std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn numbers(words: &[&str]) -> Vec<u64> {
    words.iter().map(|word| word.parse().unwrap_or_else(|_| panic!("{word}: a number"))).collect()
}

fn language(name: &str) -> LangDef {
    builtin(name).unwrap_or_else(|| panic!("{name}: no such language"))
}

fn language_of(file: &str) -> LangDef {
    builtin_names()
        .filter_map(builtin)
        .find(|def| def.owns(file.as_bytes()))
        .expect("a known file name ending")
}

fn least(mut work: impl FnMut()) -> Cost {
    (0..TIMES).map(|_| cost_of(&mut work)).min_by(|a, b| a.cpu.total_cmp(&b.cpu)).expect("at least one run")
}

fn lex(def: &LangDef, text: &[u8]) {
    let mut tokens = 0;
    let cost = least(|| tokens = Lexer::new(def, text, Start::File).count());
    let megabytes = text.len() as f64 / 1e6;
    println!("lex    {:>8.1} MB  {tokens} tokens  {:.0} MB per CPU-second", megabytes, megabytes / cost.cpu);
}

fn patches(def: &LangDef, file: &str) {
    patch(def, file, Granularity::Line);
    patch(def, file, Granularity::Token { context: 2 });
}

fn patch(def: &LangDef, file: &str, granularity: Granularity) {
    let size = std::fs::metadata(file).unwrap_or_else(|error| panic!("{file}: {error}")).len();
    let mut operators = 0;
    let cost = least(|| {
        let input = std::fs::File::open(file).expect("it was there just now");
        let text = PatchText { name: file, input, size: Some(size) };
        let (git, options) = (git_options(def), tally_options(granularity));
        let tallied = tally_patch(text, &Source::default(), def, &git, &options, &Progress::default());
        operators = finished(def, tallied.expect("readable patch text").tally).operators.len();
    });
    let megabytes = size as f64 / 1e6;
    println!(
        "patch  {megabytes:>8.1} MB  {granularity:?}  {operators} operators  {:.1} MB per CPU-second  {} MB at most",
        megabytes / cost.cpu,
        cost.peak_megabytes
    );
}

fn git(def: &LangDef, path: &Path) {
    let mut operators = 0;
    let ours = least(|| {
        let (git, options) = (git_options(def), tally_options(Granularity::Token { context: 2 }));
        let tallied = tally_git(path, &Source::default(), def, &git, &options, &Progress::default());
        operators = finished(def, tallied.expect("a readable repository").tally).operators.len();
    });
    let theirs = least(|| git_log(def, path));
    println!(
        "git    {operators} operators  {:.2} CPU-seconds, git log -p -U0 alone {:.2}: ratio {:.2}  {} MB at most",
        ours.cpu,
        theirs.cpu,
        ours.cpu / theirs.cpu,
        ours.peak_megabytes
    );
}

/// What git needs to show the same changes.
fn git_log(def: &LangDef, path: &Path) {
    let globs = def.file.extensions.iter().map(|ending| format!("*.{ending}"));
    let status = Command::new("git")
        .arg("-C")
        .arg(path)
        .args(["log", "-p", "-U0", "--"])
        .args(globs)
        .stdout(Stdio::null())
        .status()
        .expect("git is installed");
    assert!(status.success(), "git log failed");
}

/// All files of the language, vendored or not, as `git log` shows them.
fn git_options(def: &LangDef) -> GitOptions {
    GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: CommitSelection::new(def, &[], true).expect("no globs, no mistakes"),
        fixes: FixWords::default(),
    }
}

fn tally_options(granularity: Granularity) -> TallyOptions {
    TallyOptions { granularity, limits: Thresholds::default(), samples: 0 }
}

fn finished(def: &LangDef, tally: Tally) -> OperatorSet {
    let options = FinishOptions {
        name: "bench".into(),
        tool: String::new(),
        direction: Direction::Backward,
        idioms: IdiomRule::Top(50),
        limits: Thresholds::default(),
    };
    let set = finish(tally, def, &options).set;
    assert!(!write_set(&set).is_empty());
    set
}

/// The lexer on every sample of the suite, repeated, and a patch made of them.
fn small() {
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    for def in builtin_names().filter_map(builtin) {
        let Some(ending) = def.file.extensions.first() else { continue };
        let Ok(sample) = std::fs::read(samples.join(format!("{}.{ending}", def.name()))) else { continue };
        print!("{:<12}", def.name());
        lex(&def, &sample.repeat(4_000_000 / sample.len().max(1)));
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("small.patch");
    let hunk =
        "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,3 @@\n int f(int x) {\n-\tif (x)\n+\tif (x && y)\n \t\treturn 1;\n";
    std::fs::write(&file, hunk.repeat(100_000)).expect("a writable temporary directory");
    patches(&language("c"), &file.to_string_lossy());
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let sample = std::fs::read(samples.join("c.c")).expect("a sample");
    let large = directory.path().join("large.c");
    std::fs::write(&large, sample.repeat(300)).expect("a writable temporary directory");
    insert::insert(&root.join("corpora/wild-c.toml").to_string_lossy(), &[&large.to_string_lossy()]);
    store::store();
    engine::engine(&[engine::idle, engine::fork]);
}
