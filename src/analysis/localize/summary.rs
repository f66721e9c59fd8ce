//! Summary of one method over many faults: the figures that papers compare.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::Evaluation;

/// Up to where the first fault counts as found.
const TOPS: [usize; 4] = [1, 5, 10, 20];

/// How good a method is over many faulty programs. Means are over those in which a fault was found.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LocalizeSummary {
    /// Faulty programs.
    pub cases: usize,
    /// Those of which some faulty place is in the ranking.
    pub found: usize,
    /// (n, how many have their first fault among the first n).
    pub top: Vec<(usize, usize)>,
    /// Mean first rank.
    pub mfr: Option<f64>,
    /// Mean average rank: all faults of a program count.
    pub mar: Option<f64>,
    /// Mean expense in percent.
    pub expense: Option<f64>,
    /// Mean locality information loss.
    pub lil: Option<f64>,
}

impl LocalizeSummary {
    /// Sums up evaluations of one method.
    pub fn of(evaluations: &[Evaluation]) -> Self {
        let first: Vec<usize> = evaluations.iter().filter_map(|found| found.first).collect();
        let within = |limit: usize| first.iter().filter(|rank| **rank <= limit).count();
        let mean_of = |value: fn(&Evaluation) -> Option<f64>| mean(evaluations.iter().filter_map(value));
        Self {
            cases: evaluations.len(),
            found: first.len(),
            top: TOPS.into_iter().map(|limit| (limit, within(limit))).collect(),
            mfr: mean(first.iter().map(|rank| *rank as f64)),
            mar: mean_of(|found| found.average),
            expense: mean_of(|found| found.expense),
            lil: mean_of(|found| found.lil),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_found_counts_as_a_case_and_not_in_means() {
        let evaluation = |first: Option<usize>, average: Option<f64>| Evaluation {
            faults: Vec::new(),
            missing: Vec::new(),
            first,
            average,
            expense: first.map(|rank| rank as f64),
            lil: None,
        };
        let summary = LocalizeSummary::of(&[
            evaluation(Some(1), Some(2.0)),
            evaluation(Some(6), Some(7.0)),
            evaluation(None, None),
        ]);
        assert_eq!((summary.cases, summary.found), (3, 2));
        assert_eq!(summary.top, [(1, 1), (5, 1), (10, 2), (20, 2)]);
        assert_eq!(
            (summary.mfr, summary.mar, summary.expense, summary.lil),
            (Some(3.5), Some(4.5), Some(3.5), None)
        );
    }
}
