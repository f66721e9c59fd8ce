//! Why a matrix could not be read.

use std::path::PathBuf;

use super::super::ImportError;
use super::super::StoreError;

/// Why a matrix could not be read, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum MatrixReadError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error(transparent)]
    Own(#[from] ImportError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// None of the formats.
    #[error(
        "{origin}: not a supported kill matrix; use results of `wildcaught test`, its matrix.json or \
         matrix.csv, a mutation-testing-elements JSON, PIT's mutations.xml, or a directory with Major's \
         mutants.log, testMap.csv and killMap.csv"
    )]
    Unknown { origin: String },
    /// A line that is not what the format has there.
    #[error("{origin}:{line}: {problem}")]
    Line { origin: String, line: usize, problem: String },
    /// Not the JSON that is expected; the source names line and column.
    #[error("{origin}: {source}; it must follow the mutation-testing-elements schema")]
    Json { origin: String, source: serde_json::Error },
    /// A mutant mentions a test that is not listed.
    #[error("{origin}: mutant `{mutant}`: no test has the id `{test}`; list it under testFiles")]
    NoTest { origin: String, mutant: String, test: String },
}
