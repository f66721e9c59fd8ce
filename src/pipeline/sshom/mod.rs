//! The search for strongly subsuming higher-order mutants (SSHOMs) of a program.

pub mod points;
