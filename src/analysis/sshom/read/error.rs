//! Why failing conditions were refused.

use super::super::condition::TooLarge;

/// Why a file was refused, where, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum ConditionFileError {
    /// A line that is not what should stand there.
    #[error("{origin}:{line}: {problem}")]
    Line { origin: String, line: usize, problem: String },
    /// A file that is wrong as a whole.
    #[error("{origin}: {problem}")]
    File { origin: String, problem: String },
    /// Not the JSON that is expected; the source names line and column.
    #[error("{origin}: {source}; `wildcaught help methods` shows how boxes are written")]
    Json { origin: String, source: serde_json::Error },
    /// A condition that cannot be held.
    #[error("{origin}: {source}; raise --max-nodes")]
    TooLarge { origin: String, source: TooLarge },
}

/// Makes errors that name the file.
#[derive(Clone, Copy)]
pub(super) struct TextOrigin<'a>(pub &'a str);

impl TextOrigin<'_> {
    pub fn line(self, line: usize, problem: impl Into<String>) -> ConditionFileError {
        ConditionFileError::Line { origin: self.0.to_owned(), line, problem: problem.into() }
    }

    pub fn file(self, problem: impl Into<String>) -> ConditionFileError {
        ConditionFileError::File { origin: self.0.to_owned(), problem: problem.into() }
    }

    pub fn too_large(self, source: TooLarge) -> ConditionFileError {
        ConditionFileError::TooLarge { origin: self.0.to_owned(), source }
    }
}
