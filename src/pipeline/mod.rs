//! What is done with mutants: loops over copies of a target and the programs that are run in them.
//!
//! In: mutants and commands. Out: what came of each, in the mutants' order.

pub mod points;
mod viability;

pub use viability::Check;
pub use viability::Trial;
pub use viability::Viability;
pub use viability::try_mutants;
