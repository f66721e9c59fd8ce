//! Programs whose operators are exchanged while they run.
//!
//! In: a project and its sources ([`super::super::Subject`]). Out: a program that was built once and runs any combination of
//! operators ([`PointProgram`]), and what its workers find in it: the kills of single combinations ([`take_turns`]),
//! or all combinations that are strongly subsuming ([`split_all`]).

mod bound;
mod build;
mod candidates;
mod parts;
mod place;
mod program;
mod splitting;
mod turns;
mod worker;

pub use bound::PointStop;
pub use bound::RunCounts;
pub use bound::SearchBound;
pub use build::build;
pub use candidates::PointCandidates;
pub use candidates::PointCount;
pub use parts::FinishedPart;
pub use parts::split_all;
pub use place::PointPlace;
pub use program::PointProgram;
pub use splitting::Splitting;
pub use turns::take_turns;
pub use worker::Worker;
