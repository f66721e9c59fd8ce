//! `wildcaught coupling`: which real faults of a project its mutants recreate.

mod args;
mod job;
mod page;
mod show;
mod tested;
mod tested_args;
mod tested_page;
mod tested_show;

pub use args::CouplingArgs;
pub use job::run;
