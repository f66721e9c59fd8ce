//! What speaks against a part of the program: how rarely others execute it, what the nearest witnesses do without, and
//! where it crashes.

use std::collections::BTreeMap;

use super::elements::Elements;
use super::elements::Trace;
use super::formula::WitnessFormula;
use super::rank::Keys;
use super::rank::Runs;
use super::rank::nearest;
use super::rank::places;
use super::reporters::is_reporter;

/// Per part, how suspicious it is.
pub(super) type Scores = BTreeMap<u32, f64>;

/// Arcs whose mean makes the score of a part: a fault shows in a few places of a large function. Fewer where only the
/// developers' programs are counted.
const BEST: usize = 8;
const BEST_OF_TESTS: usize = 3;
/// How much a variation that is no valid program counts, where a witness counts 1: what it executes is at least not
/// enough to show the fault.
const NEUTRAL: f64 = 0.5;
/// What is added to places before they are inverted and summed: the larger, the less the first places count alone.
const DAMPING: f64 = 5.0;
/// How much is left of the suspicion of a function that only reports errors.
const REPORTER: f64 = 0.3;

/// Runs, seen from the failing one.
pub(super) struct Evidence<'e> {
    pub elements: &'e Elements,
    pub runs: &'e Runs<'e>,
    pub failing: &'e Trace,
    pub keys: &'e Keys,
}

