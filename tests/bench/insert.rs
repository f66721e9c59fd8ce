//! Insertion: tokens per CPU-second as the number of operators grows, and what fitting costs.

use std::path::PathBuf;

use wildcaught::insert::Arsenal;
use wildcaught::insert::Fit;
use wildcaught::insert::Index;
use wildcaught::insert::Inserter;
use wildcaught::insert::Rules;
use wildcaught::insert::Target;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::read_set;

use super::language;
use super::least;
use super::read;

/// Measures a set on files: the index alone with 100, 1,000, 10,000 and all operators, then whole mutants.
pub fn insert(set: &str, files: &[&str]) {
    let text = String::from_utf8(read(set)).expect("a set is UTF-8");
    let set = read_set(&text, set).unwrap_or_else(|error| panic!("{error}"));
    let def = language(&set.header.language);
    let files: Vec<(PathBuf, Vec<u8>)> = files.iter().map(|file| (PathBuf::from(file), read(file))).collect();
    let mut target = None;
    let cost = least(|| target = Some(Target::new(&def, files.clone())));
    let target = target.expect("it was made");
    let tokens: usize = target.files.iter().map(|file| file.tokens.len()).sum();
    println!(
        "target    {tokens:>9} tokens  {:>10.0} tokens per CPU-second to lex and learn",
        tokens as f64 / cost.cpu
    );
    for count in [100, 1_000, 10_000, usize::MAX] {
        if count == usize::MAX || count < set.operators.len() {
            index(&set, count.min(set.operators.len()), &target, tokens);
        }
    }
    for (name, rules) in [("off", Rules::NONE), ("sane", Rules::sane()), ("strict", Rules::strict())] {
        let arsenal =
            Arsenal::new(std::slice::from_ref(&set), &def).unwrap_or_else(|error| panic!("{error}"));
        let fit = Fit::of(rules, 0.5);
        let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
        let (mut sites, mut mutants) = (0, 0);
        let cost = least(|| {
            let all = (0..target.files.len()).map(|file| inserter.file(file));
            (sites, mutants) =
                all.fold((0, 0), |(sites, mutants), file| (sites + file.sites, mutants + file.mutants.len()));
        });
        println!(
            "fit {name:<6} {:>8} operators  {sites:>10} sites  {mutants:>9} mutants  {:>9.0} sites per CPU-second  {:.2} CPU-seconds  {} MB at most",
            set.operators.len(),
            sites as f64 / cost.cpu,
            cost.cpu,
            cost.peak_megabytes
        );
    }
}

fn index(set: &OperatorSet, count: usize, target: &Target, tokens: usize) {
    // Spread over the set: those seen most often stand first and match most.
    let step = set.operators.len() as f64 / count as f64;
    let chosen: Vec<_> = (0..count).map(|at| &set.operators[(at as f64 * step) as usize]).collect();
    let index = Index::new(chosen.into_iter());
    let mut sites = 0u64;
    let cost = least(|| {
        sites = 0;
        for file in 0..target.files.len() {
            index.matches(target.view(file), |_| true, |_, _, _, _| sites += 1);
        }
    });
    println!(
        "index {count:>10} operators  {sites:>10} sites  {:>10.0} tokens per CPU-second  {} MB at most",
        tokens as f64 / cost.cpu,
        cost.peak_megabytes
    );
}
