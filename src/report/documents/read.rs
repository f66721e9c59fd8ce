//! Reads documents back, their version first.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a document was refused, and what to do about it.
#[derive(Debug, Error)]
pub enum DocumentError {
    #[error("{origin}: not a result of `{command}`: {error}")]
    Json { origin: String, command: &'static str, error: serde_json::Error },
    #[error(
        "{origin}: has format {found}, but this version reads format {known}; write it again with `{command}`"
    )]
    Format { origin: String, command: &'static str, found: u32, known: u32 },
}

#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// Reads a document that `command` wrote in the version `known`; `origin` names it in errors.
pub(super) fn read<T: DeserializeOwned>(
    text: &str,
    origin: &str,
    command: &'static str,
    known: u32,
) -> Result<T, DocumentError> {
    let refused = |error| DocumentError::Json { origin: origin.to_owned(), command, error };
    let Version { format } = serde_json::from_str(text).map_err(refused)?;
    if format != known {
        return Err(DocumentError::Format { origin: origin.to_owned(), command, found: format, known });
    }
    serde_json::from_str(text).map_err(refused)
}
