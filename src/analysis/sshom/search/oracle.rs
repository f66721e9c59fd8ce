//! Trying combinations, and keeping those that are strongly subsuming.

use roaring::RoaringBitmap;

use super::super::definition::Subsumption;
use super::first::FirstOrder;

/// Runs all tests with a combination of mutants on.
pub trait KillOracle {
    /// The tests that fail with these mutants (in ascending order) on.
    fn kills(&mut self, combination: &[u32]) -> RoaringBitmap;
}

impl<F: FnMut(&[u32]) -> RoaringBitmap> KillOracle for F {
    fn kills(&mut self, combination: &[u32]) -> RoaringBitmap {
        self(combination)
    }
}

/// Says what to try next: always the same, if it is asked for as many and told the same. If many are asked for at
/// once, some of them are combinations that it would not have tried, had it been told of the first ones before.
pub trait Search {
    /// The next combinations to try, at most this many, each in ascending order; none when there is nothing
    /// left to try.
    fn ask(&mut self, most: usize) -> Vec<Vec<u32>>;

    /// The result of one of them: the tests that fail with it.
    fn tell(&mut self, combination: &[u32], kills: &RoaringBitmap);
}

/// A strongly subsuming higher-order mutant.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundSshom {
    pub mutants: Vec<u32>,
    pub subsumption: Subsumption,
    pub kills: RoaringBitmap,
    /// How many combinations had been tried, this one included.
    pub tried: u64,
}

/// What a search found, and how many combinations it tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOutcome {
    pub found: Vec<FoundSshom>,
    pub tried: u64,
    /// There was nothing left to try.
    pub exhausted: bool,
}

/// Tries one combination after the other, at most `budget`.
pub fn run(
    search: &mut dyn Search,
    oracle: &mut dyn KillOracle,
    first: &FirstOrder,
    budget: u64,
) -> SearchOutcome {
    let mut outcome = SearchOutcome::default();
    while outcome.tried < budget {
        let Some(combination) = search.ask(1).pop() else {
            outcome.exhausted = true;
            break;
        };
        let kills = oracle.kills(&combination);
        outcome.tried += 1;
        search.tell(&combination, &kills);
        if let Some(subsumption) = first.judge(&combination, &kills) {
            outcome.found.push(FoundSshom { mutants: combination, subsumption, kills, tried: outcome.tried });
        }
    }
    outcome
}
