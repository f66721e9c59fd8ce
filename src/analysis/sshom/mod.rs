//! Strongly subsuming higher-order mutants (SSHOMs): combinations of mutants that are killed by fewer tests than each
//! of their mutants.
//!
//! A combination h of mutants f1..fn (n ≥ 2) of different points is strongly subsuming if T_h ≠ ∅ and
//! T_h ⊆ T_1 ∩ … ∩ T_n, T being the tests that fail; strict if it is not all of them.
//!
//! In: failing conditions that were computed (`Problem`), or something that runs combinations (`Oracle`,
//! `Splitter`). Out: all SSHOMs, counted exactly and listed one by one (`Solution`), or those that a search
//! found. Nothing here runs a program.

mod algebra;
mod alternatives;
mod characteristics;
mod condition;
mod definition;
mod family;
mod figures;
mod merge;
mod places;
mod plan;
mod points;
mod problem;
mod prune;
mod read;
mod search;
mod solution;
mod solve;
mod split;
mod stack;

pub use alternatives::AlternativeSet;
pub use alternatives::AlternativeSets;
pub use characteristics::Characteristics;
pub use characteristics::NoPlace;
pub use characteristics::OrderSpread;
pub use condition::Choice;
pub use condition::Condition;
pub use condition::Conditions;
pub use condition::TooLarge;
pub use definition::Subsumption;
pub use definition::subsumes;
pub use figures::SolutionFigures;
pub use places::Places;
pub use plan::PlanStep;
pub use plan::SplitPlan;
pub use plan::split_search;
pub use points::Points;
pub use problem::ConditionTest;
pub use problem::Problem;
pub use read::BOXES_FORMAT;
pub use read::BoxEntry;
pub use read::BoxesFile;
pub use read::ConditionFileError;
pub use read::PlacesRead;
pub use read::PointEntry;
pub use read::TestEntry;
pub use read::read_boxes;
pub use read::read_dimacs;
pub use read::read_groups;
pub use read::read_javabdd;
pub use read::read_places;
pub use search::Breeding;
pub use search::BruteForce;
pub use search::FirstOrder;
pub use search::FoundSshom;
pub use search::Genetic;
pub use search::KillOracle;
pub use search::Prioritized;
pub use search::PriorityBounds;
pub use search::Search;
pub use search::SearchOutcome;
pub use search::Weights;
pub use search::batches;
pub use search::fitness;
pub use search::penalty;
pub use search::run;
pub use search::test_difference;
pub use solution::CountsByOrder;
pub use solution::Solution;
pub use solution::Which;
pub use solve::SolveError;
pub use solve::SolveLimits;
pub use solve::solve;
pub use split::Chooser;
pub use split::Leaf;
pub use split::SplitError;
pub use split::SplitFound;
pub use split::Splitter;
pub use split::SubsumingBox;
pub use split::first_order;
pub use split::killed_alone;
pub use split::leaves;
pub use stack::deep;
