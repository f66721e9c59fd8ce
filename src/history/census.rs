//! What was read, what was skipped, and why.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// Counts of one reading, or of many added up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Census {
    /// Commits whose changes were read.
    pub commits: u64,
    /// Commits with several parents, left out.
    pub merges: u64,
    /// Files that a commit changed and that were compared.
    pub files: u64,
    /// Blocks of changed lines found in them.
    pub blocks: u64,
    /// Bytes of files compared, or of patch text read.
    pub bytes: u64,
    /// Files, or whole directories, that a commit added or removed: nothing to compare with.
    pub added_or_removed: u64,
    /// Files of other people's code.
    pub vendored: u64,
    /// Files that a program wrote.
    pub generated: u64,
    /// Files squeezed into a few long lines.
    pub minified: u64,
    /// Files that are not text, or of 4 GiB and more.
    pub unfit: u64,
    /// Commits, trees or files that could not be read: missing or damaged.
    pub unreadable: u64,
    /// Hunks of patch text that break off or contradict their header.
    pub malformed: u64,
}

impl Census {
    /// Adds another reading's counts.
    pub fn add(&mut self, other: &Self) {
        self.commits += other.commits;
        self.merges += other.merges;
        self.files += other.files;
        self.blocks += other.blocks;
        self.bytes += other.bytes;
        self.added_or_removed += other.added_or_removed;
        self.vendored += other.vendored;
        self.generated += other.generated;
        self.minified += other.minified;
        self.unfit += other.unfit;
        self.unreadable += other.unreadable;
        self.malformed += other.malformed;
    }

    /// Each count with a name people read, in order.
    pub fn rows(&self) -> [(&'static str, u64); 12] {
        [
            ("commits", self.commits),
            ("merge commits skipped", self.merges),
            ("changed files", self.files),
            ("changed blocks", self.blocks),
            ("bytes read", self.bytes),
            ("files added or removed", self.added_or_removed),
            ("vendored files skipped", self.vendored),
            ("generated files skipped", self.generated),
            ("minified files skipped", self.minified),
            ("binary or oversized files skipped", self.unfit),
            ("missing or damaged objects", self.unreadable),
            ("malformed hunks", self.malformed),
        ]
    }
}

/// Why a history could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    #[error("{}: not a git repository: {reason}; name a directory that contains .git, or a bare repository", path.display())]
    NotARepository { path: PathBuf, reason: String },
    #[error("{}: no branch, tag or commit {name:?}: {reason}; `git branch -a` lists branches", path.display())]
    NoSuchBranch { path: PathBuf, name: String, reason: String },
    #[error("{range:?} is not a range of revisions; write GOOD..BAD, for example v1.0..HEAD")]
    Range { range: String },
    #[error("{}: {reason}", path.display())]
    Git { path: PathBuf, reason: String },
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("{url}: {reason}; {remedy}")]
    Clone { url: String, reason: String, remedy: String },
    #[error("path pattern {glob:?}: {reason}")]
    Glob { glob: String, reason: String },
    #[error("stopped")]
    Stopped,
}
