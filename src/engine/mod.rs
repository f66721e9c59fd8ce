//! Scenarios in, runs out.
//!
//! In: a project, its mutants, a store. Out: a fate for every mutant, in the store as soon as it is known. An
//! [`Engine`] runs a [`Scenario`] (nothing changed, mutants on, files edited); [`Switched`] has all mutants in one
//! program, [`Classic`] builds each; one [`Policy`] decides what is asked and what is believed.

mod baseline;
mod built;
mod caches;
mod campaign;
mod canary;
mod classic;
mod compare;
mod driver;
mod error;
#[cfg(test)]
mod fake;
mod guard;
mod lines;
mod order;
mod plain;
mod plain_tests;
mod plan;
mod policy;
mod project;
mod rechecks;
mod scenario;
pub mod screen;
mod survey;
mod switched;
pub mod tce;
mod together;
mod told_lines;
mod warned;
mod warnings;
mod watched;
mod waves;
mod workbench;

pub use baseline::Baseline;
pub use built::Built;
pub use caches::Compilers;
pub use caches::tidy;
pub use campaign::Campaign;
pub use campaign::CampaignSummary;
pub use campaign::EngineChoice;
pub use campaign::Goal;
pub use campaign::StaleCheck;
pub use canary::Canary;
pub use canary::Executed;
pub use classic::Classic;
pub use driver::BuildError;
pub use driver::Driver;
pub use driver::FailedBuild;
pub use driver::Finished;
pub use driver::NobodyToBlame;
pub use driver::Weaving;
pub use error::TestError;
pub use order::TestOrder;
pub use plain::Plain;
pub use plain::PlainRun;
pub use plain::PlainVerdict;
pub use plain::PlainWorker;
pub use plain_tests::ChangedCopy;
pub use plain_tests::PlainTests;
pub use plan::Plan;
pub use plan::Step;
pub use plan::with_switches;
pub use policy::Policy;
pub use project::Project;
pub use project::complaints;
pub use project::put;
pub use scenario::ChangedFile;
pub use scenario::Engine;
pub use scenario::Run;
pub use scenario::Scenario;
pub use scenario::TestLimits;
pub use scenario::Until;
pub use scenario::Variant;
pub use survey::Survey;
pub use survey::Watched;
pub use switched::Switched;
pub use watched::WatchedCopy;
pub use waves::Engines;
pub use waves::Judged;
pub use waves::Task;
pub use workbench::Runners;
pub use workbench::Workbench;
