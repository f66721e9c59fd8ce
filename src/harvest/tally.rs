//! Takes changes, keeps what may become an operator or a shift, counts the rest.
//!
//! A tally is a bag: what it holds does not depend on the order in which it was filled or merged, only its
//! numbering does, and [`Tally::canonical`] removes that.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::history::Census;
use crate::history::Change;
use crate::history::Collector;
use crate::history::Commit;
use crate::langdef::LangDef;
use crate::lex::Token;
use crate::lex::TokenKind;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::Source;
use crate::operator::Thresholds;

use super::candidate::LexedSide;
use super::candidate::Next;
use super::candidate::Trim;
use super::candidate::is_prose;
use super::candidate::shift;
use super::candidate::trim;
use super::filters::ascii_art;
use super::filters::too_few_tokens;
use super::filters::too_many_tokens;
use super::habitat::look_around;
use super::samples::Samples;
use super::symbols::Symbol;
use super::symbols::Symbols;

/// Longer texts cannot become idioms.
const LONGEST_IDIOM: usize = 32;

/// Tokens of a side after which nothing can make the block small: trimming what is common to both sides
/// of so many lines leaves too many, and most of what has more is new functions, where lexing would cost
/// the more the less there is to find. Such blocks do not count for idioms either.
const ENDLESS: usize = 250;

/// What a tally must know before it takes the first change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TallyOptions {
    pub granularity: Granularity,
    pub limits: Thresholds,
    /// Sample rejections kept per filter.
    pub samples: usize,
}

/// A commit that something in the tally comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CommitRow {
    pub repo: u32,
    pub id: String,
    pub time: Option<i64>,
    pub fix: bool,
}

/// A candidate that passed the filters so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row {
    /// Tells this change from every other; equal for the same change seen again.
    pub key: u64,
    pub commit: u32,
    pub left: Symbol,
    pub right: Symbol,
    pub bracket: Symbol,
    pub position: Symbol,
    /// Tokens before, then tokens after.
    pub tokens: Box<[Symbol]>,
    pub before: u8,
}

/// One identifier that became another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShiftRow {
    pub key: u64,
    pub commit: u32,
    pub before: Symbol,
    pub after: Symbol,
}

/// What was found in some changes.
pub struct Tally {
    pub(super) language: String,
    pub(super) options: TallyOptions,
    pub(super) sources: Vec<Source>,
    pub(super) census: Census,
    pub(super) partial: bool,
    pub(super) candidates: u64,
    /// By filter: those that are asked here.
    pub(super) rejected: BTreeMap<Filter, u64>,
    pub(super) symbols: Symbols,
    /// How often each source's changed lines use each identifier and literal.
    pub(super) words: FxHashMap<(Symbol, u32), u64>,
    pub(super) commits: Vec<CommitRow>,
    pub(super) rows: Vec<Row>,
    pub(super) shifts: Vec<ShiftRow>,
    pub(super) samples: Samples,
}

impl Tally {
    /// An empty tally for one source.
    pub fn new(language: &str, options: TallyOptions, source: Source) -> Self {
        Self {
            language: language.into(),
            samples: Samples::new(options.samples),
            options,
            sources: vec![source],
            census: Census::default(),
            partial: false,
            candidates: 0,
            rejected: BTreeMap::new(),
            symbols: Symbols::default(),
            words: FxHashMap::default(),
            commits: Vec::new(),
            rows: Vec::new(),
            shifts: Vec::new(),
        }
    }

    /// Adds what the reader counted.
    pub fn add_census(&mut self, census: &Census) {
        self.census.add(census);
    }

    /// Marks the tally as broken off.
    pub fn mark_partial(&mut self) {
        self.partial = true;
    }

    /// The language whose definition lexed it.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// How it was tallied: only tallies of the same options merge.
    pub fn options(&self) -> &TallyOptions {
        &self.options
    }

    /// Sample rejections.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Adds another tally of the same language and options.
    pub fn merge(&mut self, other: Self) {
        let repos: Vec<u32> = other.sources.into_iter().map(|source| self.repo(source)).collect();
        let symbols: Vec<Symbol> =
            other.symbols.iter().map(|(kind, text)| self.symbols.intern(kind, text)).collect();
        let first_commit = self.commits.len() as u32;
        self.commits
            .extend(other.commits.into_iter().map(|row| CommitRow { repo: repos[row.repo as usize], ..row }));
        for ((symbol, repo), count) in other.words {
            *self.words.entry((symbols[symbol as usize], repos[repo as usize])).or_default() += count;
        }
        let symbol = |old: Symbol| symbols[old as usize];
        self.rows.extend(other.rows.into_iter().map(|row| Row {
            commit: row.commit + first_commit,
            left: symbol(row.left),
            right: symbol(row.right),
            bracket: symbol(row.bracket),
            position: symbol(row.position),
            tokens: row.tokens.iter().map(|&token| symbol(token)).collect(),
            ..row
        }));
        self.shifts.extend(other.shifts.into_iter().map(|row| ShiftRow {
            commit: row.commit + first_commit,
            before: symbol(row.before),
            after: symbol(row.after),
            key: row.key,
        }));
        self.candidates += other.candidates;
        self.census.add(&other.census);
        self.partial |= other.partial;
        self.samples.merge(other.samples);
        for (filter, count) in other.rejected {
            *self.rejected.entry(filter).or_default() += count;
        }
    }

