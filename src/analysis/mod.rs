//! Pure functions of matrices: rankings, distances, subsumption.
//!
//! In: kill matrices, coverage, texts, failing conditions. Out: values. Nothing here runs a program or prints.

mod changes;
pub mod localize;
pub mod sshom;
pub mod tame;

pub use changes::Changes;
