//! From a tally to a set: idioms chosen, candidates generalised, the late filters asked, figures added up.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Date;
use crate::operator::Direction;
use crate::operator::Evidence;
use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::Header;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::Term;
use crate::operator::Thresholds;
use crate::operator::unbalances;

use super::generalize::Directed;
use super::generalize::Generalizer;
use super::idioms::IdiomRule;
use super::idioms::idiom_symbols;
use super::idioms::tally_words;
use super::samples::Sample;
use super::samples::Samples;
use super::symbols::Symbol;
use super::symbols::Symbols;
use super::tally::CommitRow;
use super::tally::Row;
use super::tally::Tally;

/// What the second half of a harvest must know.
#[derive(Clone, Debug)]
pub struct FinishOptions {
    pub name: String,
    pub tool: String,
    pub direction: Direction,
    pub idioms: IdiomRule,
    /// Limits of the late filters; those of the early ones are the tally's.
    pub limits: Thresholds,
}

/// A harvest's result.
pub struct Harvest {
    pub set: OperatorSet,
    pub samples: Samples,
    /// Identifier shifts seen, before the threshold.
    pub shifts_seen: u64,
}

/// Turns a tally into a set.
pub fn finish(mut tally: Tally, def: &LangDef, options: &FinishOptions) -> Harvest {
    tally.canonical();
    let idioms: Vec<Vec<u8>> = match &options.idioms {
        IdiomRule::Given(list) => list.clone(),
        rule => rule.choose(&tally_words(&tally)).into_iter().map(|(_, word)| word).collect(),
    };
    let symbols = idiom_symbols(&tally, &idioms);
    let samples = std::mem::take(&mut tally.samples);
    let early = Funnel::of(tally.candidates, &tally.rejected);
    let mut work = Finisher {
        tally: &tally,
        def,
        generalizer: Generalizer { symbols: &tally.symbols, idioms: &symbols },
        limits: &options.limits,
        samples,
        found: BTreeMap::new(),
    };
    let rows = work.first_seen();
    let mut funnels = BTreeMap::new();
    for direction in [Direction::Backward, Direction::Forward] {
        if options.direction == direction || options.direction == Direction::Both {
            let mut funnel = early.clone();
            funnel.reject(Filter::SeenAgain, (tally.rows.len() - rows.len()) as u64);
            work.generalize(&rows, direction, &mut funnel);
            funnels.insert(direction.name(), funnel);
        }
    }
    let (shifts, shifts_seen) = work.shifts();
    let (operators, samples) = work.operators();
    let mut thresholds = options.limits.clone();
    thresholds.idioms = options.idioms.describe();
    let header = Header {
        name: options.name.clone(),
        language: tally.language.clone(),
        direction: options.direction,
        granularity: tally.options.granularity,
        tool: options.tool.clone(),
        partial: tally.partial,
        thresholds,
        census: tally.census.clone(),
        sources: tally.sources.clone(),
        funnels,
        idioms,
    };
    let mut set = OperatorSet { header, operators, shifts };
    set.sort();
    Harvest { set, samples, shifts_seen }
}

/// What is being found of one operator.
#[derive(Default)]
struct Found {
    evidence: Evidence,
    commits: BTreeSet<u32>,
}

struct Finisher<'a> {
    tally: &'a Tally,
    def: &'a LangDef,
    generalizer: Generalizer<'a>,
    limits: &'a Thresholds,
    samples: Samples,
    found: BTreeMap<(Vec<Term>, Vec<Term>), Found>,
}

