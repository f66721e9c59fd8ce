//! Running programs: in a directory, in a group of their own, no longer than they may.
//!
//! In: a command line. Out: how it ended and what it said. A command that does not end is an outcome, not
//! an error; whatever it started ends with it.

mod process;
mod verdict;

pub use process::Ended;
pub use process::Job;
pub use process::Outcome;
pub use process::end_group;
pub use process::in_own_group;
pub use verdict::Verdict;
