//! `wildcaught coupling`: which of a project's real faults its mutants would have been.

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
