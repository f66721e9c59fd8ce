//! Why a search has no result.

use thiserror::Error;

use crate::analysis::sshom::TooLarge;
use crate::engine::TestError;
use crate::runner::RunError;

/// Why a search has no result.
#[derive(Debug, Error)]
pub enum SshomError {
    #[error(transparent)]
    Test(#[from] TestError),
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

impl From<RunError> for SshomError {
    fn from(error: RunError) -> Self {
        Self::Test(error.into())
    }
}
