//! From changes to operators: candidates are lexed, filtered, tallied, generalised.
//!
//! In: [`Change`](crate::history::Change)s. Out: an [`OperatorSet`](crate::operator::OperatorSet) and the
//! funnel of what was rejected on the way. The work is in two halves. [`Tally`] takes changes, applies the
//! filters that need no idioms, and keeps what passes as rows of symbols; tallies merge in any order.
//! [`finish`] chooses the idioms, generalises, applies the other filters and counts. [`TallyMerge`] does that with
//! more tallies than fit into memory.

mod candidate;
mod collect;
mod filters;
mod finish;
mod found;
mod generalize;
mod habitat;
mod idioms;
mod inert;
mod kept;
mod late;
mod levels;
mod raw;
mod run;
mod samples;
mod spill;
mod symbols;
mod tally;

pub use collect::TallyCollector;
pub use finish::FinishOptions;
pub use finish::Harvest;
pub use finish::finish;
pub use idioms::IdiomRule;
pub use idioms::count_words;
pub use kept::KeptTallies;
pub use kept::Reading;
pub use raw::RawError;
pub use raw::read_raw;
pub use raw::write_raw;
pub use run::Tallied;
pub use run::tally_git;
pub use run::tally_patch;
pub use samples::Sample;
pub use samples::Samples;
pub use spill::TallyMerge;
pub use tally::Tally;
pub use tally::TallyOptions;
