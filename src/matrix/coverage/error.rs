//! Why coverage was refused.

use std::path::PathBuf;

use super::super::xml::XmlProblem;

/// Why coverage was refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum CoverageError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    /// A small file that gzip makes huge.
    #[error(
        "{}: unpacks to more than {} MiB; unpack it into a directory with one smaller file per test",
        path.display(), most >> 20
    )]
    Bomb { path: PathBuf, most: u64 },
    /// None of the formats.
    #[error(
        "{origin}: not a supported coverage format; use lcov (.info), gcov --json-format, JaCoCo or Cobertura XML"
    )]
    Unknown { origin: String },
    /// A directory without a coverage file in it.
    #[error("{}: the directory is empty; put one coverage file per test there", path.display())]
    Empty { path: PathBuf },
    /// A line that is not what the format has there.
    #[error("{origin}:{line}: {problem}")]
    Line { origin: String, line: usize, problem: String },
    /// Not the JSON that gcov writes; the source names line and column.
    #[error("{origin}: {source}; write it with `gcov --json-format`")]
    Json { origin: String, source: serde_json::Error },
}

impl CoverageError {
    pub(super) fn xml(origin: &str, problem: XmlProblem) -> Self {
        Self::Line { origin: origin.to_owned(), line: problem.line, problem: problem.problem }
    }
}
