//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: what tests said of mutants. Out: what follows from it. Nothing here runs a program.

pub mod sshom;
