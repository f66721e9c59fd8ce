//! From compiled mutants to a model: features that matter, their weights, and how good they are on what they have not
//! seen.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::insert::Inserter;
use crate::insert::ModelFile;
use crate::insert::Mutant;
use crate::insert::Trained;
use crate::insert::field;

use super::logistic::Penalty;
use super::logistic::Row;
use super::logistic::Weights;
use super::logistic::fit;

/// A mutant that was compiled.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Names and values, those about the operator left out.
    pub features: Vec<(String, f32)>,
    /// The operators that make it, by id.
    pub operators: Vec<String>,
    /// Per operator, where it was tried before, and how often it compiled there.
    pub figures: Vec<(u64, u64)>,
    /// Written by hand, and by nobody else.
    pub written: bool,
    pub viable: bool,
}

impl Sample {
    /// A mutant that compiles, or not.
    pub fn new(inserter: &Inserter, mutant: &Mutant, viable: bool) -> Self {
        let entries = || mutant.entries.iter().map(|entry| &inserter.arsenal.entries[*entry as usize]);
        Self {
            features: inserter.features(mutant),
            operators: entries().map(|entry| entry.id.clone()).collect(),
            figures: entries().map(|entry| (entry.evidence().sites, entry.evidence().viable)).collect(),
            written: entries().all(|entry| !entry.evidence().is_wild()),
            viable,
        }
    }
}

/// The samples of a project.
pub struct Sampled {
    pub name: String,
    pub samples: Vec<Sample>,
}

/// What is kept at a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub threshold: f64,
    /// The share of the viable that is kept.
    pub kept: f64,
    /// The share of the kept that is viable.
    pub viability: f64,
}

/// What came of training.
pub struct Learnt {
    pub file: ModelFile,
    /// Over all projects, each by a model that has not seen it.
    pub curve: Vec<Point>,
    /// The same at the threshold, by project: name, mutants, viable, point.
    pub projects: Vec<(String, usize, usize, Point)>,
}

/// How a model is trained.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Most weights of the model.
    pub most: usize,
    /// The share of the kept that must be viable.
    pub viability: f64,
    /// The threshold, where it is not chosen.
    pub threshold: Option<f64>,
}

/// Mutants and projects that a feature must be seen in.
const SUPPORT: usize = 8;
const PROJECTS: usize = 2;
/// For choosing features, and for weighing those that were chosen.
const CHOOSING: Penalty = Penalty { size: 0.5, number: 2.0 };
const WEIGHING: Penalty = Penalty { size: 1.0, number: 0.0 };

impl Training {
    /// Trains on projects.
    pub fn run(&self, language: &str, projects: &[Sampled]) -> Learnt {
        let table = Table::new(projects);
        let everything: Vec<usize> = (0..projects.len()).collect();
        let mut judged: Vec<(usize, f64, bool)> = Vec::new();
        for left_out in 0..projects.len() {
            let others: Vec<usize> = everything.iter().copied().filter(|other| *other != left_out).collect();
            let weights = self.weights(&table, &others);
            for row in table.rows(&[left_out], &others) {
                judged.push((left_out, weights.chance(&row), row.yes));
            }
        }
        let curve = curve(&judged);
        let threshold = self.threshold.unwrap_or_else(|| choose(&judged, self.viability));
        let all = point(judged.iter().map(|(_, chance, yes)| (*chance, *yes)), threshold);
        let of_project = |number: usize| {
            let own = judged.iter().filter(|(project, ..)| *project == number);
            let own = own.map(|(_, chance, yes)| (*chance, *yes));
            let (count, viable) = (own.clone().count(), own.clone().filter(|(_, yes)| *yes).count());
            (projects[number].name.clone(), count, viable, point(own, threshold))
        };
        let weights = self.weights(&table, &everything);
        let named = table.names.iter().zip(&weights.of).filter(|(_, weight)| weight.abs() >= 0.005);
        let trained = Trained {
            projects: projects.iter().map(|project| project.name.clone()).collect(),
            mutants: judged.len() as u64,
            viable: judged.iter().filter(|(.., yes)| *yes).count() as u64,
            kept: rounded(all.kept, 3),
            viability: rounded(all.viability, 3),
        };
        let file = ModelFile {
            format: 1,
            language: language.to_owned(),
            threshold: rounded(threshold, 3),
            base: rounded(table.base(&everything), 4),
            bias: rounded(weights.bias, 3),
            trained,
            weights: named.map(|(name, weight)| (name.clone(), rounded(*weight, 3))).collect::<BTreeMap<_, _>>(),
        };
        Learnt { file, curve, projects: everything.into_iter().map(of_project).collect() }
    }

