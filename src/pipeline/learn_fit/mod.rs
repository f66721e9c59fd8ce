//! Learning which mutants compile: projects in, the weights of a language's viability model out.
//!
//! Mutants are drawn from every project and compiled, many in one build; the result of each is kept, so that learning
//! again is quick. The figures are those of models that have not seen the project they are measured on.

mod bulk;
mod logistic;
mod plan;
mod sample;
mod train;
mod verdicts;

pub use plan::FitPlan;
pub use plan::PlanProject;
pub use sample::SampleError;
pub use sample::SampleRequest;
pub use train::Estimate;
pub use train::Judged;
pub use train::Learnt;
pub use train::Point;
pub use train::Sample;
pub use train::Sampled;
pub use train::Training;
pub use train::judge_by;
pub use train::point;
pub use verdicts::Verdicts;
