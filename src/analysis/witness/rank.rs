//! Functions and files, the most suspicious first.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use roaring::RoaringBitmap;

use super::elements::Elements;
use super::elements::Trace;
use super::evidence::Evidence;
use super::evidence::Scores;
use super::formula::WitnessFormula;

/// What is ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    #[default]
    Function,
    File,
}

/// Runs to be compared, and what else is known.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'r> {
    /// Runs that show the fault; the first is that of the program that is looked into.
    pub failing: &'r [Trace],
    /// Variations of that program that do not show it.
    pub witnesses: &'r [Trace],
    /// Variations that are no valid programs.
    pub neutral: &'r [Trace],
    /// Programs of the developers that do not show it.
    pub tests: &'r [Trace],
    /// Functions that the first run was in when it crashed, the innermost first.
    pub stack: &'r [u32],
    /// Functions that the commit changes which brought the fault.
    pub changed: &'r [u32],
}

/// A function or a file, and how suspicious it is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedPart {
    /// Numbers of its functions.
    pub functions: Vec<u32>,
    pub score: f64,
    /// The worst place that it can have: those with the same score share it.
    pub rank: usize,
    /// Lines that the failing run executes and few others do.
    pub lines: Vec<u32>,
    /// Its place on the stack of a crash, from 0.
    pub on_stack: Option<usize>,
}

/// Ranks what the failing program executes.
pub fn rank(elements: &Elements, runs: &Runs, formula: WitnessFormula, by: RankBy) -> Vec<RankedPart> {
    let Some(failing) = runs.failing.first() else { return vec![] };
    let keys = Keys::new(elements, by);
    let evidence = Evidence { elements, runs, failing, keys: &keys };
    let scores = evidence.scores(formula);
    let lines = evidence.rare_lines();
    let mut ranked: Vec<RankedPart> = keys
        .parts(elements, failing)
        .into_iter()
        .map(|(key, functions)| RankedPart {
            score: scores.get(&key).copied().unwrap_or(0.0),
            rank: 0,
            lines: lines.get(&key).cloned().unwrap_or_default(),
            on_stack: runs.stack.iter().position(|function| functions.contains(function)),
            functions,
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.functions.cmp(&b.functions)));
    let values: Vec<f64> = ranked.iter().map(|part| part.score).collect();
    for part in &mut ranked {
        part.rank = values.partition_point(|score| *score >= part.score);
    }
    ranked
}

/// The witness that is nearest to the failing run and does not execute all of it, with what only the failing run
/// executes.
pub fn nearest(failing: &Trace, witnesses: &[Trace]) -> Option<(usize, RoaringBitmap)> {
    let only = witnesses.iter().map(|witness| &failing.arcs - &witness.arcs).enumerate();
    let distance = |at: usize| failing.arc_distance(&witnesses[at]);
    only.filter(|(_, only)| !only.is_empty()).min_by(|(a, _), (b, _)| distance(*a).total_cmp(&distance(*b)))
}

/// Per function, what stands for its part: itself, or the first function of its file.
pub(super) struct Keys(Vec<u32>);

impl Keys {
    fn new(elements: &Elements, by: RankBy) -> Self {
        let mut files: BTreeMap<&str, u32> = BTreeMap::new();
        let keys = (0_u32..).zip(&elements.functions).map(|(number, function)| match by {
            RankBy::Function => number,
            RankBy::File => *files.entry(&function.file).or_insert(number),
        });
        Self(keys.collect())
    }

    pub fn of(&self, function: u32) -> u32 {
        self.0[function as usize]
    }

    /// The functions that a run executes, by their part.
    fn parts(&self, elements: &Elements, run: &Trace) -> BTreeMap<u32, Vec<u32>> {
        let functions: BTreeSet<u32> = run.arcs.iter().map(|arc| elements.arcs[arc as usize]).collect();
        let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        functions.into_iter().for_each(|function| parts.entry(self.of(function)).or_default().push(function));
        parts
    }
}