    /// Chooses the features that matter most and weighs them.
    fn weights(&self, table: &Table, projects: &[usize]) -> Weights {
        let rows = table.rows(projects, projects);
        let rows: Vec<&Row> = rows.iter().collect();
        let supported = table.supported(projects);
        let count = table.names.len();
        let chosen = fit(&rows, count, CHOOSING, |feature| supported[feature]);
        let mut support = vec![0usize; count];
        rows.iter().flat_map(|row| &row.features).for_each(|(feature, _)| support[*feature as usize] += 1);
        let weight = |feature: usize| chosen.of[feature].abs() * (support[feature] as f64).sqrt();
        let mut order: Vec<usize> = (0..count).filter(|feature| chosen.of[*feature] != 0.0).collect();
        order.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)).then(table.names[*a].cmp(&table.names[*b])));
        let best: BTreeSet<usize> = order.into_iter().take(self.most).collect();
        fit(&rows, count, WEIGHING, |feature| best.contains(&feature))
    }
}

/// Samples as rows of numbers.
struct Table<'a> {
    projects: &'a [Sampled],
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl<'a> Table<'a> {
    fn new(projects: &'a [Sampled]) -> Self {
        let samples = projects.iter().flat_map(|project| &project.samples);
        let names = samples.flat_map(|sample| sample.features.iter().map(|(name, _)| name.clone()));
        let own = ["field", "operator:caught", "operator:written"].map(str::to_owned);
        let names: BTreeSet<String> = names.chain(own).collect();
        let names: Vec<String> = names.into_iter().collect();
        let numbers = names.iter().zip(0u32..).map(|(name, number)| (name.clone(), number)).collect();
        Self { projects, names, numbers }
    }

    /// The share of viable mutants.
    fn base(&self, projects: &[usize]) -> f64 {
        let samples = || projects.iter().flat_map(|project| &self.projects[*project].samples);
        samples().filter(|sample| sample.viable).count() as f64 / samples().count().max(1) as f64
    }

    /// The rows of projects; what is known of operators comes from other ones among `known`.
    fn rows(&self, projects: &[usize], known: &[usize]) -> Vec<Row> {
        let base = self.base(known);
        let mut rows = Vec::new();
        for project in projects {
            let others: Vec<usize> = known.iter().copied().filter(|other| other != project).collect();
            let figures = self.figures(&others);
            for sample in &self.projects[*project].samples {
                rows.push(self.row(sample, &figures, base));
            }
        }
        rows
    }

    fn row(&self, sample: &Sample, figures: &FxHashMap<&str, (u64, u64)>, base: f64) -> Row {
        let mut features: BTreeMap<u32, f32> = BTreeMap::new();
        for (name, value) in &sample.features {
            *features.entry(self.numbers[name]).or_default() += value;
        }
        let own = if sample.written { "operator:written" } else { "operator:caught" };
        features.insert(self.numbers[own], 1.0);
        let tried = sample.operators.iter().zip(&sample.figures).map(|(operator, (sites, viable))| {
            let (more, also) = figures.get(operator.as_str()).copied().unwrap_or_default();
            field(sites + more, viable + also, base)
        });
        features.insert(self.numbers["field"], tried.fold(f32::MIN, f32::max).max(-20.0));
        Row { features: features.into_iter().collect(), yes: sample.viable }
    }

    /// How often operators were tried in projects, and compiled.
    fn figures(&self, projects: &[usize]) -> FxHashMap<&str, (u64, u64)> {
        let mut figures: FxHashMap<&str, (u64, u64)> = FxHashMap::default();
        for sample in projects.iter().flat_map(|project| &self.projects[*project].samples) {
            for operator in &sample.operators {
                let (sites, viable) = figures.entry(operator).or_default();
                *sites += 1;
                *viable += u64::from(sample.viable);
            }
        }
        figures
    }

    /// Per feature, whether it was seen often enough.
    fn supported(&self, projects: &[usize]) -> Vec<bool> {
        let mut seen: Vec<(usize, BTreeSet<usize>)> = vec![(0, BTreeSet::new()); self.names.len()];
        for project in projects {
            for (name, _) in self.projects[*project].samples.iter().flat_map(|sample| &sample.features) {
                let (count, within) = &mut seen[self.numbers[name] as usize];
                *count += 1;
                within.insert(*project);
            }
        }
        let least = PROJECTS.min(projects.len());
        let own = |name: &str| name == "field" || name.starts_with("operator:");
        seen.iter()
            .zip(&self.names)
            .map(|((count, within), name)| own(name) || (*count >= SUPPORT && within.len() >= least))
            .collect()
    }
}

