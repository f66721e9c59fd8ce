//! How code changed: git histories and patch text in, blocks of changed lines out.
//!
//! In: a git repository, or patch text. Out: [`Change`]s, handed to a [`Collector`] one at a time, and a
//! [`Census`] of what was read and what was left out. Nothing is kept but what the collector keeps.

mod census;
mod change;
mod changed;
mod checkout;
mod clone;
mod detect;
mod diff;
mod fixes;
mod git;
mod handle;
mod identity;
mod patch;
mod range;
mod replaced;
mod resume_points;
mod roots;
mod select;
mod small_fixes;
mod snapshot;
mod tree;
mod versions;

pub use census::Census;
pub use census::HistoryError;
pub use change::Change;
pub use change::Collector;
pub use change::Commit;
pub use change::Known;
pub use change::Side;
pub use changed::ChangedLines;
pub use changed::changed_in;
pub use changed::changed_since;
pub use changed::revision_of_branch;
pub use checkout::ChangedPath;
pub use clone::Cloning;
pub use clone::Received;
pub use clone::Remote;
pub use detect::detect_language;
pub use diff::Block;
pub use diff::blocks;
pub use fixes::FixWords;
pub use git::GitOptions;
pub use git::HistoryReading;
pub use git::read_git;
pub use identity::Identity;
pub use identity::identify;
pub use patch::PatchText;
pub use patch::read_patch;
pub use range::CommitRange;
pub use replaced::replaced_in;
pub use resume_points::ResumePoints;
pub use roots::repository_id;
pub use select::CommitSelection;
pub use select::Unwanted;
pub use small_fixes::FixCollector;
pub use small_fixes::FixedBlock;
pub use small_fixes::SmallFix;
pub use small_fixes::test_files;
pub use snapshot::FileAt;
pub use snapshot::Snapshots;
