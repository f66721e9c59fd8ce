//! Runs mutants against tests: a baseline, a meta-program that is switched, and for what cannot be switched
//! one build per mutant.
//!
//! In: a project, its mutants, a store. Out: a fate for every mutant, in the store as soon as it is known.

mod baseline;
mod campaign;
mod classic;
mod compare;
mod order;
mod project;
pub mod screen;
mod survey;
mod switched;
pub mod tce;

pub use baseline::Baseline;
pub use campaign::Campaign;
pub use campaign::EngineChoice;
pub use campaign::Purpose;
pub use campaign::Summary;
pub use campaign::TestError;
pub use project::Project;
pub use survey::Survey;
pub use survey::Watched;

pub use campaign::original_baseline;
pub use classic::ChangedFile;
pub use classic::Classic;
pub use classic::ClassicTask;
pub use project::complaints;
pub use project::put;
pub use project::scratch;
