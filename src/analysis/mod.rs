//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: kill matrices, coverage, texts, failing conditions. Out: values. Nothing here runs a program or prints.

mod changes;
mod dominators;
pub mod localize;
pub mod sshom;
pub mod tame;
pub mod witness;

pub use changes::Changes;
pub use dominators::Dominators;
pub use dominators::SurvivorGroup;
pub use dominators::one_per_function;
