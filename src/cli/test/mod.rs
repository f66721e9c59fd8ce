//! `wildcaught test`, `init`, `show` and `export`: a project's tests against mutants.

mod args;
mod audit;
mod export;
mod gate;
mod init;
mod install;
mod job;
mod show;

pub use args::ExportArgs;
pub use args::InitArgs;
pub use args::ShowArgs;
pub use args::TestArgs;
pub use export::load_all;
pub use export::mte;
pub use export::run as export;
pub use init::run as init;
pub use job::run as test;
pub use show::MEANINGS;
pub use show::by_id;
pub use show::run as show;
