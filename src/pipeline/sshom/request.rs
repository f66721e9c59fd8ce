//! What is searched for, how, and within which bounds.

use std::time::Duration;

use crate::analysis::sshom::Which;

/// With more mutants, not all combinations are looked at unless that is asked for.
const MANY: usize = 500;

/// A way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    /// All: each test is run once for all combinations that do the same in it.
    Variational,
    /// Likely ones first.
    Prioritized,
    /// Bred from those that came near.
    Genetic,
    /// All pairs, then all triples, and so on.
    BruteForce,
}

impl SearchKind {
    /// Its short name, as it is typed and shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Variational => "var",
            Self::Prioritized => "pri",
            Self::Genetic => "gen",
            Self::BruteForce => "bf",
        }
    }
}

/// A search for strongly subsuming higher-order mutants.
#[derive(Clone, Debug)]
pub struct SshomRequest {
    /// The searches to make; the first one's result is listed. If there is none, one is chosen by the number of
    /// mutants.
    pub searches: Vec<SearchKind>,
    /// For each search, the time for testing mutants one by one included.
    pub budget: Option<Duration>,
    /// Most combinations, or for the variational search most leaves for each test that may be the first to kill.
    pub max_looked: Option<u64>,
    /// The most mutants of a combination.
    pub max_order: Option<usize>,
    /// Which ones are wanted.
    pub which: Which,
    /// Of the genetic search.
    pub seed: u32,
    /// How many are listed, and verified; all if there is no number.
    pub list: Option<usize>,
    /// Whether those that are listed are built from the sources and tested.
    pub verify: bool,
}

impl SshomRequest {
    /// The searches that are made in a program with this number of mutants.
    pub fn chosen(&self, mutants: usize) -> Vec<SearchKind> {
        match &self.searches[..] {
            [] if mutants > MANY => vec![SearchKind::Prioritized],
            [] => vec![SearchKind::Variational],
            asked => asked.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_complete_search_is_the_default_for_few_mutants() {
        let mut request = SshomRequest {
            searches: vec![],
            budget: None,
            max_looked: None,
            max_order: None,
            which: Which::All,
            seed: 1,
            list: None,
            verify: false,
        };
        assert_eq!(request.chosen(500), [SearchKind::Variational]);
        assert_eq!(request.chosen(501), [SearchKind::Prioritized]);
        request.searches = vec![SearchKind::BruteForce, SearchKind::Variational];
        assert_eq!(request.chosen(501), request.searches);
    }
}