impl Evidence<'_> {
    /// The scores of a formula.
    pub fn scores(&self, formula: WitnessFormula) -> Scores {
        match formula {
            WitnessFormula::Diwi => self.diwi(),
            WitnessFormula::Nearest => self.nearest(),
            WitnessFormula::Tests => self.tests(),
            WitnessFormula::Spectrum => self.spectrum(),
            WitnessFormula::Combined => self.combined(),
        }
    }

    /// The mean of 1/√(1 + ep) over the executed lines, as in the paper.
    fn diwi(&self) -> Scores {
        let mut values: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for line in &self.failing.lines {
            let passing = self.runs.witnesses.iter().filter(|run| run.lines.contains(line)).count();
            let function = self.elements.lines[line as usize].0;
            values.entry(self.keys.of(function)).or_default().push(1.0 / (1.0 + passing as f64).sqrt());
        }
        values.into_iter().map(|(part, all)| (part, mean(&all))).collect()
    }

    /// How many arcs of a part the nearest witness does without.
    fn nearest(&self) -> Scores {
        let only = nearest(self.failing, self.runs.witnesses).map(|(_, only)| only).unwrap_or_default();
        let mut scores = self.nothing();
        for arc in only {
            *scores.entry(self.part(arc)).or_default() += 1.0;
        }
        scores
    }

    /// Arcs that witnesses do without. Each witness has one vote, which these arcs share: who does without little says
    /// more about it.
    fn spared(&self) -> Scores {
        let mut scores = self.nothing();
        for witness in self.runs.witnesses {
            let only = &self.failing.arcs - &witness.arcs;
            let share = 1.0 / only.len() as f64;
            for arc in only {
                *scores.entry(self.part(arc)).or_default() += share;
            }
        }
        scores
    }

    /// How few of the developers' programs execute the rarest arcs of a part.
    fn tests(&self) -> Scores {
        let tests = self.count(self.runs.tests);
        self.by_best_arcs(BEST_OF_TESTS, |arc| 1.0 / (1.0 + tests[&arc]).sqrt())
    }

    /// The same with variations: Ochiai's formula over those that fail and those that do not, times that of the
    /// developers' programs.
    fn spectrum(&self) -> Scores {
        let [failing, witnesses] = [self.count(self.runs.failing), self.count(self.runs.witnesses)];
        let [neutral, tests] = [self.count(self.runs.neutral), self.count(self.runs.tests)];
        let all = self.runs.failing.len() as f64;
        self.by_best_arcs(BEST, |arc| {
            let executed = failing[&arc] + witnesses[&arc] + NEUTRAL * neutral[&arc];
            failing[&arc] / (all * executed).sqrt() / (1.0 + tests[&arc]).sqrt()
        })
    }

    /// Functions of a crash, the innermost first.
    fn crash(&self) -> Scores {
        let mut scores = self.nothing();
        let reports = |function: &&u32| is_reporter(&self.elements.functions[**function as usize].name);
        for (depth, function) in self.runs.stack.iter().filter(|function| !reports(function)).enumerate() {
            let score = scores.entry(self.keys.of(*function)).or_default();
            *score = score.max(1.0 / (1.0 + depth as f64));
        }
        scores
    }

    /// Functions that the first bad commit changes.
    fn changed(&self) -> Scores {
        let mut scores = self.nothing();
        scores.extend(self.runs.changed.iter().map(|function| (self.keys.of(*function), 1.0)));
        scores
    }

    /// All evidence that there is, by places: scores of different kinds cannot be compared.
    fn combined(&self) -> Scores {
        let mut all = vec![self.spectrum()];
        all.extend((!self.runs.witnesses.is_empty()).then(|| self.spared()));
        all.extend((!self.runs.stack.is_empty()).then(|| self.crash()));
        all.extend((!self.runs.changed.is_empty()).then(|| self.changed()));
        let all: Vec<Scores> = all.iter().map(places).collect();
        let best = all.len() as f64 / (DAMPING + 1.0);
        let mut scores = self.nothing();
        for (part, score) in &mut scores {
            let sum: f64 =
                all.iter().filter_map(|places| places.get(part)).map(|place| 1.0 / (DAMPING + place)).sum();
            let reports = is_reporter(&self.elements.functions[*part as usize].name);
            *score = sum / best * if reports { REPORTER } else { 1.0 };
        }
        scores
    }

    /// Per part, the lines that the fewest passing runs execute, if not all do.
    pub fn rare_lines(&self) -> BTreeMap<u32, Vec<u32>> {
        let runs = || self.runs.witnesses.iter().chain(self.runs.tests);
        let all = runs().count();
        let mut rarest: BTreeMap<u32, (usize, Vec<u32>)> = BTreeMap::new();
        for line in &self.failing.lines {
            let (function, number) = self.elements.lines[line as usize];
            let passing = runs().filter(|run| run.lines.contains(line)).count();
            let entry = rarest.entry(self.keys.of(function)).or_insert((all, vec![]));
            if passing < entry.0 {
                *entry = (passing, vec![]);
            }
            if passing == entry.0 && passing < all {
                entry.1.push(number);
            }
        }
        rarest
            .into_iter()
            .map(|(part, (_, mut lines))| {
                lines.sort_unstable();
                lines.dedup();
                (part, lines)
            })
            .collect()
    }

    fn part(&self, arc: u32) -> u32 {
        self.keys.of(self.elements.arcs[arc as usize])
    }

    /// All parts that the failing run executes, with no suspicion.
    fn nothing(&self) -> Scores {
        self.failing.arcs.iter().map(|arc| (self.part(arc), 0.0)).collect()
    }

    /// Per arc of the failing run, how many of these runs execute it.
    fn count(&self, runs: &[Trace]) -> BTreeMap<u32, f64> {
        let executed = |arc: u32| runs.iter().filter(|run| run.arcs.contains(arc)).count() as f64;
        self.failing.arcs.iter().map(|arc| (arc, executed(arc))).collect()
    }

    fn by_best_arcs(&self, best: usize, score: impl Fn(u32) -> f64) -> Scores {
        let mut values: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for arc in &self.failing.arcs {
            values.entry(self.part(arc)).or_default().push(score(arc));
        }
        values.into_iter().map(|(part, all)| (part, mean_of_best(all, best))).collect()
    }
}

fn mean(all: &[f64]) -> f64 {
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

fn mean_of_best(mut all: Vec<f64>, best: usize) -> f64 {
    all.sort_by(|a, b| b.total_cmp(a));
    all.truncate(best);
    mean(&all)
}
