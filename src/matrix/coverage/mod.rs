//! Which lines tests execute, from what coverage tools write.
//!
//! In: lcov tracefiles, gcov's JSON, JaCoCo's and Cobertura's XML; one file for all tests where the format
//! names tests, otherwise one file or directory per test. Out: [`LineCoverage`]. Invariant: an executed line
//! is also in the list of lines that can be executed. Plain lists of `file:line count` also say how often a
//! line was executed: [`Coverage`].

mod arcs;
mod cobertura;
mod error;
mod gcov;
mod jacoco;
mod lcov;
mod lines;
mod plain;
mod read;
mod table;

pub use arcs::ArcsError;
pub use arcs::Counters;
pub use arcs::NotedFunction;
pub use arcs::Notes;
pub use arcs::executed;
pub use error::CoverageError;
pub use lcov::to_lcov;
pub use lines::FileLines;
pub use lines::LineCoverage;
pub use plain::PlainError;
pub use plain::PlainFile;
pub use plain::from_plain;
pub use plain::list_plain;
pub use plain::read_plain;
pub use read::coverage_from;
pub use read::read_coverage;
pub use table::Coverage;
pub use table::CoveredStatement;
pub use table::TestCoverage;
