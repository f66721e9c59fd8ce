//! Why a pipeline has no result.

use std::path::PathBuf;

use thiserror::Error;

use crate::engine::TestError;
use crate::insert::SelectError;
use crate::matrix::RunDirError;
use crate::matrix::StoreError;
use crate::runner::RunError;

/// Why a pipeline has no result. What was found out until then is kept.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// The user wanted it to stop.
    #[error("stopped after {tested} of {mutants} mutants")]
    Stopped { tested: usize, mutants: usize },
    /// The unchanged project does not build, or its tests are not as they should be.
    #[error("{0}")]
    Baseline(String),
    #[error("{}: no plan; make one with `wildcaught plan`", path.display())]
    NoPlan { path: PathBuf },
    #[error("{}: the plan was made by version {version}; make it again, or test with that version", path.display())]
    PlanVersion { path: PathBuf, version: String },
    #[error("the project has changed since the plan was made ({why}); make the plan again")]
    PlanChanged { why: String },
    #[error(
        "the operators have changed since the plan was made: they no longer make mutant {id}; make the plan \
        again"
    )]
    NotInPlan { id: String },
    #[error(transparent)]
    Select(#[from] SelectError),
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Engine(TestError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TestError> for PipelineError {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Run(RunError::Stopped) => Self::Stopped { tested: 0, mutants: 0 },
            TestError::Baseline(why) => Self::Baseline(why),
            error => Self::Engine(error),
        }
    }
}
