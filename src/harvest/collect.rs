//! Fills a tally, change by change: lexes, applies the first filters, keeps what passes.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::history::Change;
use crate::history::Collector;
use crate::history::Commit;
use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::line_ends_between;

use super::candidate::LexedSide;
use super::candidate::Next;
use super::candidate::Trim;
use super::candidate::is_prose;
use super::candidate::shift;
use super::candidate::trim;
use super::filters::ascii_art;
use super::filters::too_few_tokens;
use super::habitat::look_around;
use super::inert::Inert;
use super::symbols::Symbol;
use super::symbols::Symbols;
use super::tally::CommitRow;
use super::tally::ShiftRow;
use super::tally::Tally;
use super::tally::TallyRow;

/// Longer texts cannot become idioms.
const LONGEST_IDIOM: usize = 32;

/// Tokens of a side after which nothing can make the block small: trimming what is common to both sides
/// of this many lines leaves too many, and most of what has more is new functions, where lexing would cost
/// the more the less there is to find. Such blocks do not count for idioms either.
const ENDLESS: usize = 120;

/// Tokens of a side that are kept to be folded.
const WIDEST: usize = 60;

/// Fills a tally; holds the buffers that are reused from change to change.
pub struct TallyCollector<'a> {
    def: &'a LangDef,
    /// Where changes say nothing of what programs do; checked where changes are read at several levels.
    inert: Inert,
    tally: Tally,
    before: LexedSide,
    after: LexedSide,
    back: Vec<Token>,
    commits: FxHashMap<String, u32>,
    /// How often each symbol was seen as an identifier or literal.
    words: Vec<u64>,
    /// How often each change was seen in the current file: the same edit twice in a file is two changes.
    file: (String, Vec<u8>),
    again: FxHashMap<u64, u64>,
    /// The key of the current change, once asked for.
    key: Option<u64>,
    /// Sides with more tokens are not read to their end.
    most: usize,
    scratch: Vec<u8>,
    /// The symbols of both sides' tokens, as far as they are known.
    known: Vec<Symbol>,
    tokens: Vec<Symbol>,
}

/// No symbol yet.
const UNKNOWN: Symbol = Symbol::MAX;

impl<'a> TallyCollector<'a> {
    /// A collector that fills `tally`.
    pub fn new(def: &'a LangDef, tally: Tally) -> Self {
        Self {
            def,
            inert: Inert::new(def),
            most: ENDLESS.max(tally.options.limits.max_tokens * 2),
            tally,
            before: LexedSide::default(),
            after: LexedSide::default(),
            back: Vec::new(),
            commits: FxHashMap::default(),
            words: Vec::new(),
            file: (String::new(), Vec::new()),
            again: FxHashMap::default(),
            key: None,
            scratch: Vec::new(),
            known: Vec::new(),
            tokens: Vec::new(),
        }
    }

    /// The filled tally.
    pub fn into_tally(mut self) -> Tally {
        let counted = self.words.iter().enumerate().filter(|(_, count)| **count > 0);
        self.tally.words.extend(counted.map(|(symbol, &count)| ((symbol as Symbol, 0), count)));
        self.tally
    }

    fn reject(&mut self, filter: Filter, commit: &Commit, change: &Change) {
        *self.tally.rejected.entry(filter).or_default() += 1;
        if self.tally.samples.wanted() {
            let key = self.key(commit, change);
            self.tally.samples.add(filter, key, commit, change);
        }
    }

    fn first_filter(&self, change: &Change, trim: Trim) -> Option<Filter> {
        let cut = |side: &'_ LexedSide| trim.skip..side.tokens.len() - trim.drop;
        let before = &self.before.tokens[cut(&self.before)];
        let after = &self.after.tokens[cut(&self.after)];
        let limits = &self.tally.options.limits;
        let prose = is_prose(change, &self.before, &self.after);
        if prose && self.before.tokens.is_empty() && self.after.tokens.is_empty() {
            return Some(Filter::Comment); // nothing but comment: there are no tokens to count
        }
        let widest = match self.tally.options.granularity {
            Granularity::Levels => WIDEST,
            _ => limits.max_tokens,
        };
        if before.len().max(after.len()) > widest {
            return Some(Filter::TooManyTokens);
        }
        if too_few_tokens(before, after, limits) {
            return Some(Filter::TooFewTokens);
        }
        if ascii_art(before, change.before.text, self.def, limits)
            || ascii_art(after, change.after.text, self.def, limits)
        {
            return Some(Filter::AsciiArt);
        }
        if prose { Some(Filter::Comment) } else { self.inert(change) }
    }

    /// Why a change says nothing of what programs do, where that is asked.
    fn inert(&self, change: &Change) -> Option<Filter> {
        if self.tally.options.granularity != Granularity::Levels {
            return None;
        }
        let (side, lexed) = if self.after.tokens.is_empty() {
            (&change.before, &self.before)
        } else {
            (&change.after, &self.after)
        };
        self.inert.judge(change.path, side, &lexed.tokens)
    }

    /// Counts the identifiers and literals of both sides, and notes their symbols for [`Self::keep`].
    fn count_words(&mut self, change: &Change) {
        self.known.clear();
        let sides = [(&self.before, change.before.text), (&self.after, change.after.text)];
        for (side, text) in sides {
            for token in &side.tokens {
                let word = token.span.of(text);
                if !token.kind.is_bindable() || word.len() > LONGEST_IDIOM {
                    self.known.push(UNKNOWN);
                    continue;
                }
                let symbol = self.tally.symbols.intern(token.kind, word);
                if self.words.len() <= symbol as usize {
                    self.words.resize(symbol as usize + 1, 0);
                }
                self.words[symbol as usize] += 1;
                self.known.push(symbol);
            }
        }
    }

