//! How a project is built and tested.
//!
//! In: `wildcaught.toml`, or a directory to look at. Out: commands to run, and verdicts read from what test
//! frameworks print. Nothing here runs anything.

mod read;

pub use read::*;
