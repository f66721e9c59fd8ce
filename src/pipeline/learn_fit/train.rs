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

/// The result of training.
pub struct Learnt {
    pub file: ModelFile,
    /// Each project by a model that has not seen it.
    pub judged: Vec<Judged>,
}

/// What a model says of the mutants of a project, and whether they compile.
pub struct Judged {
    pub project: String,
    pub chances: Vec<Estimate>,
}

/// What a model says of a mutant.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    pub chance: f64,
    pub viable: bool,
    /// Only operators that were written by hand make it.
    pub written: bool,
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
        let judged: Vec<Judged> = everything.iter().map(|left_out| self.judge(&table, *left_out)).collect();
        let all: Vec<Estimate> = judged.iter().flat_map(|judged| judged.chances.iter().copied()).collect();
        let threshold = self.threshold.unwrap_or_else(|| choose(&all, self.viability));
        let point = point(&all, threshold);
        let weights = self.weights(&table, &everything);
        let named = table.names.iter().zip(&weights.of).filter(|(_, weight)| weight.abs() >= 0.005);
        let trained = Trained {
            projects: projects.iter().map(|project| project.name.clone()).collect(),
            mutants: all.len() as u64,
            viable: all.iter().filter(|estimate| estimate.viable).count() as u64,
            kept: rounded(point.kept, 3),
            viability: rounded(point.viability, 3),
        };
        let file = ModelFile {
            format: 1,
            language: language.to_owned(),
            threshold: rounded(threshold, 3),
            base: rounded(table.base(&everything), 4),
            bias: rounded(weights.bias, 3),
            trained,
            weights: named
                .map(|(name, weight)| (name.clone(), rounded(*weight, 3)))
                .collect::<BTreeMap<_, _>>(),
        };
        Learnt { file, judged }
    }

    /// What a model that was trained on the other projects says of one.
    fn judge(&self, table: &Table, left_out: usize) -> Judged {
        let others: Vec<usize> = (0..table.projects.len()).filter(|other| *other != left_out).collect();
        let weights = self.weights(table, &others);
        let project = &table.projects[left_out];
        let rows = table.rows(&[left_out], &others);
        let estimate = |(row, sample): (&Row, &Sample)| Estimate {
            chance: weights.chance(row),
            viable: sample.viable,
            written: sample.written,
        };
        let chances = rows.iter().zip(&project.samples).map(estimate).collect();
        Judged { project: project.name.clone(), chances }
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

/// What a model says of the mutants of a project.
pub fn judge_by(file: &ModelFile, project: &Sampled) -> Judged {
    let weight = |name: &str| file.weights.get(name).copied().unwrap_or(0.0);
    let estimate = |sample: &Sample| {
        let own = if sample.written { "operator:written" } else { "operator:caught" };
        let features = sample.features.iter().map(|(name, value)| weight(name) * f64::from(*value));
        let tried = sample.figures.iter().map(|(sites, viable)| field(*sites, *viable, file.base));
        let field = weight("field") * f64::from(tried.fold(f32::MIN, f32::max).max(-20.0));
        let sum = file.bias + features.sum::<f64>() + field + weight(own);
        Estimate { chance: 1.0 / (1.0 + (-sum).exp()), viable: sample.viable, written: sample.written }
    };
    Judged { project: project.name.clone(), chances: project.samples.iter().map(estimate).collect() }
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
pub fn point(estimates: &[Estimate], threshold: f64) -> Point {
    let count =
        |wanted: &dyn Fn(&Estimate) -> bool| estimates.iter().filter(|one| wanted(one)).count() as f64;
    let viable = count(&|one| one.viable);
    let kept = count(&|one| one.chance >= threshold);
    let right = count(&|one| one.viable && one.chance >= threshold);
    Point { threshold, kept: right / viable.max(1.0), viability: right / kept.max(1.0) }
}

/// The lowest threshold at which enough of the kept are viable.
fn choose(estimates: &[Estimate], viability: f64) -> f64 {
    let at = |step: u32| point(estimates, f64::from(step) / 100.0);
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
            let strange = number.is_multiple_of(3);
            let hopeless = number.is_multiple_of(7);
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
        assert_eq!(learnt.judged.len(), 3);
        let again = judge_by(&learnt.file, &planted()[0]);
        assert!(point(&again.chances, learnt.file.threshold).kept > 0.95);
    }

    #[test]
    fn a_model_has_no_more_weights_than_asked_for() {
        let training = Training { most: 2, viability: 0.9, threshold: None };
        assert!(training.run("c", &planted()).file.weights.len() <= 2);
    }
}
