//! Which real faults mutants would have been: small fixes of a history, and the mutants of the fixed code.
//!
//! In: repositories, operator sets, what counts as a small fix. Out: per fix and set whether some mutant of the fixed
//! version is the faulty version, at what cost, and why not.

mod column;
mod fault;
mod loss;
mod request;
mod result;
pub mod tested;

pub use column::Column;
pub use column::ColumnError;
pub use column::columns;
pub use fault::NoFault;
pub use loss::Loss;
pub use request::CouplingError;
pub use request::CouplingRequest;
pub use request::FixLimits;
pub use request::Subject;
pub use result::Attempt;
pub use result::Coupling;
pub use result::CurvePoint;
pub use result::FixResult;
pub use result::Share;
