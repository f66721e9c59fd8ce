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
pub use out::begin;
pub use out::fingerprint;
pub use rows::rows;
pub use settings::Settings;
pub use settings::settings;
pub use settings::with_settings;
pub use show::run as show;
pub use watch::watch;
