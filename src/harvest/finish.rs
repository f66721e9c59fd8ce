//! From a tally to a set: idioms chosen, candidates generalised, the late filters asked, figures added up.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::Granularity;
use crate::operator::Header;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::Thresholds;
use crate::operator::residue;

use super::found::Harvested;
use super::generalize::Coded;
use super::generalize::Directed;
use super::generalize::Generalizer;
use super::idioms::IdiomRule;
use super::idioms::idiom_symbols;
use super::idioms::tally_words;
use super::levels::Classes;
use super::levels::Gatherer;
use super::levels::Ladder;
use super::samples::Sample;
use super::samples::Samples;
use super::symbols::Symbol;
use super::symbols::Symbols;
use super::tally::ShiftRow;
use super::tally::Tally;
use super::tally::TallyRow;

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
    tally.number_repositories_once();
    tally.number_commits_once();
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
        found: FxHashMap::default(),
    };
    let rows = first_seen(&tally, &tally.rows, |row| (row.key, row.commit));
    let none = FxHashSet::default();
    let classes = Classes::new(def, &tally.symbols);
    let mut leveled = Vec::new();
    let mut funnels = BTreeMap::new();
    for direction in [Direction::Backward, Direction::Forward] {
        if options.direction == direction || options.direction == Direction::Both {
            let mut funnel = early.clone();
            funnel.reject(Filter::SeenAgain, (tally.rows.len() - rows.len()) as u64);
            if tally.options.granularity == Granularity::Levels {
                let ladder = Ladder {
                    def,
                    general: Generalizer { symbols: &tally.symbols, idioms: &symbols },
                    plain: Generalizer { symbols: &tally.symbols, idioms: &none },
                    classes: &classes,
                    limits: &options.limits,
                };
                leveled.extend(Gatherer::new(&tally, ladder, direction).gather(&rows, &mut funnel));
            } else {
                work.generalize(&rows, direction, &mut funnel);
            }
            funnels.insert(direction.name(), funnel);
        }
    }
    let (shifts, shifts_seen) = work.shifts();
    let (mut operators, samples) = work.operators();
    operators.extend(leveled);
    let mut thresholds = options.limits.clone();
    thresholds.idioms = options.idioms.describe();
    let header = Header {
        name: options.name.clone(),
        language: tally.language.clone(),
        direction: options.direction,
        granularity: tally.options.granularity,
        tool: options.tool.clone(),
        partial: tally.partial,
        exposed: 0,
        density: 0,
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

/// The rows without repetitions of the same change; of those, the earliest counts.
fn first_seen<'a, T>(
    tally: &'a Tally,
    rows: &'a [T],
    key_and_commit: impl Fn(&T) -> (u64, u32),
) -> Vec<&'a T> {
    let rank = |commit: u32| {
        let row = &tally.commits[commit as usize];
        (row.time, &tally.sources[row.repo as usize], &row.id)
    };
    let mut sorted: Vec<&T> = rows.iter().collect();
    sorted.sort_unstable_by(|a, b| {
        let ((x, in_x), (y, in_y)) = (key_and_commit(a), key_and_commit(b));
        x.cmp(&y).then_with(|| rank(in_x).cmp(&rank(in_y)))
    });
    sorted.dedup_by_key(|row| key_and_commit(row).0);
    sorted
}

struct Finisher<'a> {
    tally: &'a Tally,
    def: &'a LangDef,
    generalizer: Generalizer<'a>,
    limits: &'a Thresholds,
    samples: Samples,
    found: FxHashMap<Coded, Harvested>,
}

