//! Copies of a target's tree in which things may be broken.
//!
//! In: a directory. Out: a [`Workspace`], a copy that is gone when it is dropped. The original is never
//! written to.

mod copy;

pub use copy::Workspace;
