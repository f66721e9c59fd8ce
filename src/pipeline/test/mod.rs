//! Which mutants do a project's tests notice?
//!
//! In: a project, a target, a choice of mutants, a directory for results. Out: a kill matrix and how it came about.

mod audit;
mod choice;
mod plan;
mod recall;
mod request;

pub use audit::AuditChoice;
pub use audit::AuditRequest;
pub use audit::AuditResult;
pub use audit::Audited;
pub use choice::MutantChoice;
pub use plan::PlanResult;
pub use plan::TestPlan;
pub use recall::Recall;
pub use request::Remember;
pub use request::TestRequest;
pub use request::TestResult;
