//! Trying combinations, and keeping those that are strongly subsuming.

use roaring::RoaringBitmap;

use super::super::definition::Subsumption;
use super::first::FirstOrder;

/// Runs all tests with a combination of mutants on.
pub trait Oracle {
    /// The tests that fail with these mutants (in ascending order) on.
    fn kills(&mut self, combination: &[u32]) -> RoaringBitmap;
}

impl<F: FnMut(&[u32]) -> RoaringBitmap> Oracle for F {
    fn kills(&mut self, combination: &[u32]) -> RoaringBitmap {
        self(combination)
    }
}

/// Says what to try next: always the same, if it is asked for as many and told the same. Whoever asks for
/// many at once gets more that a search would not have tried, had it been told of the first ones before.
pub trait Search {
    /// The next combinations to try, at most so many, each in ascending order; none when there is nothing
    /// left to try.
    fn ask(&mut self, most: usize) -> Vec<Vec<u32>>;

    /// What came of one of them: the tests that fail with it.
    fn tell(&mut self, combination: &[u32], kills: &RoaringBitmap);
}

/// A strongly subsuming higher-order mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub mutants: Vec<u32>,
    pub subsumption: Subsumption,
    pub kills: RoaringBitmap,
    /// It was the so-manieth combination tried, from 1.
    pub tried: u64,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub found: Vec<Found>,
    pub tried: u64,
    /// There was nothing left to try.
    pub exhausted: bool,
}

/// Tries one combination after the other, at most so many.
pub fn run(search: &mut dyn Search, oracle: &mut dyn Oracle, first: &FirstOrder, budget: u64) -> Report {
    let mut report = Report::default();
    while report.tried < budget {
        let Some(combination) = search.ask(1).pop() else {
            report.exhausted = true;
            break;
        };
        let kills = oracle.kills(&combination);
        report.tried += 1;
        search.tell(&combination, &kills);
        if let Some(subsumption) = first.judge(&combination, &kills) {
            report.found.push(Found { mutants: combination, subsumption, kills, tried: report.tried });
        }
    }
    report
}
