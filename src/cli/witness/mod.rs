//! `wildcaught witness`: which part of a compiler is broken, from one failing program.

mod args;
mod job;
mod page;
mod show;
mod traces;

pub use args::WitnessArgs;
pub use job::run;
