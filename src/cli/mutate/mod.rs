//! `wildcaught mutate` and `wildcaught explain`: counts, lists, samples, checks and writes mutants.

mod args;
mod explain;
mod in_place;
mod job;
mod trial;
mod write;

pub use args::ChoiceArgs;
pub use args::ExplainArgs;
pub use args::MutateArgs;
pub use explain::explain;
pub use in_place::revert;
pub use job::run;
pub use trial::baseline;
pub use trial::inside;
