//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: matrices, coverage, texts. Out: values that a report can show. Nothing here runs a program.

pub mod tame;
