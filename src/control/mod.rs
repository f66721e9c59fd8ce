//! Control of long work: progress, phases, warnings, cancellation, workers that share turns or tasks, and
//! machines that share work.
//!
//! In: notes from the code that works. Out: figures for the code that shows them. Nothing here prints or knows what
//! the work is.

mod deadline;
mod events;
mod phase;
mod progress;
mod shard;
mod tasks;
mod workers;

pub use deadline::within;
pub use events::Events;
pub use phase::Phase;
pub use phase::Step;
pub use progress::Progress;
pub use progress::Stopped;
pub use shard::Shard;
pub use shard::ShardError;
pub use tasks::TaskQueue;
pub use tasks::share_tasks;
pub use workers::share_turns;
