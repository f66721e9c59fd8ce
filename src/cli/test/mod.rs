//! `wildcaught test`, `init`, `show` and `export`: a project's tests against mutants.

mod args;
mod export;
mod init;
mod job;
mod out;
mod rows;
mod settings;
mod show;
mod watch;

pub use args::ExportArgs;
pub use args::InitArgs;
pub use args::ShowArgs;
pub use args::TestArgs;
pub use export::run as export;
pub use init::run as init;
pub use job::run as test;
pub use out::open as open_results;
pub use show::run as show;
