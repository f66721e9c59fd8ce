//! Fuzzer taming: many failing inputs, put into an order that shows different bugs early.
//!
//! In: a kill matrix, coverage or the inputs themselves; perhaps the truth about their bugs. Out: distances,
//! an order (furthest point first) with its reasons, rings around one input, and how good an order is.
//!
//! Inputs are numbers from 0, in the order in which they were given. Wherever two are equally good, the one
//! given first is taken, so that the same input gives the same result.

mod coverage;
mod curve;
mod distance;
mod neighbours;
mod order;
mod repair;
mod repair_and_reach;
mod rings;
mod sets;
mod starts;
mod texts;
mod truth;

pub use coverage::LineCounts;
pub use coverage::covered_sets;
pub use curve::Curve;
pub use curve::expected_apfd;
pub use curve::expected_seen;
pub use distance::Apart;
pub use distance::ChosenDistance;
pub use distance::Distance;
pub use distance::DistanceTable;
pub use neighbours::Neighbours;
pub use neighbours::match_neighbours;
pub use order::FurthestFirst;
pub use order::RankStep;
pub use order::groups;
pub use repair::Failing;
pub use repair::LeftOutInput;
pub use repair::RepairVectors;
pub use repair::reach_sets;
pub use repair::repair_vectors;
pub use repair_and_reach::RepairAndReach;
pub use rings::Ring;
pub use rings::rings;
pub use sets::BitSets;
pub use starts::AllStarts;
pub use starts::from_all_starts;
pub use texts::Texts;
pub use truth::Truth;
