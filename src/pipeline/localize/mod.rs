//! Where is the fault?
//!
//! In: a project in which tests fail. Out: what mutants do to its tests, and which tests execute which lines.

mod gather;

pub use gather::GatherRequest;
pub use gather::Gathered;
