//! Which failing inputs show different bugs?
//!
//! In: crashing inputs of a program ([`Staged`] makes them the tests of a project, whose mutants are run), a kill
//! matrix, coverage, or the inputs themselves ([`InputSource`]). Out: an order in which different inputs come early
//! ([`Taming`]) and, where the bugs are known, how good it is.

mod error;
mod grouped;
mod inputs;
mod kind;
mod note;
mod request;
mod space;
mod staging;
mod truth_file;

pub use error::TameError;
pub use grouped::group_into;
pub use inputs::InputSource;
pub use inputs::Inputs;
pub use kind::DistanceKind;
pub use note::InputNote;
pub use note::LeftOutInputs;
pub use request::GivesUp;
pub use request::TameEvaluation;
pub use request::TameRequest;
pub use request::Taming;
pub use space::Space;
pub use staging::OPERATORS;
pub use staging::Program;
pub use staging::Staged;
pub use staging::listed as listed_inputs;
pub use truth_file::TruthError;
pub use truth_file::TruthFile;
