//! Which part of a program is broken that reads programs: a compiler, an interpreter, a formatter.
//!
//! In: one program that shows the fault, and a [`WitnessRequest`]. Out: functions or files, the most suspicious first.
//! The failing program is reduced and mutated; variations that do not show the fault are *witnesses*. What the failing
//! run executes and the nearest witnesses do not is suspicious.

mod bisect;
mod coverage;
mod elements;
mod error;
mod first;
mod judge;
mod mutate;
mod reduce;
mod request;
mod result;
mod run;
mod search;
mod stack;
mod state;
mod tests;
mod watch;

pub use bisect::FirstBad;
pub use error::WitnessError;
pub use judge::Failure;
pub use request::BisectRequest;
pub use request::CoverageSource;
pub use request::Expected;
pub use request::Oracle;
pub use request::WitnessRequest;
pub use request::WitnessSearch;
pub use result::Counts;
pub use result::Origin;
pub use result::Variation;
pub use result::WitnessResult;
pub use run::run;
