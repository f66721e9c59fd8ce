//! Collects changes: keeps those that may become operators or shifts, and counts the rest.
//!
//! A tally is a bag: what it holds does not depend on the order in which it was filled or merged, only its
//! numbering does, and [`Tally::canonical`] removes that.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::history::Census;
use crate::lex::TokenKind;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::Source;
use crate::operator::Thresholds;
use crate::operator::repository_names;

use super::samples::Samples;
use super::symbols::Symbol;
use super::symbols::Symbols;

/// What an allocation costs beside its content.
const ALLOCATION: usize = 16;

/// What a tally needs before it takes the first change.
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
pub(super) struct TallyRow {
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
    /// By filter: those that apply here.
    pub(super) rejected: BTreeMap<Filter, u64>,
    pub(super) symbols: Symbols,
    /// How often each source's changed lines use each identifier and literal.
    pub(super) words: FxHashMap<(Symbol, u32), u64>,
    pub(super) commits: Vec<CommitRow>,
    pub(super) rows: Vec<TallyRow>,
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

    /// Gives its only source another name: what repositories are called depends on those that they are harvested with.
    pub fn rename_source(&mut self, name: &str) {
        if let [source] = &mut self.sources[..] {
            source.name = name.into();
        }
    }

    /// Whether it was broken off.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Sample rejections.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// About how many bytes it takes, without its symbols.
    pub(super) fn bytes_of_rows(&self) -> usize {
        let tokens: usize = self.rows.iter().map(|row| row.tokens.len()).sum();
        self.rows.len() * (size_of::<TallyRow>() + ALLOCATION)
            + tokens * size_of::<Symbol>()
            + self.shifts.len() * size_of::<ShiftRow>()
            + self.words.len() * 2 * size_of::<((Symbol, u32), u64)>()
            + self.commits.iter().map(|row| size_of::<CommitRow>() + row.id.len() + ALLOCATION).sum::<usize>()
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
        self.rows.extend(other.rows.into_iter().map(|mut row| {
            row.tokens.iter_mut().for_each(|token| *token = symbol(*token));
            TallyRow {
                commit: row.commit + first_commit,
                left: symbol(row.left),
                right: symbol(row.right),
                bracket: symbol(row.bracket),
                position: symbol(row.position),
                ..row
            }
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

    /// Gives each repository one name and one number, though several sources are of it. Different repositories
    /// get different names.
    pub(super) fn number_repositories_once(&mut self) {
        let numbers = self.name_repositories();
        for row in &mut self.commits {
            row.repo = numbers[row.repo as usize];
        }
        for ((word, repo), count) in std::mem::take(&mut self.words) {
            *self.words.entry((word, numbers[repo as usize])).or_default() += count;
        }
    }

    /// Gives each source the name of its repository; returns the number of each source's repository, which is that of
    /// its first source.
    pub(super) fn name_repositories(&mut self) -> Vec<u32> {
        let names = repository_names(&self.sources);
        let mut first: FxHashMap<&str, u32> = FxHashMap::default();
        let numbers = (0..).zip(&names).map(|(number, name)| *first.entry(name).or_insert(number)).collect();
        for (source, name) in self.sources.iter_mut().zip(names) {
            source.name = name;
        }
        numbers
    }

    /// How many repositories there are, once each has one name.
    pub(super) fn repositories(&self) -> usize {
        self.sources.iter().map(|source| &source.name).collect::<BTreeSet<_>>().len()
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

    /// The number of a source, new or known.
    pub(super) fn repo(&mut self, source: Source) -> u32 {
        // Most are new; names tell them apart sooner than all of their fields.
        let known = self.sources.iter().position(|known| known.name == source.name && *known == source);
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
