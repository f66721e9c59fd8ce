//! Why a document was refused.

use super::fate::UnknownFate;

/// Why a document was refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Not the JSON that is expected; the source names line and column.
    #[error("{origin}: {source}; see `wildcaught schema` for the format")]
    Json { origin: String, source: serde_json::Error },
    /// Written by a later wildcaught.
    #[error("{origin}: has format {found}, but this version reads format {known}; update wildcaught")]
    Format { origin: String, found: u32, known: u32 },
    /// A row mentions a test that is not in the list.
    #[error(
        "{origin}: mutant `{mutant}`: names test {test}, but there are {tests}; tests are numbered from 0"
    )]
    NoTest { origin: String, mutant: String, test: u32, tests: usize },
    /// A run of tests that ends before it starts.
    #[error("{origin}: mutant `{mutant}`: [{first}, {last}] is not a range of tests; write [first, last]")]
    Backward { origin: String, mutant: String, first: u32, last: u32 },
    /// The first line of a table is not a header.
    #[error(
        "{origin}:1: no header; the first line must be `mutant,file,line,fate,` and the names of the tests"
    )]
    Header { origin: String },
    /// A quote without its mate.
    #[error("{origin}:{line}: a quoted field does not end; close it with `\"`, and double each `\"` inside")]
    Quote { origin: String, line: usize },
    /// A row with too few or too many cells.
    #[error("{origin}:{line}: {found} fields, but the header has {wanted}; write one cell per test")]
    Width { origin: String, line: usize, found: usize, wanted: usize },
    /// A cell that says nothing.
    #[error(
        "{origin}:{line}: `{cell}` for test `{test}`; write . (not run), P, F, C (crash) or T (time-out)"
    )]
    Cell { origin: String, line: usize, cell: String, test: String },
    /// A line number that is no number.
    #[error("{origin}:{line}: line `{found}` of the mutant is not a number; lines are numbered from 1")]
    Line { origin: String, line: usize, found: String },
    /// A word that is no fate.
    #[error("{origin}:{line}: {source}")]
    Fate { origin: String, line: usize, source: UnknownFate },
}
