//! Sets put together, compared and thinned.

use std::collections::BTreeMap;

use super::Evidence;
use super::Filter;
use super::MergeError;
use super::Operator;
use super::OperatorSet;
use super::Shift;

/// Puts sets together: figures add up, repositories unite, thresholds stay as the sets were harvested.
/// Associative and commutative, but for the name, which is the first one's.
pub fn merge(mut sets: Vec<OperatorSet>) -> Result<Option<OperatorSet>, MergeError> {
    if sets.is_empty() {
        return Ok(None);
    }
    let mut merged = sets.remove(0);
    for set in sets {
        check_kind(&merged, &set)?;
        absorb(&mut merged, set);
    }
    merged.sort();
    Ok(Some(merged))
}

fn check_kind(a: &OperatorSet, b: &OperatorSet) -> Result<(), MergeError> {
    let (x, y) = (&a.header, &b.header);
    let what = if x.language != y.language {
        "language"
    } else if x.direction != y.direction {
        "direction"
    } else if x.granularity != y.granularity {
        "granularity"
    } else {
        return Ok(());
    };
    Err(MergeError { first: x.name.clone(), second: y.name.clone(), what })
}

fn absorb(merged: &mut OperatorSet, other: OperatorSet) {
    let before = merged.operators.len() + other.operators.len();
    let mut operators: BTreeMap<_, Operator> = BTreeMap::new();
    for operator in merged.operators.drain(..).chain(other.operators) {
        let key = (operator.find().to_vec(), operator.put().to_vec());
        match operators.get_mut(&key) {
            Some(known) => known.evidence.absorb(&operator.evidence),
            None => drop(operators.insert(key, operator)),
        }
    }
    merged.operators = operators.into_values().collect();
    let mut shifts: BTreeMap<_, Shift> = BTreeMap::new();
    for shift in merged.shifts.drain(..).chain(other.shifts) {
        match shifts.get_mut(&(shift.before.clone(), shift.after.clone())) {
            Some(known) => known.evidence.absorb(&shift.evidence),
            None => drop(shifts.insert((shift.before.clone(), shift.after.clone()), shift)),
        }
    }
    merged.shifts = shifts.into_values().collect();
    let header = &mut merged.header;
    header.partial |= other.header.partial;
    header.census.add(&other.header.census);
    header.sources.extend(other.header.sources);
    header.idioms.extend(other.header.idioms);
    for (direction, funnel) in &other.header.funnels {
        header.funnels.entry(direction).or_default().add(funnel);
    }
    // What both sets had is one operator now: the rest are duplicates, as in one harvest of both.
    let twice = (before - merged.operators.len()) as u64;
    if let (1, Some(funnel)) = (header.funnels.len(), header.funnels.values_mut().next()) {
        funnel.reject(Filter::Duplicate, twice);
    }
}

/// What a filter keeps; everything by default.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    pub min_count: u64,
    pub min_repos: usize,
    /// Least share from fixes, from 0 to 1.
    pub min_fix_share: f64,
    /// At most so many operators, and so many shifts, those seen most widely.
    pub top: Option<usize>,
}

/// Drops what the limits do not keep.
pub fn filter(set: &mut OperatorSet, keep: &Keep) {
    let fits = |evidence: &Evidence| {
        evidence.count >= keep.min_count
            && evidence.repos.len() >= keep.min_repos
            && evidence.fix_share() >= keep.min_fix_share
    };
    set.sort();
    set.operators.retain(|operator| fits(&operator.evidence));
    set.shifts.retain(|shift| fits(&shift.evidence));
    if let Some(top) = keep.top {
        set.operators.truncate(top);
        set.shifts.truncate(top);
    }
    let thresholds = &mut set.header.thresholds;
    thresholds.min_count = thresholds.min_count.max(keep.min_count);
    thresholds.min_repos = thresholds.min_repos.max(keep.min_repos);
}

/// How two sets differ.
pub struct SetDiff<'a> {
    pub only_first: Vec<&'a Operator>,
    pub only_second: Vec<&'a Operator>,
    /// In both, with the counts in each.
    pub both: Vec<(&'a Operator, u64, u64)>,
}

/// Compares operators by content.
pub fn diff<'a>(first: &'a OperatorSet, second: &'a OperatorSet) -> SetDiff<'a> {
    let index = |set: &'a OperatorSet| -> BTreeMap<_, &'a Operator> {
        set.operators.iter().map(|operator| ((operator.find(), operator.put()), operator)).collect()
    };
    let (a, b) = (index(first), index(second));
    let only = |set: &'a OperatorSet, other: &BTreeMap<_, &'a Operator>| {
        set.operators
            .iter()
            .filter(|operator| !other.contains_key(&(operator.find(), operator.put())))
            .collect()
    };
    SetDiff {
        only_first: only(first, &b),
        only_second: only(second, &a),
        both: first
            .operators
            .iter()
            .filter_map(|operator| {
                let other = b.get(&(operator.find(), operator.put()))?;
                Some((operator, operator.evidence.count, other.evidence.count))
            })
            .collect(),
    }
}
