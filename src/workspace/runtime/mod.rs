//! What the guards of a meta-program call, put where the target's build finds it.
//!
//! In: the name of a runtime, a directory of ours, a copy of the target. Out: a [`Runtime`]: the environment
//! to build with, text to put into files, files to add. No file of the target is edited by hand for it.

mod c;
mod install;

pub use install::Runtime;
pub use install::RuntimeError;
