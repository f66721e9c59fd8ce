//! Which mutants can live in the meta-program: it is built, and errors are read back to the mutants on
//! whose lines they fall; those move down the ladder from statement to body to dead; until it builds.
//!
//! In: mutants, and what builds said. Out: for every mutant where it is in the meta-program, or why it is not.

mod complaints;
mod doubt;
mod ladder;
mod last_use;
mod redeclared;
mod rounds;

pub use complaints::Complaint;
pub use complaints::Complaints;
pub use complaints::file_meant;
pub use ladder::Ladder;
pub use ladder::Rung;
pub use rounds::Screen;
