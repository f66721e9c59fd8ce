//! The kill matrix on disk: one SQLite file that is right whenever it is looked at.
//!
//! In: tests, mutants, outcomes as they come. Out: the same. Invariant: an outcome is there as a whole or not
//! at all, whatever ends the program.

mod bits;
mod error;
mod file;
mod lists;
mod outcomes;
mod take_in;

pub use error::StoreError;
pub use file::Store;
