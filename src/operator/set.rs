//! Operators and sets of them, in memory.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;

use xxhash_rust::xxh3::xxh3_64;

use crate::history::Census;

use super::Evidence;
use super::Funnel;
use super::Term;
use super::notation::escape;
use super::notation::write_terms;
use super::term::canonical;

/// Which way changes are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From after to before: brings back what was changed.
    #[default]
    Backward,
    /// From before to after.
    Forward,
    /// Both, in one set.
    Both,
}

impl Direction {
    /// Name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Backward => "backward",
            Self::Forward => "forward",
            Self::Both => "both",
        }
    }
}

/// What of a changed block becomes the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Granularity {
    /// All tokens of the changed lines, as in the paper.
    Line,
    /// Common tokens at both ends trimmed, but for this many.
    Token { context: u8 },
    /// One change at several levels of generality: contexts 2, 1 and 0, and folded by structure.
    Levels,
}

impl fmt::Display for Granularity {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Line => out.write_str("line"),
            Self::Token { context } => write!(out, "token, context {context}"),
            Self::Levels => out.write_str("levels"),
        }
    }
}

/// Limits of the filters; the defaults are the paper's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Most tokens on either side.
    pub max_tokens: usize,
    /// One side must have at least this many.
    pub min_tokens: usize,
    /// So many equal operator characters in a row are ASCII art.
    pub ascii_art: usize,
    /// Most distinct identifiers and literals.
    pub max_identifiers: usize,
    /// Most identifiers in a row.
    pub max_adjacent: usize,
    /// Shifts seen less often are dropped.
    pub shift_min: u64,
    /// Operators seen less often are dropped.
    pub min_count: u64,
    /// Operators seen in fewer repositories are dropped.
    pub min_repos: usize,
    /// Operators seen less often in fixes are dropped.
    pub min_fixes: u64,
    /// How idioms were chosen, in words.
    pub idioms: String,
    /// Which words make a commit a fix.
    pub fix_words: String,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            max_tokens: 10,
            min_tokens: 2,
            ascii_art: 3,
            max_identifiers: 4,
            max_adjacent: 2,
            shift_min: 3,
            min_count: 1,
            min_repos: 1,
            min_fixes: 0,
            idioms: String::new(),
            fix_words: String::new(),
        }
    }
}

impl Thresholds {
    /// Takes of every limit the looser one: what either set let pass is in both together.
    pub(super) fn loosen(&mut self, other: &Self) {
        self.max_tokens = self.max_tokens.max(other.max_tokens);
        self.min_tokens = self.min_tokens.min(other.min_tokens);
        self.ascii_art = self.ascii_art.max(other.ascii_art);
        self.max_identifiers = self.max_identifiers.max(other.max_identifiers);
        self.max_adjacent = self.max_adjacent.max(other.max_adjacent);
        self.shift_min = self.shift_min.min(other.shift_min);
        self.min_count = self.min_count.min(other.min_count);
        self.min_repos = self.min_repos.min(other.min_repos);
        self.min_fixes = self.min_fixes.min(other.min_fixes);
        self.idioms = either(&self.idioms, &other.idioms);
        self.fix_words = either(&self.fix_words, &other.fix_words);
    }
}

/// Joins what two sets say of themselves: each thing once, in order, so that it does not matter which set
/// came first.
pub(super) fn either(mine: &str, theirs: &str) -> String {
    let said: BTreeSet<&str> =
        mine.split(" | ").chain(theirs.split(" | ")).filter(|text| !text.is_empty()).collect();
    said.into_iter().collect::<Vec<_>>().join(" | ")
}

/// Where a set was mined.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    pub name: String,
    /// The commit it was read from; empty for patch text.
    pub head: String,
    /// SPDX name of its licence, as far as its licence file shows.
    pub license: String,
    /// Which repository it is, whatever its name: from its root commits. Empty where these are not known.
    pub id: String,
}