impl Finisher<'_> {
    fn generalize(&mut self, rows: &[&TallyRow], direction: Direction, funnel: &mut Funnel) {
        for row in rows {
            let (before, after) = row.tokens.split_at(row.before as usize);
            let directed = match direction {
                Direction::Forward => Directed { pattern: before, template: after },
                _ => Directed { pattern: after, template: before },
            };
            let holes = self.generalizer.holes(directed.pattern);
            match self.judge(directed, &holes) {
                Err(filter) => {
                    funnel.reject(filter, 1);
                    self.sample(filter, row, directed);
                }
                Ok(coded) => {
                    let kinds = holes.iter().map(|&hole| self.tally.symbols.kind(hole));
                    let found = self.found.entry(coded).or_default();
                    let again =
                        if direction == Direction::Forward { found.forward } else { found.backward() };
                    funnel.reject(Filter::Duplicate, again.min(1));
                    found.see_commit(self.tally, row.commit);
                    found.see_row(row, kinds);
                    found.forward += u64::from(direction == Direction::Forward);
                }
            }
        }
    }

    /// The late filters, in order.
    fn judge(&self, directed: Directed, holes: &[Symbol]) -> Result<Coded, Filter> {
        let general = &self.generalizer;
        let limits = self.limits;
        if directed.pattern.is_empty() {
            return Err(Filter::NothingToMatch);
        }
        if general.needs_synthesis(directed) {
            return Err(Filter::NeedsSynthesis);
        }
        // What the template has, the pattern has: its holes are all there are.
        if holes.len() > limits.max_identifiers {
            return Err(Filter::TooManyIdentifiers);
        }
        let row = general.longest_row(directed.pattern).max(general.longest_row(directed.template));
        if row > limits.max_adjacent {
            return Err(Filter::TooManyAdjacent);
        }
        let coded = general.code(directed, holes);
        if coded.find() == coded.put() {
            return Err(Filter::Identical);
        }
        if self.unbalances(directed) {
            return Err(Filter::Unbalanced);
        }
        Ok(coded)
    }

    fn unbalances(&self, directed: Directed) -> bool {
        let symbols = &self.tally.symbols;
        let brackets = |side: &[Symbol]| {
            residue(side.iter().map(|&symbol| (symbols.kind(symbol), symbols.text(symbol))), self.def)
        };
        brackets(directed.pattern) != brackets(directed.template)
    }

    fn sample(&mut self, filter: Filter, row: &TallyRow, directed: Directed) {
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

    fn enough(&self, found: &Harvested, least: u64) -> bool {
        found.count >= least
            && (self.limits.min_repos <= 1 || found.repos(self.tally) >= self.limits.min_repos)
    }

    fn operators(mut self) -> (Vec<Operator>, Samples) {
        let found = std::mem::take(&mut self.found);
        let operators = found
            .into_iter()
            .filter(|(_, found)| self.enough(found, self.limits.min_count))
            .map(|(coded, found)| {
                let (find, put) = (self.generalizer.terms(coded.find()), self.generalizer.terms(coded.put()));
                Operator::new(find, put, found.evidence(self.tally))
            })
            .collect();
        (operators, self.samples)
    }

    /// The shifts above the threshold, and how many changes showed any.
    fn shifts(&self) -> (Vec<Shift>, u64) {
        let tally = self.tally;
        let rows = first_seen(tally, &tally.shifts, |row| (row.key, row.commit));
        let mut found: FxHashMap<(Symbol, Symbol), Harvested> = FxHashMap::default();
        // A tally that somebody else wrote may have what is no shift.
        let differs = |row: &&&ShiftRow| {
            let (before, after) = (tally.symbols.text(row.before), tally.symbols.text(row.after));
            before != after && !before.is_empty() && !after.is_empty()
        };
        for row in rows.iter().filter(differs) {
            found.entry((row.before, row.after)).or_default().see_commit(tally, row.commit);
        }
        let shifts = found
            .into_iter()
            .filter(|(_, found)| self.enough(found, self.limits.shift_min))
            .map(|((before, after), found)| Shift {
                before: tally.symbols.text(before).to_vec(),
                after: tally.symbols.text(after).to_vec(),
                evidence: found.evidence(tally),
            })
            .collect();
        (shifts, rows.len() as u64)
    }
}

fn joined(symbols: &Symbols, side: &[Symbol]) -> String {
    let words: Vec<_> = side.iter().map(|&symbol| String::from_utf8_lossy(symbols.text(symbol))).collect();
    words.join(" ")
}
