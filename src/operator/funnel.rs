//! The way from candidates to operators: which filter rejected how many (the paper's Figure 5).

use std::collections::BTreeMap;

use serde::Serialize;

/// Why a candidate is not, or not by itself, an operator; in the order in which filters apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Filter {
    TooManyTokens,
    TooFewTokens,
    AsciiArt,
    Comment,
    /// In code of tests.
    TestCode,
    /// Imports, includes, packages.
    Import,
    /// Annotations and attributes.
    Attribute,
    /// Only modifiers: visibility, `const`, `final`.
    Modifier,
    /// The same name became the same other one several times in the commit.
    Rename,
    /// What went here came elsewhere in the same commit.
    Moved,
    /// The same change was seen before: cherry-pick, rebase, fork.
    SeenAgain,
    /// There is nothing to match: the change only removed lines (backward) or only added some (forward).
    NothingToMatch,
    NeedsSynthesis,
    TooManyIdentifiers,
    TooManyAdjacent,
    Identical,
    Unbalanced,
    Duplicate,
}

impl Filter {
    /// All filters in order. Ten are the paper's.
    pub const ALL: [Self; 18] = [
        Self::TooManyTokens,
        Self::TooFewTokens,
        Self::AsciiArt,
        Self::Comment,
        Self::TestCode,
        Self::Import,
        Self::Attribute,
        Self::Modifier,
        Self::Rename,
        Self::Moved,
        Self::SeenAgain,
        Self::NothingToMatch,
        Self::NeedsSynthesis,
        Self::TooManyIdentifiers,
        Self::TooManyAdjacent,
        Self::Identical,
        Self::Unbalanced,
        Self::Duplicate,
    ];

    /// Key in files.
    pub fn key(self) -> &'static str {
        match self {
            Self::TooManyTokens => "too-many-tokens",
            Self::TooFewTokens => "too-few-tokens",
            Self::AsciiArt => "ascii-art",
            Self::Comment => "comment",
            Self::TestCode => "test-code",
            Self::Import => "import",
            Self::Attribute => "attribute",
            Self::Modifier => "modifier",
            Self::Rename => "rename",
            Self::Moved => "moved",
            Self::SeenAgain => "seen-again",
            Self::NothingToMatch => "nothing-to-match",
            Self::NeedsSynthesis => "needs-synthesis",
            Self::TooManyIdentifiers => "too-many-identifiers",
            Self::TooManyAdjacent => "too-many-adjacent-identifiers",
            Self::Identical => "identical",
            Self::Unbalanced => "unbalanced-brackets",
            Self::Duplicate => "duplicate",
        }
    }

    /// Whether it applies only where changes are read at several levels.
    fn is_of_levels(self) -> bool {
        (Self::TestCode..=Self::Moved).contains(&self)
    }

    /// The filter with this key.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|filter| filter.key() == key)
    }

    /// Name for people, as in the paper.
    pub fn title(self) -> &'static str {
        match self {
            Self::TooManyTokens => "Too many tokens",
            Self::TooFewTokens => "Too few tokens",
            Self::AsciiArt => "ASCII art",
            Self::Comment => "Comment detected",
            Self::TestCode => "Test code",
            Self::Import => "Import",
            Self::Attribute => "Annotation or attribute",
            Self::Modifier => "Only modifiers",
            Self::Rename => "Renamed across the commit",
            Self::Moved => "Moved code",
            Self::SeenAgain => "Same change seen before",
            Self::NothingToMatch => "Nothing to match",
            Self::NeedsSynthesis => "Needs synthesis",
            Self::TooManyIdentifiers => "Too many identifiers",
            Self::TooManyAdjacent => "Too many adjacent identifiers",
            Self::Identical => "Identical tokenized strings",
            Self::Unbalanced => "Unbalanced brackets",
            Self::Duplicate => "Duplicated mutation operator",
        }
    }
}

/// Counts of candidates on their way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Funnel {
    /// Candidates that came in.
    pub candidates: u64,
    rejected: [u64; Filter::ALL.len()],
}

/// One row of a funnel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FunnelRow {
    pub filter: &'static str,
    pub rejected: u64,
    /// Share of those that reached this filter.
    pub share: f64,
    pub left: u64,
}

impl Funnel {
    /// A funnel with these counts.
    pub fn of(candidates: u64, rejected: &BTreeMap<Filter, u64>) -> Self {
        let mut funnel = Self { candidates, ..Self::default() };
        rejected.iter().for_each(|(&filter, &count)| funnel.reject(filter, count));
        funnel
    }

    /// Counts rejections.
    pub fn reject(&mut self, filter: Filter, count: u64) {
        self.rejected[filter as usize] += count;
    }

    /// How many a filter rejected.
    pub fn rejected(&self, filter: Filter) -> u64 {
        self.rejected[filter as usize]
    }

    /// Whether a filter has a row: those that do not always apply have one if they rejected something.
    fn shows(&self, filter: Filter) -> bool {
        self.rejected(filter) > 0 || !filter.is_of_levels()
    }

    /// The filters that have a row, in order.
    pub fn shown(&self) -> impl Iterator<Item = Filter> {
        Filter::ALL.into_iter().filter(|filter| self.shows(*filter))
    }

    /// What is left at the end: the operators.
    pub fn kept(&self) -> u64 {
        self.candidates.saturating_sub(self.rejected.iter().sum())
    }

    /// Adds another funnel's counts.
    pub fn add(&mut self, other: &Self) {
        self.candidates += other.candidates;
        for (mine, theirs) in self.rejected.iter_mut().zip(other.rejected) {
            *mine += theirs;
        }
    }

    /// The rows from top to bottom.
    pub fn rows(&self) -> Vec<FunnelRow> {
        let mut left = self.candidates;
        self.shown()
            .map(|filter| {
                let rejected = self.rejected(filter);
                let share = if left == 0 { 0.0 } else { rejected as f64 / left as f64 };
                left = left.saturating_sub(rejected);
                FunnelRow { filter: filter.key(), rejected, share, left }
            })
            .collect()
    }
}
