//! Which reader reads what.

use serde::Deserialize;
use serde::Serialize;

use super::Reading;

/// How the verdicts of a run are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Rust's own test harness, as text.
    Libtest,
    /// `cargo nextest run`, as text.
    Nextest,
    /// JUnit XML, from any framework.
    JunitXml,
    /// The Test Anything Protocol.
    Tap,
    /// `go test -json`.
    GoJson,
    /// `go test -v`, or a Go test binary with `-test.v`.
    GoVerbose,
    /// What `ctest` prints.
    Ctest,
    /// `pytest -v` or `pytest -rA`.
    Pytest,
    /// Nothing is read: the exit code is the verdict.
    Exit,
}

impl Format {
    /// Reads what a run left.
    pub fn read(self, bytes: &[u8]) -> Reading {
        match self {
            Self::Libtest => super::libtest(bytes),
            Self::Nextest => super::nextest(bytes),
            Self::JunitXml => super::junit_xml(bytes),
            Self::Tap => super::tap(bytes),
            Self::GoJson => super::go_json(bytes),
            Self::GoVerbose => super::go_verbose(bytes),
            Self::Ctest => super::ctest(bytes),
            Self::Pytest => super::pytest(bytes),
            Self::Exit => Reading::default(),
        }
    }
}
