//! `wildcaught tame` and `onion`: failing inputs by what tells them apart.
//!
//! First the inputs come from somewhere (`source`), then they are ranked, explained and held against the truth
//! (`job`), then all of it is shown (`show`, `json`).

mod args;
mod crashes;
mod job;
mod json;
mod onion;
mod show;
mod source;
mod space;

pub use args::OnionArgs;
pub use args::TameArgs;
pub use job::run;
pub use onion::run as onion;
