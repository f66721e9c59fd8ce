//! What test frameworks print, read.
//!
//! In: the bytes that a run left, on its output or in a report file. Out: a [`Reading`]: which tests were seen
//! with which verdict. Bytes that make no sense are passed over, never a panic; what was not run is counted.

mod cargo;
mod ctest;
mod ctest_list;
mod doc_tests;
mod format;
mod go;
mod go_json;
mod junit_xml;
mod libtest;
mod libtest_log;
mod lines;
mod maven_log;
mod meson_tests;
mod nextest;
mod pytest;
mod seen;
mod tap;
mod tap_line;

pub use cargo::TestBinary;
pub use cargo::executables;
pub use ctest::ctest;
pub use ctest_list::CtestTest;
pub use ctest_list::ctest_list;
pub use doc_tests::DocKind;
pub use doc_tests::DocName;
pub use doc_tests::DocTest;
pub use doc_tests::doc_tests;
pub use doc_tests::unshifted;
pub use format::Format;
pub use go::go_list;
pub use go::go_verbose;
pub use go_json::go_json;
pub use junit_xml::junit_xml;
pub use libtest::libtest;
pub use libtest::libtest_list;
pub use libtest::without_panic_numbers;
pub use libtest_log::libtest_log;
pub use libtest_log::libtest_log_lines;
pub use maven_log::JavaModule;
pub use maven_log::maven_log;
pub use meson_tests::MesonTest;
pub use meson_tests::meson_tests;
pub use nextest::nextest;
pub use nextest::nextest_list;
pub use pytest::pytest;
pub use pytest::pytest_list;
pub use seen::Reading;
pub use seen::Seen;
pub use tap::tap;
