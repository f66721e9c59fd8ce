//! `wildcaught report`: the last run as a page, or as documents that other programs read.

mod args;
mod job;
mod kept;

pub use args::ReportArgs;
pub use job::run;
pub use kept::Finished;
pub use kept::after_test;
