//! The only room that starts processes.
//!
//! In: a [`Spec`]: a command, its directory and environment, and its limits. Out: an [`Observation`]: how it ended
//! and what it printed. A command that times out is an observation, not an error. Every process has a group of
//! its own; whatever it started ends with it. A [`Resident`] process answers line by line instead.
//!
//! [`Spec::run`] and [`Resident::start`] start all processes of this crate, in one place. What a process may do is said
//! by a [`Sandbox`]; a [`Containment`] knows what the system offers and makes them. In a sandbox, all that a process
//! started ends with it, also what left its group or session.
//!
//! Everything that is started carries the identity of this process in `WILDCAUGHT_RUN`: what a killed run left behind
//! is found by it ([`end_orphans`]).

#[cfg(target_os = "linux")]
mod boxed;
mod containment;
mod group;
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod load;
mod observation;
mod orphans;
mod output;
mod process;
mod quota;
mod resident;
mod run;
mod sandbox;
mod spec;
mod start;
mod tag;
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod verdict;

pub use containment::Containment;
pub use containment::Protection;
pub use containment::SandboxError;
pub use containment::SandboxMode;
pub use containment::SandboxPolicy;

pub use load::load;
pub use observation::Ended;
pub use observation::Observation;
pub use orphans::end_orphans;
pub use quota::Exceeded;
pub use quota::SetLimits;
pub use resident::Resident;
pub use resident::ResidentLine;
pub use sandbox::Sandbox;
pub use spec::Spec;
pub use spec::Streams;
pub use tag::TAG;
pub use verdict::Verdict;
