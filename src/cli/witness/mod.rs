//! `wildcaught witness`: locates the bug of a compiler or interpreter from one failing program.

mod args;
mod job;
mod page;
mod show;
mod traces;

pub use args::WitnessArgs;
pub use job::run;
