//! Failing conditions that others computed.
//!
//! In: texts of three formats. Out: failing conditions, points and places. What is not as it should be is refused, with file and line.

mod boxes;
mod dimacs;
mod error;
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
pub use error::ConditionFileError;
pub use groups::read_groups;
pub use javabdd::read_javabdd;
pub use places::PlacesRead;
pub use places::read_places;
