//! `wildcaught localize`: locates faults.

mod args;
mod audit;
mod compare;
mod job;
mod page;
mod show;
mod source;

pub use args::LocalizeArgs;
pub use job::run;
