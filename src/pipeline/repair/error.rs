//! Why there is no result.

use thiserror::Error;

use crate::engine::TestError;
use crate::runner::RunError;

/// Why a program was not repaired.
#[derive(Debug, Error)]
pub enum RepairError {
    #[error(transparent)]
    Test(#[from] TestError),
}

impl From<RunError> for RepairError {
    fn from(error: RunError) -> Self {
        Self::Test(error.into())
    }
}
