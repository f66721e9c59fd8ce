//! Functions with an error outside of all mutants' lines: their mutants are tried in halves.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::VecDeque;

/// A function of a file; none: all of the file.
pub type DoubtPlace = (usize, Option<usize>);

/// A function in doubt: some of its mutants are known to do no harm, some are being tried, some wait.
#[derive(Debug, Default)]
struct Doubt {
    trying: Vec<u32>,
    waiting: VecDeque<Vec<u32>>,
}

/// All functions in doubt.
#[derive(Debug, Default)]
pub struct Doubts {
    open: BTreeMap<DoubtPlace, Doubt>,
    parked: BTreeSet<u32>,
}

impl Doubts {
    /// Whether a mutant waits for its turn.
    pub fn is_parked(&self, mutant: u32) -> bool {
        self.parked.contains(&mutant)
    }

    /// Whether there is a doubt left.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether there is a doubt about this place.
    pub fn knows(&self, place: DoubtPlace) -> bool {
        self.open.contains_key(&place)
    }

    /// The places in doubt.
    pub fn places(&self) -> Vec<DoubtPlace> {
        self.open.keys().copied().collect()
    }

    /// An error fell outside of all mutants' lines while these mutants of a place were in. Gives the one that is
    /// guilty, once it is known.
    pub fn blame(&mut self, place: DoubtPlace, active: &[u32]) -> Option<u32> {
        let known = self.open.contains_key(&place);
        let doubt = self.open.entry(place).or_default();
        // Nothing was being tried, so that those who were thought harmless are not.
        if !known || doubt.trying.is_empty() {
            doubt.trying = active.to_vec();
        }
        let tried = std::mem::take(&mut doubt.trying);
        let guilty = if tried.len() > 1 {
            let (left, right) = tried.split_at(tried.len() / 2);
            doubt.waiting.push_front(right.to_vec());
            doubt.waiting.push_front(left.to_vec());
            None
        } else {
            tried.first().copied()
        };
        self.next(place);
        guilty
    }

    /// An error fell outside of all mutants' lines, and these mutants look as if they could be guilty: each is tried by
    /// itself, after all others are known to do no harm.
    pub fn suspect(&mut self, place: DoubtPlace, suspects: &[u32]) {
        let waiting = suspects.iter().map(|mutant| vec![*mutant]).collect();
        self.parked.extend(suspects);
        self.open.insert(place, Doubt { trying: vec![], waiting });
    }

    /// The place built with what is being tried.
    pub fn acquit(&mut self, place: DoubtPlace) {
        if let Some(doubt) = self.open.get_mut(&place) {
            doubt.trying.clear();
            self.next(place);
        }
    }

    /// A mutant of a place moved to another rung and must be tried again.
    pub fn retry(&mut self, place: DoubtPlace, mutant: u32) {
        if let Some(doubt) = self.open.get_mut(&place) {
            doubt.trying.retain(|other| *other != mutant);
            doubt.waiting.push_back(vec![mutant]);
            self.parked.insert(mutant);
        }
    }

    /// Everything that still waits.
    pub fn waiting(&self) -> Vec<u32> {
        self.parked.iter().copied().collect()
    }

    fn next(&mut self, place: DoubtPlace) {
        let Some(doubt) = self.open.get_mut(&place) else { return };
        let turn = doubt.waiting.pop_front();
        let over = turn.is_none();
        doubt.trying = turn.unwrap_or_default();
        for mutant in &doubt.trying {
            self.parked.remove(mutant);
        }
        self.parked.extend(doubt.waiting.iter().flatten());
        if over {
            self.open.remove(&place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the compiler: an error outside of all mutants' lines whenever a guilty mutant is in.
    fn find(all: &[u32], guilty: &[u32]) -> (Vec<u32>, usize) {
        let (mut doubts, mut found, mut rounds) = (Doubts::default(), Vec::new(), 0);
        let place = (0, Some(0));
        loop {
            rounds += 1;
            let active: Vec<u32> =
                all.iter().copied().filter(|m| !doubts.is_parked(*m) && !found.contains(m)).collect();
            if active.iter().any(|mutant| guilty.contains(mutant)) {
                found.extend(doubts.blame(place, &active));
            } else if doubts.is_empty() {
                return (found, rounds);
            } else {
                doubts.acquit(place);
            }
        }
    }

    #[test]
    fn suspects_are_tried_one_by_one_and_the_rest_if_need_be() {
        let all: Vec<u32> = (0..16).collect();
        for guilty in [vec![3, 5], vec![4], vec![3, 9]] {
            let (mut doubts, mut found) = (Doubts::default(), Vec::new());
            let place = (0, Some(0));
            doubts.suspect(place, &[3, 5, 7]);
            while !doubts.is_empty() {
                let active: Vec<u32> =
                    all.iter().copied().filter(|m| !doubts.is_parked(*m) && !found.contains(m)).collect();
                if active.iter().any(|mutant| guilty.contains(mutant)) {
                    found.extend(doubts.blame(place, &active));
                } else {
                    doubts.acquit(place);
                }
            }
            found.sort_unstable();
            assert_eq!(found, guilty);
        }
    }

    #[test]
    fn the_guilty_are_found_in_few_rounds() {
        let all: Vec<u32> = (0..64).collect();
        let (found, rounds) = find(&all, &[17]);
        assert_eq!(found, [17]);
        assert!(rounds <= 16, "{rounds}");
        assert_eq!(find(&all, &[3, 40, 63]).0, [3, 40, 63]);
        assert_eq!(find(&all, &[]).1, 1);
    }
}
