//! What GCC's `--coverage` writes, read directly: which arcs, blocks and lines a run executed.
//!
//! In: the notes of the compiler (`.gcno`) and the counters of a run (`.gcda`) of GCC 9 and later. Out: [`Notes`] and
//! [`Counters`], and for a function what of it was executed. Reading takes a millisecond where starting `gcov` takes
//! many. Invariant: what is damaged is refused with its place; nothing here panics or reserves memory that a file only
//! claims to need.

mod bytes;
mod counters;
mod flow;
mod notes;

pub use bytes::ArcsError;
pub use counters::Counters;
pub use flow::executed;
pub use notes::NotedFunction;
pub use notes::Notes;
