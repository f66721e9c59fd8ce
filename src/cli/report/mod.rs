//! `wildcaught report`: the last run as a page, or as documents that other programs read.

mod accept;
mod args;
mod job;
mod kept;

pub use accept::run as accept;
pub use args::AcceptArgs;
pub use args::ReportArgs;
pub use job::project_root;
pub use job::run;
pub use kept::Finished;
pub use kept::Kept;
pub use kept::after_test;
pub use kept::notes;
pub use kept::seconds;
pub use kept::today;
