//! The meta-program: all mutants of a file side by side, each behind a switch.
//!
//! In: a file, and for every mutant the piece of code that it replaces. Out: the file's text with guarded
//! pieces, and for every line of it whose line that is. Invariant: with nothing switched on, the text does
//! what the original does.

mod regions;
mod weave;

pub use regions::Owner;
pub use regions::Regions;
pub use weave::Member;
pub use weave::Probe;
pub use weave::Unit;
pub use weave::Woven;
pub(super) use weave::deepen;
pub use weave::weave;
pub use weave::weave_with_lines;
