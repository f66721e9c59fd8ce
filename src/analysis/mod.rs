//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: a kill matrix and what belongs to it. Out: values. Nothing here runs a test, reads a file or prints.

pub mod localize;
