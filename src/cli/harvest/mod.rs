//! `wildcaught harvest`: sources in, an operator set or a raw tally out.

mod fetch;
mod job;
mod keep;
mod merge;
mod options;
mod read;
mod show;

pub(super) use fetch::fetch_all;
pub use job::run;
pub use merge::merge_tallies;
pub(super) use options::choose_language;
pub(super) use options::git_options;