impl<'a> Finisher<'a> {
    /// The rows without repetitions of the same change; of those, the earliest in the first source counts.
    fn first_seen(&self) -> Vec<&'a Row> {
        let mut rows: Vec<&Row> = self.tally.rows.iter().collect();
        rows.sort_by_key(|row| (row.key, self.rank(row.commit)));
        rows.dedup_by_key(|row| row.key);
        rows
    }

    fn rank(&self, commit: u32) -> (Option<i64>, u32, &'a str) {
        let row = &self.tally.commits[commit as usize];
        (row.time, row.repo, &row.id)
    }

    fn generalize(&mut self, rows: &[&Row], direction: Direction, funnel: &mut Funnel) {
        let mut operators = BTreeSet::new();
        for row in rows {
            let (before, after) = row.tokens.split_at(row.before as usize);
            let directed = match direction {
                Direction::Forward => Directed { pattern: before, template: after },
                _ => Directed { pattern: after, template: before },
            };
            match self.judge(directed) {
                Err(filter) => {
                    funnel.reject(filter, 1);
                    self.sample(filter, row, directed);
                }
                Ok(terms) => {
                    if !operators.insert(terms.clone()) {
                        funnel.reject(Filter::Duplicate, 1);
                    }
                    self.add(terms, row, directed, direction);
                }
            }
        }
    }

    /// The late filters, in order.
    fn judge(&self, directed: Directed) -> Result<(Vec<Term>, Vec<Term>), Filter> {
        let general = &self.generalizer;
        let limits = self.limits;
        if directed.pattern.is_empty() {
            return Err(Filter::NothingToMatch);
        }
        if general.needs_synthesis(directed) {
            return Err(Filter::NeedsSynthesis);
        }
        if general.identifiers(directed) > limits.max_identifiers {
            return Err(Filter::TooManyIdentifiers);
        }
        let row = general.longest_row(directed.pattern).max(general.longest_row(directed.template));
        if row > limits.max_adjacent {
            return Err(Filter::TooManyAdjacent);
        }
        let find = general.terms(directed.pattern, directed.pattern);
        let put = general.terms(directed.template, directed.pattern);
        let operator = Operator::new(find, put, Evidence::default());
        if operator.find() == operator.put() {
            return Err(Filter::Identical);
        }
        if unbalances(operator.find(), operator.put(), self.def) {
            return Err(Filter::Unbalanced);
        }
        Ok((operator.find().to_vec(), operator.put().to_vec()))
    }

    fn sample(&mut self, filter: Filter, row: &Row, directed: Directed) {
        if !self.samples.wanted() {
            return;
        }
        let symbols = &self.tally.symbols;
        let sample = || Sample {
            commit: self.tally.commits[row.commit as usize].id.clone(),
            path: String::new(),
            before: joined(symbols, directed.template),
            after: joined(symbols, directed.pattern),
        };
        self.samples.add_with(filter, row.key, sample);
    }

    fn add(&mut self, terms: (Vec<Term>, Vec<Term>), row: &Row, directed: Directed, direction: Direction) {
        let symbols = &self.tally.symbols;
        let commit = &self.tally.commits[row.commit as usize];
        let found = self.found.entry(terms).or_default();
        let evidence = &mut found.evidence;
        see_commit(evidence, commit, &self.tally.sources[commit.repo as usize].name);
        evidence.forward += u64::from(direction == Direction::Forward);
        let kinds = self.generalizer.binds(directed.pattern);
        evidence.binds.resize(kinds.len(), BTreeMap::new());
        for (bind, kind) in evidence.binds.iter_mut().zip(kinds) {
            *bind.entry(kind).or_default() += 1;
        }
        let habitat = &mut evidence.habitat;
        *habitat.left.entry(shown(symbols, row.left)).or_default() += 1;
        *habitat.right.entry(shown(symbols, row.right)).or_default() += 1;
        *habitat.bracket.entry(shown(symbols, row.bracket)).or_default() += 1;
        *habitat.position.entry(shown(symbols, row.position)).or_default() += 1;
        found.commits.insert(row.commit);
    }

    fn operators(self) -> (Vec<Operator>, Samples) {
        let limits = self.limits;
        let operators = self
            .found
            .into_iter()
            .filter_map(|((find, put), mut found)| {
                found.evidence.commits = found.commits.len() as u64;
                let enough = found.evidence.count >= limits.min_count
                    && found.evidence.repos.len() >= limits.min_repos;
                enough.then(|| Operator::new(find, put, found.evidence))
            })
            .collect();
        (operators, self.samples)
    }

    /// The shifts above the threshold, and how many changes showed any.
    fn shifts(&self) -> (Vec<Shift>, u64) {
        let tally = self.tally;
        let mut rows: Vec<_> = tally.shifts.iter().collect();
        rows.sort_by_key(|row| (row.key, self.rank(row.commit)));
        rows.dedup_by_key(|row| row.key);
        let mut found: BTreeMap<(Symbol, Symbol), Found> = BTreeMap::new();
        for row in &rows {
            let commit = &tally.commits[row.commit as usize];
            let entry = found.entry((row.before, row.after)).or_default();
            see_commit(&mut entry.evidence, commit, &tally.sources[commit.repo as usize].name);
            entry.commits.insert(row.commit);
        }
        let shifts = found
            .into_iter()
            .filter(|(_, found)| {
                found.evidence.count >= self.limits.shift_min
                    && found.evidence.repos.len() >= self.limits.min_repos
            })
            .map(|((before, after), mut found)| {
                found.evidence.commits = found.commits.len() as u64;
                Shift {
                    before: tally.symbols.text(before).to_vec(),
                    after: tally.symbols.text(after).to_vec(),
                    evidence: found.evidence,
                }
            })
            .collect();
        (shifts, rows.len() as u64)
    }
}

fn see_commit(evidence: &mut Evidence, commit: &CommitRow, repo: &str) {
    evidence.count += 1;
    evidence.fixes += u64::from(commit.fix);
    if !evidence.repos.contains(repo) {
        evidence.repos.insert(repo.to_owned());
    }
    if let Some(day) = commit.time.map(Date::of_seconds) {
        evidence.first = Some(evidence.first.map_or(day, |first| first.min(day)));
        evidence.last = evidence.last.max(Some(day));
    }
    if !commit.id.is_empty() {
        let short = &commit.id[..commit.id.len().min(12)];
        evidence.add_example((short.to_owned(), repo.to_owned()));
    }
}

/// A neighbour as the habitat names it.
fn shown(symbols: &Symbols, symbol: Symbol) -> String {
    let text = String::from_utf8_lossy(symbols.text(symbol));
    match symbols.kind(symbol) {
        TokenKind::Keyword => format!(":{text}"),
        TokenKind::Operator => format!(".{text}"),
        TokenKind::Space => "edge".into(),
        TokenKind::Unknown if !text.is_empty() => text.into_owned(),
        kind if kind.is_layout() => format!("~{}", kind.name()),
        kind => kind.name().into(),
    }
}

fn joined(symbols: &Symbols, side: &[Symbol]) -> String {
    let words: Vec<_> = side.iter().map(|&symbol| String::from_utf8_lossy(symbols.text(symbol))).collect();
    words.join(" ")
}
