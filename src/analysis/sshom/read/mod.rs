//! Failing conditions that others computed.
//!
//! In: files of three formats. Out: a problem. What is not as it should be is refused, with file and line.

mod boxes;
mod dimacs;
mod error;
mod folder;
mod groups;
mod javabdd;
mod places;

pub use boxes::BoxEntry;
pub use boxes::BoxesFile;
pub use boxes::FORMAT as BOXES_FORMAT;
pub use boxes::PointEntry;
pub use boxes::TestEntry;
pub use boxes::read_boxes;
pub use dimacs::read_dimacs;
pub use error::ReadError;
pub use folder::Source;
pub use folder::read_problem;
pub use groups::read_groups;
pub use javabdd::read_javabdd;
pub use places::PlacesRead;
pub use places::read_places;