    /// Gives each commit one number, though several threads met it.
    pub(super) fn number_commits_once(&mut self) {
        let mut first: FxHashMap<(u32, &str), u32> = FxHashMap::default();
        let numbers: Vec<u32> = self
            .commits
            .iter()
            .enumerate()
            .map(|(number, row)| *first.entry((row.repo, &row.id)).or_insert(number as u32))
            .collect();
        self.rows.iter_mut().for_each(|row| row.commit = numbers[row.commit as usize]);
        self.shifts.iter_mut().for_each(|row| row.commit = numbers[row.commit as usize]);
    }

    fn repo(&mut self, source: Source) -> u32 {
        let known = self.sources.iter().position(|known| *known == source);
        known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        }) as u32
    }

    /// Renumbers everything so that equal content has equal numbers: sources, symbols and commits sorted,
    /// each commit once, rows in order.
    pub fn canonical(&mut self) {
        let (sources, repos) = sort_numbered(std::mem::take(&mut self.sources));
        self.sources = sources;
        let all: Vec<(TokenKind, Vec<u8>)> =
            self.symbols.iter().map(|(kind, text)| (kind, text.to_vec())).collect();
        let (list, symbols) = sort_numbered(all);
        self.symbols = Symbols::default();
        for (kind, text) in &list {
            self.symbols.intern(*kind, text);
        }
        let rows = std::mem::take(&mut self.commits);
        let (commits, numbers) = sort_numbered(
            rows.into_iter().map(|row| CommitRow { repo: repos[row.repo as usize], ..row }).collect(),
        );
        self.commits = commits;
        let symbol = |old: &mut Symbol| *old = symbols[*old as usize];
        for row in &mut self.rows {
            row.commit = numbers[row.commit as usize];
            [&mut row.left, &mut row.right, &mut row.bracket, &mut row.position].into_iter().for_each(symbol);
            row.tokens.iter_mut().for_each(symbol);
        }
        for row in &mut self.shifts {
            row.commit = numbers[row.commit as usize];
            [&mut row.before, &mut row.after].into_iter().for_each(symbol);
        }
        self.rows.sort_unstable();
        self.shifts.sort_unstable();
        let words = std::mem::take(&mut self.words);
        self.words = words
            .into_iter()
            .map(|((word, repo), count)| ((symbols[word as usize], repos[repo as usize]), count))
            .collect();
    }
}

/// Sorts a list and drops repetitions; gives it back with the new number of every old place.
fn sort_numbered<T: Ord + Clone>(list: Vec<T>) -> (Vec<T>, Vec<u32>) {
    let mut sorted = list.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let numbers =
        list.iter().map(|item| sorted.binary_search(item).expect("it was just sorted in") as u32).collect();
    (sorted, numbers)
}

/// Fills a tally; holds the buffers that are reused from change to change.
pub struct TallyCollector<'a> {
    def: &'a LangDef,
    tally: Tally,
    before: LexedSide,
    after: LexedSide,
    back: Vec<Token>,
    commits: FxHashMap<String, u32>,
    /// How often each symbol was seen as an identifier or literal.
    words: Vec<u64>,
    /// How often each change was seen in the file at hand: the same edit twice in a file is two changes.
    file: (String, Vec<u8>),
    again: FxHashMap<u64, u64>,
    /// The key of the change at hand, once asked for.
    key: Option<u64>,
    /// Sides with more tokens are not read to their end.
    most: usize,
    scratch: Vec<u8>,
    tokens: Vec<Symbol>,
}

impl<'a> TallyCollector<'a> {
    /// A collector that fills `tally`.
    pub fn new(def: &'a LangDef, tally: Tally) -> Self {
        Self {
            def,
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
        if too_many_tokens(before, after, limits) {
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
        prose.then_some(Filter::Comment)
    }

    fn count_words(&mut self, change: &Change) {
        let sides = [(&self.before, change.before.text), (&self.after, change.after.text)];
        for (side, text) in sides {
            for token in &side.tokens {
                let word = token.span.of(text);
                if token.kind.is_bindable() && word.len() <= LONGEST_IDIOM {
                    let symbol = self.tally.symbols.intern(token.kind, word) as usize;
                    if self.words.len() <= symbol {
                        self.words.resize(symbol + 1, 0);
                    }
                    self.words[symbol] += 1;
                }
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
        let tokens = &mut self.tokens;
        tokens.clear();
        for (side, text) in [(&self.before, change.before.text), (&self.after, change.after.text)] {
            for token in &side.tokens[trim.skip..side.tokens.len() - trim.drop] {
                let shown = if token.kind.is_layout() { b"" } else { token.span.of(text) };
                tokens.push(symbols.intern(token.kind, shown));
            }
        }
        let before = (self.before.tokens.len() - trim.skip - trim.drop) as u8;
        self.tally.rows.push(Row {
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
        if !is_prose(change, &self.before, &self.after) {
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
