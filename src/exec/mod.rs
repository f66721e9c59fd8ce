//! The only room that starts processes.
//!
//! In: a [`Spec`]: a command, its directory and environment, and its limits. Out: an [`Observation`]: how it ended
//! and what it printed. A command that does not end is an observation, not an error. Every process has a group of
//! its own; whatever it started ends with it. A [`Resident`] process answers line by line instead.
//!
//! Everything that is started carries the identity of this process in `WILDCAUGHT_RUN`: what a killed run left behind is
//! found by it ([`end_orphans`]).
//!
//! [`Spec::command`] makes every `Command` of this crate: a sandbox (network, where a process may write) goes
//! there, and nowhere else.

mod group;
mod limits;
mod observation;
mod orphans;
mod output;
mod resident;
mod run;
mod spec;
mod tag;
mod verdict;

pub use observation::Ended;
pub use observation::Observation;
pub use orphans::end_orphans;
pub use resident::Resident;
pub use resident::ResidentLine;
pub use spec::Spec;
pub use spec::Streams;
pub use verdict::Verdict;
