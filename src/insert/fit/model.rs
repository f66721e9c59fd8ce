//! The model of viability: weights of named features, read from a file; an edit in, the chance that it compiles out.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

use super::super::arsenal::Entry;
use super::features::Sink;
use super::judge::Judge;
use super::rules::Rule;
use super::rules::Rules;

/// The version of the format that is read and written.
const FORMAT: u32 = 1;
/// Places that count as tried before an operator was tried anywhere.
const PRIOR: f64 = 3.0;
/// The feature of how often the operator compiled where it was tried.
pub const FIELD: &str = "field";
/// The features of who wrote the operator.
pub const CAUGHT: &str = "operator:caught";
pub const WRITTEN: &str = "operator:written";

/// The file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    pub format: u32,
    pub language: String,
    /// Mutants are kept whose chance is at least this.
    pub threshold: f64,
    /// The share of the mutants that compile.
    pub base: f64,
    /// What it weighs if nothing is known.
    pub bias: f64,
    pub trained: Trained,
    /// Sorted by name.
    pub weights: BTreeMap<String, f64>,
}

/// What a model was trained on, and how good it is on projects that it had not seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trained {
    pub projects: Vec<String>,
    pub mutants: u64,
    pub viable: u64,
    /// Each project left out once: the share of the viable that is kept at the threshold, and how many of the kept
    /// are viable.
    pub kept: f64,
    pub viability: f64,
}

/// Why a model cannot be used.
#[derive(Debug, Error)]
pub enum ModelError {
    #[error("{name} is not a viability model: {source}")]
    Toml { name: String, source: Box<toml::de::Error> },
    #[error(
        "{name} has format {format}, but this version reads {FORMAT}; train it again with `wildcaught ops \
         learn-fit`"
    )]
    Format { name: String, format: u32 },
}

impl ModelFile {
    /// Reads a file; `name` is for messages.
    pub fn read(text: &str, name: &str) -> Result<Self, ModelError> {
        let file: Self = toml::from_str(text)
            .map_err(|error| ModelError::Toml { name: name.to_owned(), source: Box::new(error) })?;
        if file.format != FORMAT {
            return Err(ModelError::Format { name: name.to_owned(), format: file.format });
        }
        Ok(file)
    }
}

/// Weights, ready to use.
#[derive(Clone, Debug)]
pub struct Model {
    weights: FxHashMap<u64, f32>,
    bias: f32,
    base: f64,
    field: f32,
    caught: f32,
    written: f32,
    /// What the features can add that are asked later.
    pub rest: Rest,
    pub threshold: f32,
}

impl From<&ModelFile> for Model {
    fn from(file: &ModelFile) -> Self {
        let weight = |name: &str| file.weights.get(name).copied().unwrap_or(0.0) as f32;
        Self {
            weights: file
                .weights
                .iter()
                .map(|(name, weight)| (key(&[name.as_bytes()]), *weight as f32))
                .collect(),
            bias: file.bias as f32,
            base: file.base,
            field: weight(FIELD),
            caught: weight(CAUGHT),
            written: weight(WRITTEN),
            rest: Rest::new(&file.weights),
            threshold: file.threshold as f32,
        }
    }
}

/// The most that features can add which take long to find, so that nobody looks for them in vain.
#[derive(Clone, Debug)]
pub struct Rest {
    place: f32,
    /// For every name that comes.
    names: f32,
    /// Types and rules.
    pub late: f32,
    /// Whether types have weights.
    pub types: bool,
    /// The rules that have weights.
    pub rules: Rules,
}

/// Features of a place, with how many of a kind an edit has at most.
const OF_PLACE: [(&str, usize); 8] = [
    ("place:", 11),
    ("in:", 3),
    ("statement:", 2),
    ("names:", 4),
    ("swap:", 2),
    ("delete:", 1),
    ("tail:", 1),
    ("loses:", 2),
];

impl Rest {
    fn new(weights: &BTreeMap<String, f64>) -> Self {
        let most = |start: &str, count: usize| {
            let own = weights.iter().filter(|(name, _)| name.starts_with(start));
            let mut own: Vec<f64> = own.map(|(_, weight)| weight.max(0.0)).collect();
            own.sort_by(|a, b| b.total_cmp(a));
            own.iter().take(count).sum::<f64>() as f32
        };
        let named = |rule: &Rule| weights.contains_key(&format!("rule:{}", rule.row().name));
        Self {
            place: OF_PLACE.iter().map(|(start, count)| most(start, *count)).sum(),
            names: most("name:", 1),
            late: most("rule:", usize::MAX) + most("type:", 1),
            types: weights.keys().any(|name| name.starts_with("type:")),
            rules: Rules::of(Judge::feature_rules().iter().filter(named)),
        }
    }