/// The header of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub name: String,
    pub language: String,
    pub direction: Direction,
    pub granularity: Granularity,
    /// Name and version of the tool that wrote it; empty for hand-written sets.
    pub tool: String,
    /// The harvest was stopped before its end.
    pub partial: bool,
    /// Tokens of the corpus in which patterns were counted; 0 if they were not.
    pub exposed: u64,
    /// Mutants per 1,000 tokens that it asks for, the likeliest; 0 for all.
    pub density: u32,
    pub thresholds: Thresholds,
    pub census: Census,
    pub sources: Vec<Source>,
    /// Per direction, `backward` or `forward`.
    pub funnels: BTreeMap<&'static str, Funnel>,
    /// Identifiers and literals that stand as keywords.
    pub idioms: Vec<Vec<u8>>,
}

/// An operator: where `find` matches, `put` may stand instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    find: Vec<Term>,
    put: Vec<Term>,
    /// What kind of change it is, in plain words; empty for most that were caught.
    pub name: String,
    pub evidence: Evidence,
}

impl Operator {
    /// An operator in canonical numbering. What binds its holes is the caller's to say.
    pub fn new(mut find: Vec<Term>, mut put: Vec<Term>, evidence: Evidence) -> Self {
        canonical(&mut find, &mut put);
        Self { find, put, name: String::new(), evidence }
    }

    pub fn find(&self) -> &[Term] {
        &self.find
    }

    pub fn put(&self) -> &[Term] {
        &self.put
    }

    /// Twelve hexadecimal digits of the content.
    pub fn id(&self) -> String {
        content_id(&write_terms(&self.find), &write_terms(&self.put))
    }
}

/// Twelve hexadecimal digits of XXH3 over both texts, a newline after each.
fn content_id(find: &str, put: &str) -> String {
    let hash = xxh3_64(format!("{find}\n{put}\n").as_bytes());
    format!("{:012x}", hash >> 16)
}

/// One identifier for another, either way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shift {
    pub before: Vec<u8>,
    pub after: Vec<u8>,
    pub evidence: Evidence,
}

impl Shift {
    /// Twelve hexadecimal digits of the content.
    pub fn id(&self) -> String {
        content_id(&format!("shift {}", escape(&self.before)), &escape(&self.after))
    }
}

/// Why two sets cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{first} and {second} differ in {what}; merge sets of one kind")]
pub struct MergeError {
    pub first: String,
    pub second: String,
    /// What differs, with both values.
    pub what: String,
}

/// A set of operators and shifts for one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorSet {
    pub header: Header,
    pub operators: Vec<Operator>,
    pub shifts: Vec<Shift>,
}

impl OperatorSet {
    /// Puts everything in the order files have: what is seen most widely first.
    pub fn sort(&mut self) {
        let wider =
            |a: &Evidence, b: &Evidence| b.repos.len().cmp(&a.repos.len()).then(b.count.cmp(&a.count));
        // An operator may stand in a set twice, once per direction: those are told apart by what is known of them.
        let rest = |a: &Evidence, b: &Evidence| {
            let known = |of: &Evidence| (of.forward, of.fixes, of.commits, of.first, of.last);
            known(a).cmp(&known(b)).then_with(|| a.examples.cmp(&b.examples))
        };
        self.operators.sort_unstable_by(|a, b| {
            wider(&a.evidence, &b.evidence)
                .then_with(|| (&a.find, &a.put).cmp(&(&b.find, &b.put)))
                .then_with(|| rest(&a.evidence, &b.evidence))
        });
        self.shifts.sort_unstable_by(|a, b| {
            wider(&a.evidence, &b.evidence)
                .then_with(|| (&a.before, &a.after).cmp(&(&b.before, &b.after)))
                .then_with(|| rest(&a.evidence, &b.evidence))
        });
        self.header.sources.sort();
        self.header.sources.dedup();
        self.header.idioms.sort();
        self.header.idioms.dedup();
    }
}
