//! The filters that need to know the idioms, at line and token granularity.

use smallvec::SmallVec;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Direction;
use crate::operator::Filter;
use crate::operator::Funnel;
use crate::operator::Thresholds;
use crate::operator::residue;

use super::generalize::Coded;
use super::generalize::Directed;
use super::generalize::Generalizer;
use super::samples::Sample;
use super::samples::Samples;
use super::symbols::Symbol;
use super::symbols::Symbols;
use super::tally::Tally;
use super::tally::TallyRow;

/// What kind of word each hole of a pattern bound.
pub(super) type Binds = SmallVec<[TokenKind; 4]>;

/// Turns rows into operators, or rejects them.
pub(super) struct LateFilters<'a> {
    pub tally: &'a Tally,
    pub def: &'a LangDef,
    pub general: Generalizer<'a>,
    pub limits: &'a Thresholds,
}

impl LateFilters<'_> {
    /// Hands out the operator of each row. What is rejected is counted in the funnel.
    pub fn generalize(
        &self,
        rows: &[&TallyRow],
        direction: Direction,
        funnel: &mut Funnel,
        samples: &mut Samples,
        mut take: impl FnMut(&TallyRow, Coded, &Binds),
    ) {
        for row in rows {
            let (before, after) = row.tokens.split_at(row.before as usize);
            let directed = match direction {
                Direction::Forward => Directed { pattern: before, template: after },
                _ => Directed { pattern: after, template: before },
            };
            let holes = self.general.holes(directed.pattern);
            match self.judge(directed, &holes) {
                Err(filter) => {
                    funnel.reject(filter, 1);
                    self.sample(samples, filter, row, directed);
                }
                Ok(coded) => {
                    let binds = holes.iter().map(|&hole| self.tally.symbols.kind(hole)).collect();
                    take(row, coded, &binds);
                }
            }
        }
    }

    /// The late filters, in order.
    fn judge(&self, directed: Directed, holes: &[Symbol]) -> Result<Coded, Filter> {
        let general = &self.general;
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

    fn sample(&self, samples: &mut Samples, filter: Filter, row: &TallyRow, directed: Directed) {
        if !samples.wanted() {
            return;
        }
        let symbols = &self.tally.symbols;
        let sample = || Sample {
            commit: self.tally.commits[row.commit as usize].id.clone(),
            path: String::new(),
            before: joined(symbols, directed.template),
            after: joined(symbols, directed.pattern),
        };
        samples.add_with(filter, row.key, sample);
    }
}

fn joined(symbols: &Symbols, side: &[Symbol]) -> String {
    let words: Vec<_> = side.iter().map(|&symbol| String::from_utf8_lossy(symbols.text(symbol))).collect();
    words.join(" ")
}
