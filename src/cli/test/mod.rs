//! `wildcaught init`, `test`, `plan`, `merge`, `show` and `export`: a project's tests against mutants.

mod args;
mod audit;
mod export;
mod gate;
mod init;
mod install;
mod job;
mod merge;
mod on_save;
mod plan;
mod pull_request;
mod show;

pub use args::ExportArgs;
pub use args::InitArgs;
pub use args::MergePartsArgs;
pub use args::PlanArgs;
pub use args::ShowArgs;
pub use args::TestArgs;
pub use export::mte;
pub use export::run as export;
pub use init::run as init;
pub use job::run as test;
pub use merge::run as merge;
pub use plan::run as plan;
pub use show::MEANINGS;
pub use show::by_id;
pub use show::run as show;
