//! Missed mutants as documents that other programs define: SARIF, JUnit, Markdown, GitHub, GitLab, Sonar, CSV.
//!
//! In: [`Missed`] mutants, the most worthwhile first. Out: text. Mutants that the team accepts are left out, and counted
//! where the format has a place for it.

mod csv;
mod github;
mod gitlab;
mod junit;
mod markdown;
mod missed;
mod sarif;
mod sonar;

pub use csv::csv;
pub use github::annotations;
pub use gitlab::gitlab;
pub use junit::junit;
pub use markdown::markdown;
pub use missed::Documented;
pub use missed::Missed;
pub use sarif::sarif;
pub use sonar::sonar;
