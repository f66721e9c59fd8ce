//! Clones a remote repository, or updates an earlier copy of it.
//!
//! In: what a person types for a remote repository, and a directory for the copies. Out: the path of a bare
//! repository with all its branches. The user's own `git` does the transfer, so that proxies, ssh keys and
//! credential helpers work as they are set up. Invariant: a copy appears under its name only once it is
//! complete, and one process at a time works on it.

mod command;
mod failure;
mod lock;
mod received;
mod remote;
mod transfer;

pub use received::Received;
pub use remote::Remote;
pub use transfer::Cloning;
