//! The search for strongly subsuming higher-order mutants (SSHOMs) of a program.
//!
//! In: a [`SshomRequest`] and a program with points, which is built once ([`points`]). Out: a [`SshomResult`]. The
//! steps are those of the literature: all mutants are tested one by one ([`FirstOrderResult`]); then come one or more
//! searches, complete (`variational`, `brute_force`) or not (`prioritized`, `genetic`), which say how complete they
//! are ([`Completeness`]); those that are listed can be verified without the program of points ([`verify()`]). What
//! the searches try and in which order is decided in `analysis::sshom`; here it is run.
//!
//! Where others computed the failing conditions of tests, nothing is run: [`read_conditions`], [`solve_conditions`].

mod brute_force;
mod budget;
mod completeness;
mod conditions;
mod context;
mod deepen;
mod error;
mod first_order;
mod genetic;
pub mod points;
mod prioritized;
mod request;
mod result;
mod run;
mod trials;
mod variational;
mod verify;

pub use budget::TimeLimit;
pub use completeness::Completeness;
pub use completeness::SearchEnd;
pub use conditions::ConditionFiles;
pub use conditions::ConditionsError;
pub use conditions::ConditionsRead;
pub use conditions::SolvedConditions;
pub use conditions::read_conditions;
pub use conditions::solve_conditions;
pub use error::SshomError;
pub use first_order::FirstOrderResult;
pub use request::SearchKind;
pub use request::SshomRequest;
pub use result::SearchResult;
pub use result::SharedWithVar;
pub use result::Sshom;
pub use result::SshomResult;
pub use run::run;
pub use verify::Difference;
pub use verify::Disagreement;
pub use verify::verify;
