//! Why a run ended early.

use thiserror::Error;

use crate::control::Stopped;
use crate::matrix::StoreError;
use crate::runner::RunError;
use crate::workspace::RuntimeError;

/// Why a run ended early.
#[derive(Debug, Error)]
pub enum TestError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The unchanged project does not build or pass.
    #[error("{0}")]
    Baseline(String),
}

impl From<Stopped> for TestError {
    fn from(stopped: Stopped) -> Self {
        Self::Run(stopped.into())
    }
}
