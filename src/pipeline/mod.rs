//! One room per question that is answered by running mutants: a request goes in, a result comes out.
//!
//! No terminal, no arguments: callers build a request and show the result. Progress and warnings go to
//! [`crate::control::Events`].

pub mod coupling;
mod error;
mod exposure;
mod field_test;
pub mod learn_fit;
pub mod localize;
pub mod repair;
pub mod sshom;
mod subject;
pub mod tame;
mod target;
pub mod test;
mod try_out;
mod viability;
pub mod witness;

pub use error::PipelineError;
pub use exposure::Exposure;
pub use exposure::ExposureRequest;
pub use field_test::FieldSample;
pub use field_test::note_viability;
pub use subject::Subject;
pub use target::ALL_SETS;
pub use target::Prepared;
pub use target::TargetError;
pub use target::TargetRequest;
pub use target::shipped_set;
pub use try_out::TriedOut;
pub use try_out::try_out;
pub use viability::Check;
pub use viability::Trial;
pub use viability::Viability;
pub use viability::try_mutants;
