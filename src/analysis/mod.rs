//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: kill matrices, coverage, texts. Out: values. Nothing here runs a program, reads a file or prints.

pub mod localize;
pub mod tame;