    /// Equal for the same change by the same author at the same time in the same file. Where nobody is
    /// named, the place in the file stands in.
    fn key(&mut self, commit: &Commit, change: &Change) -> u64 {
        if let Some(key) = self.key {
            return key;
        }
        if self.file.0 != commit.id || self.file.1 != change.path {
            self.file.0.clone_from(&commit.id);
            change.path.clone_into(&mut self.file.1);
            self.again.clear();
        }
        let anonymous = commit.author.is_empty() && commit.time.is_none();
        let place = if anonymous { u64::from(change.before.block.start) } else { 0 };
        self.scratch.clear();
        for part in [
            &commit.author[..],
            &commit.time.unwrap_or(i64::MIN).to_le_bytes(),
            &place.to_le_bytes(),
            change.path,
            &(change.before.lines().len() as u64).to_le_bytes(),
            change.before.lines(),
            change.after.lines(),
        ] {
            self.scratch.extend_from_slice(part);
        }
        let key = xxh3_64(&self.scratch);
        let times = self.again.entry(key).or_default();
        *times += 1;
        *self.key.insert(key.wrapping_add((*times - 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    fn commit(&mut self, commit: &Commit) -> u32 {
        if self.tally.commits.last().is_some_and(|last| last.id == commit.id) {
            return self.tally.commits.len() as u32 - 1;
        }
        if let Some(&known) = self.commits.get(&commit.id) {
            return known;
        }
        let number = self.tally.commits.len() as u32;
        self.tally.commits.push(CommitRow {
            repo: 0,
            id: commit.id.clone(),
            time: commit.time,
            fix: commit.fix,
        });
        self.commits.insert(commit.id.clone(), number);
        number
    }

    fn keep(&mut self, commit: &Commit, change: &Change, trim: Trim) {
        let key = self.key(commit, change);
        let commit = self.commit(commit);
        let (side, lexed) = if self.after.tokens.is_empty() {
            (&change.before, &self.before)
        } else {
            (&change.after, &self.after)
        };
        let around = look_around(self.def, side, lexed, trim.skip, trim.drop, &mut self.back);
        let symbols = &mut self.tally.symbols;
        let left = neighbour(symbols, around.left);
        let right = neighbour(symbols, around.right);
        let bracket = symbols.intern(TokenKind::Unknown, around.bracket);
        let position = symbols.intern(TokenKind::Unknown, &around.position);
        self.tokens.clear();
        let lines =
            self.tally.options.granularity == Granularity::Levels && self.def.layout() == Layout::Soft;
        let mut before = None;
        let mut known = self.known.as_slice();
        for (side, text) in [(&self.before, change.before.text), (&self.after, change.after.text)] {
            let (of_side, rest) = known.split_at(side.tokens.len());
            known = rest;
            let kept = trim.skip..side.tokens.len() - trim.drop;
            let mut last: Option<&Token> = None;
            for (token, &symbol) in side.tokens[kept.clone()].iter().zip(&of_side[kept]) {
                // Where lines end statements without a token, one marks them.
                if lines && last.is_some_and(|last| line_ends_between(text, last, token)) {
                    self.tokens.push(symbols.intern(TokenKind::LineEnd, b""));
                }
                last = Some(token);
                let shown = if token.kind.is_layout() { b"" } else { token.span.of(text) };
                self.tokens.push(if symbol == UNKNOWN { symbols.intern(token.kind, shown) } else { symbol });
            }
            before.get_or_insert(self.tokens.len() as u8);
        }
        let before = before.unwrap_or_default();
        self.tally.rows.push(TallyRow {
            key,
            commit,
            left,
            right,
            bracket,
            position,
            tokens: self.tokens.as_slice().into(),
            before,
        });
    }

    fn keep_shift(&mut self, commit: &Commit, change: &Change) {
        let Some((before, after)) = shift(change, &self.before, &self.after) else { return };
        let key = self.key(commit, change);
        let commit = self.commit(commit);
        let before = self.tally.symbols.intern(before.kind, before.span.of(change.before.text));
        let after = self.tally.symbols.intern(after.kind, after.span.of(change.after.text));
        self.tally.shifts.push(ShiftRow { key, commit, before, after });
    }
}

/// Keywords, operators and layout by name, everything else by kind only.
fn neighbour(symbols: &mut Symbols, token: Option<(TokenKind, &[u8])>) -> Symbol {
    match token {
        Some((kind @ (TokenKind::Keyword | TokenKind::Operator), text)) => symbols.intern(kind, text),
        Some((kind, _)) => symbols.intern(kind, b""),
        None => symbols.intern(TokenKind::Space, b""),
    }
}

impl Collector for TallyCollector<'_> {
    fn take(&mut self, commit: &Commit, change: &Change) {
        self.tally.candidates += 1;
        self.key = None;
        self.after.read(self.def, &change.after, self.most, Next::Wanted);
        let next = if self.after.tokens.is_empty() { Next::Wanted } else { Next::Unwanted };
        self.before.read(self.def, &change.before, self.most, next);
        if self.before.endless || self.after.endless {
            return self.reject(Filter::TooManyTokens, commit, change);
        }
        if !is_prose(change, &self.before, &self.after) && self.inert(change).is_none() {
            self.count_words(change);
            self.keep_shift(commit, change);
        }
        let trim = trim(change, &self.before, &self.after, self.tally.options.granularity);
        match self.first_filter(change, trim) {
            Some(filter) => self.reject(filter, commit, change),
            None => self.keep(commit, change, trim),
        }
    }
}
