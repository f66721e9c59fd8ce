//! Commits that fix something in a few lines.
//!
//! In: the changes of a history. Out: [`SmallFix`]es, newest first. Changes in test files are not counted, but noted.

use std::collections::BTreeMap;

use globset::GlobSet;

use crate::langdef::LangDef;
use crate::text::Span;

use super::Change;
use super::Collector;
use super::Commit;
use super::HistoryError;
use super::select::globs;

/// How many blocks of a commit are kept: tests inside of source files make blocks, too, and are left out later.
const MOST_BLOCKS: usize = 6;

/// A changed block of a commit, outside of test files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixedBlock {
    pub path: Vec<u8>,
    /// The changed lines in the fixed file.
    pub after: Span,
    /// The lines that stood there before.
    pub before: Vec<u8>,
}

/// A commit whose message describes a fix, and which changed few blocks of source code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallFix {
    /// Hexadecimal id.
    pub commit: String,
    /// Seconds since 1970.
    pub time: i64,
    pub blocks: Vec<FixedBlock>,
    /// The commit changed a test file, too.
    pub with_test: bool,
}

/// What a commit changed so far.
#[derive(Default)]
struct Seen {
    time: i64,
    blocks: Vec<FixedBlock>,
    /// Changed more than is kept.
    large: bool,
    with_test: bool,
}

/// Collects small fixes.
pub struct FixCollector<'a> {
    tests: &'a GlobSet,
    commits: BTreeMap<String, Seen>,
}

/// The files of a language that hold tests.
pub fn test_files(def: &LangDef) -> Result<GlobSet, HistoryError> {
    globs(def.file.tests.paths.iter().cloned())
}

impl<'a> FixCollector<'a> {
    /// A collector that takes files of `tests` for tests.
    pub fn new(tests: &'a GlobSet) -> Self {
        Self { tests, commits: BTreeMap::new() }
    }

    /// Puts together what several collectors found: small fixes, newest first.
    pub fn finish(collectors: Vec<Self>) -> Vec<SmallFix> {
        let mut commits: BTreeMap<String, Seen> = BTreeMap::new();
        for (commit, seen) in collectors.into_iter().flat_map(|collector| collector.commits) {
            commits.entry(commit).or_default().absorb(seen);
        }
        let small = commits.into_iter().filter(|(_, seen)| !seen.large && !seen.blocks.is_empty());
        let mut fixes: Vec<SmallFix> = small
            .map(|(commit, mut seen)| {
                seen.blocks.sort();
                SmallFix { commit, time: seen.time, blocks: seen.blocks, with_test: seen.with_test }
            })
            .collect();
        fixes.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.commit.cmp(&b.commit)));
        fixes
    }
}

impl Seen {
    fn absorb(&mut self, other: Self) {
        self.time = other.time;
        self.with_test |= other.with_test;
        self.blocks.extend(other.blocks);
        self.large |= other.large || self.blocks.len() > MOST_BLOCKS;
        if self.large {
            self.blocks = Vec::new();
        }
    }
}

impl Collector for FixCollector<'_> {
    fn take(&mut self, commit: &Commit, change: &Change) {
        if !commit.fix {
            return;
        }
        let seen = match self.commits.get_mut(&commit.id) {
            Some(seen) => seen,
            None => self.commits.entry(commit.id.clone()).or_default(),
        };
        seen.time = commit.time.unwrap_or_default();
        if self.tests.is_match(String::from_utf8_lossy(change.path).as_ref()) {
            seen.with_test = true;
            return;
        }
        seen.large |= seen.blocks.len() >= MOST_BLOCKS;
        if seen.large {
            seen.blocks = Vec::new();
            return;
        }
        seen.blocks.push(FixedBlock {
            path: change.path.to_vec(),
            after: change.after.block,
            before: change.before.lines().to_vec(),
        });
    }
}
