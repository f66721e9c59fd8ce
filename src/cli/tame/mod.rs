//! `wildcaught tame` and `onion`: ranks failing inputs by their differences.
//!
//! The arguments say where inputs come from (`args`, `crashes`); the pipeline ranks them (`job`); the order is shown
//! (`show`).

mod args;
mod crashes;
mod job;
mod onion;
mod page;
mod show;

pub use args::OnionArgs;
pub use args::TameArgs;
pub use job::run;
pub use onion::run as onion;
