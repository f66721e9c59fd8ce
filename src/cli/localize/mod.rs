//! `wildcaught localize`: where the fault is.

mod args;
mod compare;
mod input;
mod job;
mod json;
mod mutant;
mod page;
mod show;
mod truth;

pub use args::LocalizeArgs;
pub use job::run;
