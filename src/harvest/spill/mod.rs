//! Merges tallies in files when they do not fit into memory.
//!
//! In: tallies, one at a time. Out: the harvest that [`finish`](super::finish) gives of all of them, byte for byte.
//! What has to meet goes into the same of [`PARTS`] files, which are read one by one:
//!
//! 1. Words meet by their texts: idioms are chosen. Rows and shifts meet by their keys: the earliest of each counts.
//! 2. Where one change is read at several levels, rows meet again by commits: renamings and moved code show.
//! 3. The operators that rows show meet by their texts, as shifts do: their figures are added up.
//!
//! Records name symbols by kind and text, so they mean the same in all files. Memory holds one part, and the
//! operators and shifts that are in the set.

mod codec;
mod leveled;
mod merge;
mod parts;
mod record;
mod slice;
mod store;
mod work;

pub use merge::TallyMerge;

use parts::PARTS;
