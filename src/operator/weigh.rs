//! Which operators of a set pay: likely enough, and with something to say that a more general one does not.

use std::collections::BTreeMap;

use super::Evidence;
use super::Operator;
use super::OperatorSet;
use super::Term;

/// What an operator needs to be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Least fixes per million places where the pattern stands.
    pub min_rate: f64,
    /// By what factor its rate must differ from that of the more general operator, either way.
    pub news: f64,
    /// At most this many operators, those seen in most fixes.
    pub top: Option<usize>,
}

impl Evidence {
    /// Fixes that show it, per place where its pattern stands; none if that was not counted.
    pub fn rate(&self) -> Option<f64> {
        (self.matches > 0).then(|| (self.fixes as f64 / self.matches as f64).min(1.0))
    }
}

/// Leaves out operators that do not pay; says how many.
pub fn weigh(set: &mut OperatorSet, weights: Weights) -> usize {
    let before = set.operators.len();
    let rates: BTreeMap<String, f64> = set
        .operators
        .iter()
        .filter_map(|operator| Some((operator.id(), operator.evidence.rate()?)))
        .collect();
    let pays = |operator: &Operator| {
        let Some(rate) = operator.evidence.rate().filter(|rate| rate * 1e6 >= weights.min_rate) else {
            return false;
        };
        let known = parents(operator).into_iter().filter_map(|parent| rates.get(&parent.id()));
        let said = |general: &f64| (rate / general).max(general / rate) < weights.news;
        !known.into_iter().any(said)
    };
    set.operators.retain(pays);
    if let Some(top) = weights.top {
        set.operators.sort_by_key(|operator| std::cmp::Reverse(operator.evidence.fixes));
        set.operators.truncate(top);
    }
    set.sort();
    before - set.operators.len()
}

/// The operators that do the same with less context.
fn parents(operator: &Operator) -> Vec<Operator> {
    let (find, put) = (operator.find(), operator.put());
    let same = |a: Option<&Term>, b: Option<&Term>| a.is_some() && a == b;
    let (left, right) = (same(find.first(), put.first()), same(find.last(), put.last()));
    let cut = |l: usize, r: usize| {
        let inner = |side: &[Term]| side[l..side.len() - r].to_vec();
        Operator::new(inner(find), inner(put), Evidence::default())
    };
    let mut parents = Vec::new();
    let room = find.len() > 1 && !put.is_empty();
    if left && room {
        parents.push(cut(1, 0));
    }
    if right && room {
        parents.push(cut(0, 1));
    }
    if left && right && find.len() > 2 && put.len() > 1 {
        parents.push(cut(1, 1));
    }
    parents
}
