//! Searches that try combinations one after the other.
//!
//! In: what each mutant's tests are, and an oracle that runs combinations. Out: the strongly subsuming ones
//! that were come upon. A search says what to try next (`Search::ask`) and is told what came of it
//! (`Search::tell`), so that whoever runs programs can run many at once; `run` does it one by one.

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
pub use oracle::Found;
pub use oracle::Oracle;
pub use oracle::Report;
pub use oracle::Search;
pub use oracle::run;
pub use penalty::Weights;
pub use penalty::penalty;
pub use penalty::test_difference;
pub use prioritized::Bounds;
pub use prioritized::Prioritized;
pub use prioritized::batches;
