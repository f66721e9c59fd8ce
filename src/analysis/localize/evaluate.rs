//! How good a ranking is, where the fault is known.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::CodePlace;
use super::FaultLine;
use super::FileNames;
use super::Rank;
use super::Ranking;
use super::Subject;
use super::locality_information_loss;

/// A place that is at fault, and where the ranking has it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultRank {
    pub place: CodePlace,
    pub rank: Rank,
}

/// How good a ranking is.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Evaluation {
    /// The places at fault, the one that is found first first. Lines of one place are one fault.
    pub faults: Vec<FaultRank>,
    /// Faulty lines in files of which the ranking has no place.
    pub missing: Vec<String>,
    /// The worst rank of the fault that is found first.
    pub first: Option<usize>,
    /// The mean of the worst ranks of all faults.
    pub average: Option<f64>,
    /// Places to look at until the first fault is found, in percent of those that failing tests execute.
    pub expense: Option<f64>,
    /// Locality information loss.
    pub lil: Option<f64>,
}

/// Holds a ranking against the lines that are at fault.
///
/// Ranks are the worst of a tie, as people would find out. What is executed is what a failing test executes:
/// nobody would look anywhere else.
pub fn evaluate(subject: &Subject, ranking: &Ranking, faults: &[FaultLine]) -> Evaluation {
    let (places, missing) = locate(subject, ranking, faults);
    let found = places.iter().map(|at| &ranking.places[*at]);
    let found: Vec<FaultRank> =
        found.map(|known| FaultRank { place: known.place.clone(), rank: known.rank }).collect();
    let first = found.first().map(|fault| fault.rank.worst);
    let sum: usize = found.iter().map(|fault| fault.rank.worst).sum();
    let is_executed = |statements: &[usize]| statements.iter().any(|at| subject.is_target(*at));
    let executed = ranking.places.iter().filter(|place| is_executed(&place.statements)).count();
    let scores: Vec<f64> = ranking.places.iter().map(|place| place.score).collect();
    Evaluation {
        first,
        average: first.map(|_| sum as f64 / found.len() as f64),
        expense: first.map(|rank| (100.0 * rank as f64 / executed.max(1) as f64).min(100.0)),
        lil: locality_information_loss(&scores, &places),
        faults: found,
        missing,
    }
}

/// The ranked places of faulty lines, each once, in the order of the ranking; and lines that are nowhere.
fn locate(subject: &Subject, ranking: &Ranking, faults: &[FaultLine]) -> (Vec<usize>, Vec<String>) {
    let names = FileNames::new(subject.spectrum.files());
    let mut owners = vec![None; subject.spectrum.statements.len()];
    for (at, place) in ranking.places.iter().enumerate() {
        place.statements.iter().for_each(|statement| owners[*statement] = Some(at));
    }
    let (mut places, mut missing) = (Vec::new(), Vec::new());
    for fault in faults {
        let file = names.find(&fault.file);
        let statement = file.and_then(|file| subject.spectrum.statement_at(file, fault.line));
        match statement.and_then(|statement| owners[statement]) {
            Some(place) => places.push(place),
            None => missing.push(format!("{}:{}", fault.file, fault.line)),
        }
    }
    places.sort_unstable();
    places.dedup();
    (places, missing)
}