/// Per part, the mean place that it has by its score: those with the same share it.
pub(super) fn places(scores: &Scores) -> Scores {
    let mut order: Vec<f64> = scores.values().copied().collect();
    order.sort_by(|a, b| b.total_cmp(a));
    let place = |score: f64| {
        let before = order.partition_point(|other| *other > score);
        let through = order.partition_point(|other| *other >= score);
        (before + 1 + through) as f64 / 2.0
    };
    scores.iter().map(|(part, score)| (*part, place(*score))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::elements::TracedFunction;
    use super::*;

    /// Functions by name and file, with two arcs and two lines each: 0 and 1 of the first, 2 and 3 of the second, and so on.
    fn elements(functions: &[(&str, &str)]) -> Elements {
        let traced = |(name, file): &(&str, &str)| TracedFunction {
            name: (*name).to_owned(),
            file: (*file).to_owned(),
            first: 1,
            last: 9,
        };
        let owners: Vec<u32> = (0..functions.len() as u32).flat_map(|number| [number, number]).collect();
        Elements {
            functions: functions.iter().map(traced).collect(),
            lines: (0..).zip(&owners).map(|(line, owner)| (*owner, line)).collect(),
            arcs: owners,
        }
    }

    fn trace(executed: &[u32]) -> Trace {
        Trace { arcs: executed.iter().collect(), lines: executed.iter().collect() }
    }

    const NOTHING: Runs =
        Runs { failing: &[], witnesses: &[], neutral: &[], tests: &[], stack: &[], changed: &[] };

    fn names(elements: &Elements, ranked: &[RankedPart]) -> Vec<(String, usize)> {
        let name = |part: &RankedPart| elements.functions[part.functions[0] as usize].name.clone();
        ranked.iter().map(|part| (name(part), part.rank)).collect()
    }

    #[test]
    fn the_score_of_a_file_is_the_mean_over_its_lines_as_diwi_has_it() {
        let elements = elements(&[("a", "x.c"), ("b", "x.c"), ("c", "y.c")]);
        let (failing, witnesses) =
            ([trace(&[0, 1, 2, 4])], [trace(&[0, 1, 4]), trace(&[0, 4]), trace(&[0, 4])]);
        let runs = Runs { failing: &failing, witnesses: &witnesses, ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Diwi, RankBy::File);
        // Lines 0, 1 and 2 of x.c are executed by 3, 1 and 0 witnesses; line 4 of y.c by all.
        let mean = (1.0 / 2.0 + 1.0 / 2.0_f64.sqrt() + 1.0) / 3.0;
        assert!((ranked[0].score - mean).abs() < 1e-12 && ranked[0].functions == [0, 1], "{ranked:?}");
        assert!((ranked[1].score - 0.5).abs() < 1e-12 && ranked[1].functions == [2], "{ranked:?}");
        assert_eq!(ranked[0].lines, [2]);
    }

    #[test]
    fn those_with_the_same_score_share_the_worst_place() {
        let elements = elements(&[("a", "x.c"), ("b", "x.c"), ("c", "x.c")]);
        let (failing, tests) = ([trace(&[0, 2, 4])], [trace(&[4])]);
        let runs = Runs { failing: &failing, tests: &tests, ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Tests, RankBy::Function);
        assert_eq!(names(&elements, &ranked), [("a".into(), 2), ("b".into(), 2), ("c".into(), 3)]);
        assert_eq!(rank(&elements, &NOTHING, WitnessFormula::Combined, RankBy::Function), []);
    }

    #[test]
    fn the_nearest_witness_that_differs_is_compared_with() {
        let elements = elements(&[("a", "x.c"), ("b", "x.c"), ("c", "x.c")]);
        let failing = [trace(&[0, 1, 2, 4])];
        // The first executes more and nothing less; the second lacks one arc, the third three.
        let witnesses = [trace(&[0, 1, 2, 3, 4]), trace(&[0, 1, 4]), trace(&[4])];
        assert_eq!(nearest(&failing[0], &witnesses), Some((1, RoaringBitmap::from_iter([2]))));
        let runs = Runs { failing: &failing, witnesses: &witnesses, ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Nearest, RankBy::Function);
        assert_eq!(names(&elements, &ranked), [("b".into(), 1), ("a".into(), 3), ("c".into(), 3)]);
    }

    #[test]
    fn crashes_and_commits_are_evidence_and_functions_that_report_are_not_the_fault() {
        let elements = elements(&[("a", "x.c"), ("b", "x.c"), ("fatal", "x.c")]);
        let failing = [trace(&[0, 2, 4])];
        let runs = Runs { failing: &failing, stack: &[2, 1], ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Combined, RankBy::Function);
        assert_eq!(names(&elements, &ranked), [("b".into(), 1), ("a".into(), 2), ("fatal".into(), 3)]);
        assert_eq!(ranked[0].on_stack, Some(1));
        let runs = Runs { failing: &failing, changed: &[0], ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Combined, RankBy::Function);
        assert_eq!(names(&elements, &ranked)[0], ("a".into(), 1));
    }

    #[test]
    fn invalid_programs_clear_what_they_execute_too() {
        let elements = elements(&[("a", "x.c"), ("b", "x.c")]);
        let (failing, neutral) = ([trace(&[0, 2])], [trace(&[0])]);
        let runs = Runs { failing: &failing, neutral: &neutral, ..NOTHING };
        let ranked = rank(&elements, &runs, WitnessFormula::Spectrum, RankBy::Function);
        assert_eq!(names(&elements, &ranked)[0], ("b".into(), 1));
    }
}
