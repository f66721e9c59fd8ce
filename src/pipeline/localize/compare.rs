//! Compares methods over many faults: which one finds them sooner.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::analysis::localize::Evaluation;
use crate::analysis::localize::LocalizeSummary;
use crate::analysis::localize::Wilcoxon;
use crate::analysis::localize::wilcoxon;

/// How methods did on one fault.
pub struct FaultResult {
    /// Where it was read from, for messages.
    pub origin: String,
    /// Names of methods, and how good their rankings are.
    pub methods: Vec<(String, Option<Evaluation>)>,
}

/// A method and how it did on all faults.
pub struct ComparedMethod {
    pub name: String,
    /// One per fault.
    pub evaluations: Vec<Evaluation>,
    pub summary: LocalizeSummary,
    /// Against the first method, over the faults that both found.
    pub wilcoxon: Option<Wilcoxon>,
}

/// Why results cannot be compared, and what to do about it.
#[derive(Debug, Error)]
pub enum CompareError {
    #[error(
        "{origin}: has no evaluation; name the fault with --faults, --fix-diff or --fixed when you run \
        localize"
    )]
    NoEvaluation { origin: String },
    #[error("method {method} is not in all files; run localize with the same --method for all")]
    Incomplete { method: String },
}

/// Compares the methods of these names, each with the first; if there are none, all in the order in which the results
/// name them.
pub fn compare(results: Vec<FaultResult>, wanted: &[String]) -> Result<Vec<ComparedMethod>, CompareError> {
    let faults = results.len();
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Vec<Evaluation>> = BTreeMap::new();
    for FaultResult { origin, methods } in results {
        let is_wanted = |name: &String| wanted.is_empty() || wanted.contains(name);
        for (name, evaluation) in methods.into_iter().filter(|(name, _)| is_wanted(name)) {
            let evaluation =
                evaluation.ok_or_else(|| CompareError::NoEvaluation { origin: origin.clone() })?;
            if !order.contains(&name) {
                order.push(name.clone());
            }
            found.entry(name).or_default().push(evaluation);
        }
    }
    if let Some((method, _)) = found.iter().find(|(_, evaluations)| evaluations.len() != faults) {
        return Err(CompareError::Incomplete { method: method.clone() });
    }
    if let Some(method) = wanted.iter().find(|name| !order.contains(name)) {
        return Err(CompareError::Incomplete { method: method.clone() });
    }
    let mut compared: Vec<ComparedMethod> = Vec::new();
    for name in if wanted.is_empty() { &order } else { wanted } {
        let evaluations = found.remove(name).unwrap_or_default();
        let wilcoxon = compared.first().and_then(|first| test(&first.evaluations, &evaluations));
        compared.push(ComparedMethod {
            name: name.clone(),
            summary: LocalizeSummary::of(&evaluations),
            evaluations,
            wilcoxon,
        });
    }
    Ok(compared)
}

/// Whether first ranks differ, over the faults that both methods found.
fn test(one: &[Evaluation], other: &[Evaluation]) -> Option<Wilcoxon> {
    let ranks = |(one, other): (&Evaluation, &Evaluation)| Some((one.first? as f64, other.first? as f64));
    let pairs: Vec<(f64, f64)> = one.iter().zip(other).filter_map(ranks).collect();
    wilcoxon(&pairs)
}
