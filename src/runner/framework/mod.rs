//! Test frameworks: how the tests of each are listed, run and read.
//!
//! In: a [`TestSetup`]: a project that was built, and its configuration. Out: a runner. A framework is one file
//! here and one row of the table in `table.rs`; what is data about it (its usual commands, the keys it takes, how it
//! is detected) is its `[[preset]]` in `src/harness/presets.toml`. A framework that runs all its tests by one command and
//! writes a report that is read already needs only the `[[preset]]`.

mod automake;
mod cargo;
mod cargo_flags;
mod cases;
mod command;
mod ctest;
mod doc_tests;
mod files;
mod go;
mod go_command;
mod java_machine;
mod junit;
mod listed;
mod listing;
mod maven;
mod maven_jars;
mod meson;
mod node;
mod node_test;
mod npx;
mod own_build;
mod plain;
mod python;
mod report;
mod ruby;
mod sanitizers;
mod setup;
mod several;
mod table;
mod with_docs;

pub use own_build::own_build_line;
pub use plain::fetching_line;
pub use plain::plain_line;
pub use report::read_report;
pub use setup::TestSetup;