/// What is kept at a threshold.
fn point(judged: impl Iterator<Item = (f64, bool)>, threshold: f64) -> Point {
    let (mut viable, mut kept, mut right) = (0u64, 0u64, 0u64);
    for (chance, yes) in judged {
        viable += u64::from(yes);
        kept += u64::from(chance >= threshold);
        right += u64::from(yes && chance >= threshold);
    }
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    Point { threshold, kept: share(right, viable), viability: share(right, kept) }
}

fn curve(judged: &[(usize, f64, bool)]) -> Vec<Point> {
    let at = |tenth: u32| point(judged.iter().map(|(_, chance, yes)| (*chance, *yes)), f64::from(tenth) / 20.0);
    (1..20).map(at).collect()
}

/// The lowest threshold at which enough of the kept are viable.
fn choose(judged: &[(usize, f64, bool)], viability: f64) -> f64 {
    let at = |step: u32| point(judged.iter().map(|(_, chance, yes)| (*chance, *yes)), f64::from(step) / 100.0);
    (1..100).map(at).find(|point| point.viability >= viability).map_or(0.5, |point| point.threshold)
}

fn rounded(number: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Projects in which mutants compile unless they use a strange name; one operator never compiles.
    fn planted() -> Vec<Sampled> {
        let sample = |number: u32| {
            let strange = number % 3 == 0;
            let hopeless = number % 7 == 0;
            let mut features = vec![(format!("noise:{}", number % 5), 1.0)];
            if strange {
                features.push(("rule:names".to_owned(), 1.0));
            }
            Sample {
                features,
                operators: vec![if hopeless { "bad" } else { "good" }.to_owned()],
                figures: vec![(0, 0)],
                written: false,
                viable: !strange && !hopeless,
            }
        };
        let project = |name: &str, from: u32| Sampled {
            name: name.to_owned(),
            samples: (from..from + 200).map(sample).collect(),
        };
        vec![project("a", 0), project("b", 1000), project("c", 5000)]
    }

    #[test]
    fn what_decides_gets_the_weight_and_holds_in_projects_left_out() {
        let training = Training { most: 10, viability: 0.9, threshold: None };
        let learnt = training.run("c", &planted());
        assert!(learnt.file.weights["rule:names"] < -2.0, "{:?}", learnt.file.weights);
        assert!(learnt.file.weights["field"] > 0.5, "{:?}", learnt.file.weights);
        assert!(learnt.file.trained.kept > 0.95 && learnt.file.trained.viability > 0.95);
        assert_eq!(learnt.projects.len(), 3);
    }

    #[test]
    fn a_model_has_no_more_weights_than_asked_for() {
        let training = Training { most: 2, viability: 0.9, threshold: None };
        assert!(training.run("c", &planted()).file.weights.len() <= 2);
    }
}
