//! Kill matrices from other tools, and which of the formats a file has.
//!
//! In: a file or directory. Out: a [`KillMatrix`](super::KillMatrix). Where a format does not say what tests
//! say of the unchanged program, every test counts as passing.

mod detect;
mod elements;
mod error;
mod gathered;
mod major;
mod pit;

pub use detect::read_matrix;
pub use elements::from_mte_json;
pub use error::MatrixReadError;
pub use major::MajorFiles;
pub use major::from_major;
pub use pit::from_pit;
