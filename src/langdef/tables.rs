//! The tables that drive the lexer, compiled once from a checked language definition.

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use super::file::QuoteKind;
use super::file::RawShape;

/// What a byte begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexClass {
    Space,
    Word,
    Digit,
    /// It is an operator, and nothing longer begins with it.
    Single,
    /// Some rule of [`LexRule`] begins with it.
    Mark,
    Unknown,
}

/// A fixed text that begins a comment, a literal or an operator.
#[derive(Clone, Debug)]
pub struct LexRule {
    pub text: Box<[u8]>,
    pub kind: RuleKind,
}

/// What a [`LexRule`] begins; indexes point into the definition's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    Comment(u8),
    /// A comment's closing mark where no comment is open.
    StrayClose,
    Quote(u8),
    Operator,
    /// The preprocessor's marker: a directive at the start of a line, an operator elsewhere.
    Marker,
    /// A backslash; before a line end it is white space.
    Splice,
    /// A character that may begin an identifier if a letter follows.
    Sigil,
    /// A dot; before a digit it may begin a number.
    Dot,
    /// Code ends here (PHP's `?>`).
    IslandClose,
}

/// A compiled comment.
#[derive(Clone, Debug)]
pub struct Comment {
    pub open: Box<[u8]>,
    pub close: Option<Box<[u8]>>,
    pub nested: bool,
    pub leveled: bool,
    pub stops_before: Option<Box<[u8]>>,
}

/// A compiled literal.
#[derive(Clone, Debug)]
pub struct Quote {
    pub kind: QuoteKind,
    pub open: Box<[u8]>,
    pub close: Box<[u8]>,
    pub suffix: bool,
    pub escape: Option<u8>,
    pub joins_lines: bool,
    pub gap: Option<u8>,
    pub doubled: bool,
    pub greedy_close: bool,
    pub multiline: bool,
    pub interpolations: Vec<Interpolation>,
    pub format_mark: Option<Box<[u8]>>,
    pub raw: Option<RawShape>,
    pub or_label: bool,
    pub operand_only: bool,
    pub after_names: bool,
    pub nested: bool,
    pub regex: bool,
}

/// Brackets inside a literal, between which code stands.
#[derive(Clone, Debug)]
pub struct Interpolation {
    pub open: Box<[u8]>,
    pub close: Box<[u8]>,
    /// The operator that, inside the code, must be closed first.
    pub nests: Box<[u8]>,
}

/// A compiled number rule.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub separators: Box<[u8]>,
    pub trailing_dot: bool,
    pub dot_suffixes: Box<[u8]>,
    pub fields: bool,
    /// `..` is an operator, so that `1..2` has no number `1.` in it.
    pub ranges: bool,
}

/// A compiled preprocessor: what the word after the marker says about the rest of the line.
#[derive(Clone, Debug, Default)]
pub struct Preprocessor {
    pub directives: WordSet,
    pub headers: WordSet,
    pub texts: WordSet,
}

/// Which tokens leave a value behind.
#[derive(Clone, Debug, Default)]
pub struct Operands {
    pub ends: WordSet,
    pub postfix: WordSet,
    /// The end of a line ends an operand, too, as where arguments need no parentheses.
    pub lines_end: bool,
}

/// Where code begins in a file that is not all code.
#[derive(Clone, Debug)]
pub struct Island {
    /// The opening marks, longest first; all begin with the same byte.
    pub open: Vec<Box<[u8]>>,
}

/// A set of words that answers most lookups from the length and the first byte alone.
#[derive(Clone, Debug, Default)]
pub struct WordSet {
    lengths_by_first: Box<[u64]>,
    words: FxHashSet<Box<[u8]>>,
}

impl WordSet {
    pub fn new<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut lengths_by_first = vec![0u64; 256].into_boxed_slice();
        let words: FxHashSet<Box<[u8]>> = words.map(|word| word.as_bytes().into()).collect();
        for word in &words {
            let Some(&first) = word.first() else { continue };
            lengths_by_first[first as usize] |= 1 << word.len().min(63);
        }
        Self { lengths_by_first, words }
    }

    pub fn contains(&self, word: &[u8]) -> bool {
        let Some(&first) = word.first() else { return false };
        self.lengths_by_first.get(first as usize).is_some_and(|bits| bits >> word.len().min(63) & 1 == 1)
            && self.words.contains(word)
    }
}

/// Which literals a word may introduce (`u8"…"`, `rb'…'`), in the order they are tried.
pub type Prefixes = FxHashMap<Box<[u8]>, Vec<u8>>;
