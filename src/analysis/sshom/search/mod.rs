//! Searches that try combinations one after the other.
//!
//! In: what each mutant's tests are, and an oracle that runs combinations. Out: the strongly subsuming ones
//! that were found. A search says what to try next (`Search::ask`) and is told the result
//! (`Search::tell`), so that many can be run at once; `run` tries them one by one.

mod brute;
mod first;
mod fitness;
mod genetic;
mod oracle;
mod penalty;
mod prioritized;

pub use brute::BruteForce;
pub use first::FirstOrder;
pub use fitness::fitness;
pub use genetic::Breeding;
pub use genetic::Genetic;
pub use oracle::FoundSshom;
pub use oracle::KillOracle;
pub use oracle::Search;
pub use oracle::SearchOutcome;
pub use oracle::run;
pub use penalty::Weights;
pub use penalty::penalty;
pub use penalty::test_difference;
pub use prioritized::Prioritized;
pub use prioritized::PriorityBounds;
pub use prioritized::batches;