    /// The most that the place adds to an edit with so many new tokens.
    pub fn of_place(&self, new: usize) -> f32 {
        self.place + self.names * new as f32
    }
}

impl Model {
    /// Sums up features of an edit.
    pub fn scorer(&self) -> Scorer<'_> {
        Scorer { model: self, sum: self.bias }
    }

    /// What an operator adds: where it compiled, and who wrote it.
    pub fn operator(&self, sites: u64, viable: u64, written: bool) -> f32 {
        let own = if written { self.written } else { self.caught };
        own + self.field * field(sites, viable, self.base)
    }
}

/// A model, and how likely a mutant must be.
#[derive(Clone, Debug)]
pub struct Learned {
    pub model: Arc<Model>,
    pub threshold: f32,
}

impl Learned {
    /// The chance that an edit compiles which an entry makes; `sum` is what the edit itself adds.
    pub fn chance(&self, entry: &Entry, sum: f32) -> f32 {
        chance(sum + self.operator(entry))
    }

    /// What an edit must add so that an entry's mutant is likely enough.
    pub fn least(&self, entry: &Entry) -> f32 {
        logit(self.threshold) - self.operator(entry)
    }

    fn operator(&self, entry: &Entry) -> f32 {
        let evidence = entry.evidence();
        let written = entry.demands.iter().all(|demands| demands.written);
        self.model.operator(evidence.sites, evidence.viable, written)
    }
}

/// The sum that a chance stands for.
pub fn logit(chance: f32) -> f32 {
    (chance / (1.0 - chance)).ln()
}

/// The chance that a sum stands for.
pub fn chance(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// How much more or less often than the rest an operator compiled, as a difference of logits; 0 if it was not tried.
pub fn field(sites: u64, viable: u64, base: f64) -> f32 {
    let base = base.clamp(0.001, 0.999);
    let share = (viable as f64 + PRIOR * base) / (sites as f64 + PRIOR);
    let logit = |share: f64| (share / (1.0 - share)).ln();
    (logit(share.clamp(0.001, 0.999)) - logit(base)) as f32
}

/// Sums up weights.
pub struct Scorer<'m> {
    model: &'m Model,
    pub sum: f32,
}

impl Sink for Scorer<'_> {
    fn add(&mut self, name: &[&[u8]], value: f32) {
        if let Some(weight) = self.model.weights.get(&key(name)) {
            self.sum += weight * value;
        }
    }
}

/// Collects names.
#[derive(Default)]
pub struct Names(pub Vec<(String, f32)>);

impl Sink for Names {
    fn add(&mut self, name: &[&[u8]], value: f32) {
        self.0.push((String::from_utf8_lossy(&name.concat()).into_owned(), value));
    }
}

/// A number for a name, the same however it is put together (FNV-1a).
fn key(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> ModelFile {
        let trained =
            Trained { projects: vec!["a".into()], mutants: 10, viable: 5, kept: 0.8, viability: 0.9 };
        let weights = [("rule:names", -2.0), (FIELD, 1.0), (WRITTEN, 0.5)];
        let weights = weights.into_iter().map(|(name, weight)| (name.to_owned(), weight)).collect();
        ModelFile { format: 1, language: "c".into(), threshold: 0.5, base: 0.2, bias: 0.1, trained, weights }
    }

    #[test]
    fn a_model_is_read_as_it_was_written_and_sums_up_what_it_knows() {
        let text = toml::to_string(&file()).unwrap();
        let model = Model::from(&ModelFile::read(&text, "x").unwrap());
        let mut scorer = model.scorer();
        scorer.add(&[b"rule:", b"names"], 1.0);
        scorer.add(&[b"rule:rows"], 1.0);
        assert!((scorer.sum + 1.9).abs() < 1e-6);
        assert!((model.operator(0, 0, true) - 0.5).abs() < 1e-6);
        assert!(model.operator(9, 9, false) > 1.0 && model.operator(9, 0, false) < -0.5);
    }

    #[test]
    fn another_format_is_refused_with_a_remedy() {
        let text = toml::to_string(&ModelFile { format: 2, ..file() }).unwrap();
        assert!(ModelFile::read(&text, "x").unwrap_err().to_string().contains("learn-fit"));
    }
}
