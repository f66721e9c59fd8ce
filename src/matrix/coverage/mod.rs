//! Which statements tests ran, and how often: read from the files that coverage tools write.

mod plain;
mod table;

pub use plain::CoverageError;
pub use plain::PlainFile;
pub use plain::from_plain;
pub use plain::list_plain;
pub use plain::read_plain;
pub use table::Coverage;
pub use table::Statement;
pub use table::TestCoverage;
