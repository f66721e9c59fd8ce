//! Functions and files, the most suspicious first.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::elements::Elements;
use super::elements::Trace;
use super::formula::WitnessFormula;

/// What is ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    #[default]
    Function,
    File,
}

/// Runs to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'r> {
    /// Runs that show the fault; the first is that of the program that is looked into.
    pub failing: &'r [Trace],
    /// Variations of that program that do not show it.
    pub witnesses: &'r [Trace],
    /// Programs of the developers that do not show it.
    pub tests: &'r [Trace],
}

/// A function or a file, and how suspicious it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPart {
    /// Numbers of its functions.
    pub functions: Vec<u32>,
    pub score: f64,
    /// The worst place that it can have: those with the same score share it.
    pub rank: usize,
}

/// Arcs whose mean makes the score of a function: a fault shows in a few places of a large function.
const BEST: usize = 3;

/// Ranks what the failing program executes.
pub fn rank(elements: &Elements, runs: &Runs, formula: WitnessFormula, by: RankBy) -> Vec<RankedPart> {
    let Some(failing) = runs.failing.first() else { return vec![] };
    let parts = parts(elements, failing, by);
    let scores = scores(elements, runs, failing, formula, by);
    let mut ranked: Vec<RankedPart> = parts
        .into_values()
        .map(|functions| {
            let key = key(elements, functions[0], by);
            let score = scores.get(&key).copied().unwrap_or(0.0);
            RankedPart { functions, score, rank: 0 }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.functions.cmp(&b.functions)));
    let values: Vec<f64> = ranked.iter().map(|part| part.score).collect();
    for part in &mut ranked {
        part.rank = values.partition_point(|score| *score >= part.score);
    }
    ranked
}

/// The witness that is nearest to the failing run and not the same, with what only the failing run executes.
pub fn nearest(runs: &Runs) -> Option<(usize, RoaringBitmap)> {
    let failing = runs.failing.first()?;
    let only = runs.witnesses.iter().map(|witness| &failing.arcs - &witness.arcs).enumerate();
    let distance = |at: usize| failing.arc_distance(&runs.witnesses[at]);
    only.filter(|(_, only)| !only.is_empty()).min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b)))
}

/// What parts are called among themselves: a function by its number, a file by that of its first function.
fn key(elements: &Elements, function: u32, by: RankBy) -> u32 {
    let file = &elements.functions[function as usize].file;
    let same = |other: &super::TracedFunction| other.file == *file;
    match by {
        RankBy::Function => function,
        RankBy::File => elements.functions.iter().position(same).unwrap_or(0) as u32,
    }
}

/// The functions that a run executes, by the part that they belong to.
fn parts(elements: &Elements, run: &Trace, by: RankBy) -> BTreeMap<u32, Vec<u32>> {
    let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut last = None;
    for arc in &run.arcs {
        let function = elements.arcs[arc as usize];
        if last.replace(function) != Some(function) {
            parts.entry(key(elements, function, by)).or_default().push(function);
        }
    }
    for functions in parts.values_mut() {
        functions.sort_unstable();
        functions.dedup();
    }
    parts
}

fn scores(
    elements: &Elements,
    runs: &Runs,
    failing: &Trace,
    formula: WitnessFormula,
    by: RankBy,
) -> BTreeMap<u32, f64> {
    let mut values: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    match formula {
        WitnessFormula::Diwi => {
            for line in &failing.lines {
                let passing = runs.witnesses.iter().filter(|run| run.lines.contains(line)).count();
                let part = key(elements, elements.lines[line as usize].0, by);
                values.entry(part).or_default().push(1.0 / (1.0 + passing as f64).sqrt());
            }
            values.into_iter().map(|(part, all)| (part, mean(&all))).collect()
        }
        WitnessFormula::Nearest => {
            let only = nearest(runs).map(|(_, only)| only).unwrap_or_default();
            let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
            for arc in only {
                *counts.entry(key(elements, elements.arcs[arc as usize], by)).or_default() += 1.0;
            }
            counts
        }
        WitnessFormula::Tests | WitnessFormula::Combined => {
            for arc in &failing.arcs {
                let passing = runs.tests.iter().filter(|run| run.arcs.contains(arc)).count();
                let part = key(elements, elements.arcs[arc as usize], by);
                values.entry(part).or_default().push(1.0 / (1.0 + passing as f64).sqrt());
            }
            values.into_iter().map(|(part, all)| (part, mean_of_best(all))).collect()
        }
    }
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn mean_of_best(mut all: Vec<f64>) -> f64 {
    all.sort_by(|a, b| b.total_cmp(a));
    all.truncate(BEST);
    mean(&all)
}
