//! `wildcaught harvest`: sources in, an operator set or a raw tally out.

mod fetch;
mod job;
mod options;
mod show;

pub use job::run;
