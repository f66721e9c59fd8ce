//! A few rejected candidates per filter, to show what the filters do.

use std::collections::BTreeMap;

use crate::history::Change;
use crate::history::Commit;
use crate::operator::Filter;

/// Bytes of a sample's text that are kept.
const SHOWN: usize = 240;

/// One rejected candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    pub commit: String,
    pub path: String,
    pub before: String,
    pub after: String,
}

/// Up to this many samples per filter: those with the smallest keys, so that the choice does not depend on
/// the order of reading.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    most: usize,
    by_filter: BTreeMap<Filter, BTreeMap<u64, Sample>>,
}

impl Samples {
    /// Keeps up to `most` per filter; none if 0.
    pub fn new(most: usize) -> Self {
        Self { most, by_filter: BTreeMap::new() }
    }

    /// Whether samples are asked for at all.
    pub fn wanted(&self) -> bool {
        self.most > 0
    }

    /// Keeps a change if its key is small enough.
    pub fn add(&mut self, filter: Filter, key: u64, commit: &Commit, change: &Change) {
        let sample = || Sample {
            commit: commit.id.clone(),
            path: String::from_utf8_lossy(change.path).into_owned(),
            before: shown(change.before.lines()),
            after: shown(change.after.lines()),
        };
        self.add_with(filter, key, sample);
    }

    /// Keeps a sample if its key is small enough; makes it only then.
    pub fn add_with(&mut self, filter: Filter, key: u64, sample: impl FnOnce() -> Sample) {
        let list = self.by_filter.entry(filter).or_default();
        if list.len() < self.most || list.last_key_value().is_some_and(|(&last, _)| key <= last) {
            let new = sample();
            // The same change may be rejected twice: forward and backward, or in two commits.
            let known = list.entry(key).or_insert_with(|| new.clone());
            if new < *known {
                *known = new;
            }
            if list.len() > self.most {
                list.pop_last();
            }
        }
    }

    /// Adds another tally's samples.
    pub fn merge(&mut self, other: Self) {
        for (filter, list) in other.by_filter {
            for (key, sample) in list {
                self.add_with(filter, key, || sample);
            }
        }
    }

    /// The samples of a filter.
    pub fn of(&self, filter: Filter) -> impl Iterator<Item = &Sample> {
        self.by_filter.get(&filter).into_iter().flat_map(BTreeMap::values)
    }
}

fn shown(text: &[u8]) -> String {
    let cut = &text[..text.len().min(SHOWN)];
    let mut shown = String::from_utf8_lossy(cut).into_owned();
    if cut.len() < text.len() {
        shown.push('…');
    }
    shown
}
