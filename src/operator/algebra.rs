//! Sets put together, compared and thinned.

use std::collections::BTreeMap;

use super::Direction;
use super::Evidence;
use super::Filter;
use super::Funnel;
use super::Header;
use super::MergeError;
use super::Operator;
use super::OperatorSet;
use super::Shift;
use super::repository::agree_on_names;
use super::set::either;

/// Puts sets together: figures add up, repositories unite, of every limit the looser one is kept. Associative
/// and commutative, but for the name, which is the first one's.
pub fn merge(mut sets: Vec<OperatorSet>) -> Result<Option<OperatorSet>, MergeError> {
    agree_on_names(&mut sets);
    let mut sets = sets.into_iter();
    let Some(mut merged) = sets.next() else { return Ok(None) };
    for set in sets {
        same_kind(&merged, &set)?;
        absorb(&mut merged, set);
    }
    merged.sort();
    Ok(Some(merged))
}

/// Whether two sets can be put together.
pub fn same_kind(first: &OperatorSet, second: &OperatorSet) -> Result<(), MergeError> {
    let (x, y) = (&first.header, &second.header);
    let what = if x.language != y.language {
        format!("language ({} and {})", x.language, y.language)
    } else if x.direction != y.direction {
        format!("direction ({} and {})", x.direction.name(), y.direction.name())
    } else if x.granularity != y.granularity {
        format!("granularity ({} and {})", x.granularity, y.granularity)
    } else {
        return Ok(());
    };
    Err(MergeError { first: x.name.clone(), second: y.name.clone(), what })
}

fn absorb(merged: &mut OperatorSet, mut other: OperatorSet) {
    complete_funnels(merged);
    complete_funnels(&mut other);
    let before: Vec<u64> = DIRECTIONS.map(|way| seen(merged, way) + seen(&other, way)).into();
    absorb_entries(merged, &mut other);
    absorb_header(&mut merged.header, other.header);
    // What both sets had is one operator now: the rest are duplicates, as in one harvest of both.
    for (way, before) in DIRECTIONS.into_iter().zip(before) {
        let twice = before - seen(merged, way);
        if let Some(funnel) = merged.header.funnels.get_mut(way.name()) {
            funnel.reject(Filter::Duplicate, twice);
        }
    }
}

const DIRECTIONS: [Direction; 2] = [Direction::Backward, Direction::Forward];

/// How many operators came out of the funnel of this direction.
fn seen(set: &OperatorSet, way: Direction) -> u64 {
    let here = |operator: &&Operator| match (set.header.direction, way) {
        (Direction::Both, Direction::Forward) => operator.evidence.forward > 0,
        (Direction::Both, _) => operator.evidence.count > operator.evidence.forward,
        (own, way) => own == way,
    };
    set.operators.iter().filter(here).count() as u64
}

/// A hand-written set has no funnel: each of its operators is a candidate that passed.
fn complete_funnels(set: &mut OperatorSet) {
    for way in DIRECTIONS {
        if set.header.direction == way || set.header.direction == Direction::Both {
            let passed = seen(set, way);
            let funnel = || Funnel::of(passed, &BTreeMap::new());
            set.header.funnels.entry(way.name()).or_insert_with(funnel);
        }
    }
}

fn absorb_entries(merged: &mut OperatorSet, other: &mut OperatorSet) {
    let mut operators: BTreeMap<_, Operator> = BTreeMap::new();
    for operator in merged.operators.drain(..).chain(other.operators.drain(..)) {
        let key = (operator.find().to_vec(), operator.put().to_vec());
        match operators.get_mut(&key) {
            Some(known) => known.evidence.absorb(&operator.evidence),
            None => drop(operators.insert(key, operator)),
        }
    }
    merged.operators = operators.into_values().collect();
    let mut shifts: BTreeMap<_, Shift> = BTreeMap::new();
    for shift in merged.shifts.drain(..).chain(other.shifts.drain(..)) {
        let key = (shift.before.clone(), shift.after.clone());
        match shifts.get_mut(&key) {
            Some(known) => known.evidence.absorb(&shift.evidence),
            None => drop(shifts.insert(key, shift)),
        }
    }
    merged.shifts = shifts.into_values().collect();
}

fn absorb_header(header: &mut Header, other: Header) {
    header.partial |= other.partial;
    header.exposed += other.exposed;
    header.density = header.density.max(other.density);
    header.tool = either(&header.tool, &other.tool);
    header.thresholds.loosen(&other.thresholds);
    header.census.add(&other.census);
    header.sources.extend(other.sources);
    header.idioms.extend(other.idioms);
    for (direction, funnel) in &other.funnels {
        header.funnels.entry(direction).or_default().add(funnel);
    }
}

/// What a filter keeps; everything by default.
#[derive(Clone, Debug, Default)]
pub struct Keep {
    pub min_count: u64,
    pub min_repos: usize,
    /// Least share from fixes, from 0 to 1.
    pub min_fix_share: f64,
    /// Least share of tried places where it compiled, from 0 to 1; what was never tried stays.
    pub min_viable: f64,
    /// At most this many operators, and this many shifts, those seen most widely.
    pub top: Option<usize>,
}

/// Drops what the limits do not keep.
pub fn filter(set: &mut OperatorSet, keep: &Keep) {
    let fits = |evidence: &Evidence| {
        evidence.count >= keep.min_count
            && evidence.repos.len() >= keep.min_repos
            && evidence.fix_share() >= keep.min_fix_share
            && evidence.viable_share().is_none_or(|share| share >= keep.min_viable)
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

/// How two sets differ in their operators, or in their shifts.
#[derive(Debug, PartialEq, Eq)]
pub struct SetDiff<'a, T> {
    pub only_first: Vec<&'a T>,
    pub only_second: Vec<&'a T>,
    /// In both: the first one's, and the other one's.
    pub both: Vec<(&'a T, &'a T)>,
}

impl<T> SetDiff<'_, T> {
    /// Whether both sets have the same.
    pub fn is_same(&self) -> bool {
        self.only_first.is_empty() && self.only_second.is_empty()
    }
}

/// Compares operators by content.
pub fn diff<'a>(first: &'a OperatorSet, second: &'a OperatorSet) -> SetDiff<'a, Operator> {
    compare(&first.operators, &second.operators, |operator| (operator.find(), operator.put()))
}

/// Compares shifts by content.
pub fn diff_shifts<'a>(first: &'a OperatorSet, second: &'a OperatorSet) -> SetDiff<'a, Shift> {
    compare(&first.shifts, &second.shifts, |shift| (&shift.before, &shift.after))
}

fn compare<'a, T, K: Ord>(first: &'a [T], second: &'a [T], key: impl Fn(&'a T) -> K) -> SetDiff<'a, T> {
    let index = |list: &'a [T]| -> BTreeMap<K, &'a T> { list.iter().map(|item| (key(item), item)).collect() };
    let (known_first, known_second) = (index(first), index(second));
    let pair = |item| known_second.get(&key(item)).map(|other| (item, *other));
    SetDiff {
        only_first: first.iter().filter(|item| !known_second.contains_key(&key(item))).collect(),
        only_second: second.iter().filter(|item| !known_first.contains_key(&key(item))).collect(),
        both: first.iter().filter_map(pair).collect(),
    }
}
