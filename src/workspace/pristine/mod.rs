//! A tree that is restored after every run.
//!
//! In: a tree in which programs run that may do anything. Out: [`TreeChanges`], the paths that a run changed, after all
//! of them were restored. A copy of the tree is kept outside of it; files are restored from there with their modes and
//! times, added files are removed. Who looks for changes: inotify, where the system has it, so that a run that changed
//! nothing costs one system call; otherwise the times and sizes of all files are compared.
//!
//! Not seen: what is written through a hard link that was made outside of the tree.

mod changes;
mod kept;
mod manifest;
#[cfg(target_os = "linux")]
mod notify;
mod programs;
mod tree;
mod watch;

pub use changes::TreeChanges;
pub use programs::Programs;
pub use tree::Pristine;
pub use watch::SCRATCH;
pub use watch::TreeWatch;
