//! What is known of one operator or shift while counting, with numbers instead of names.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use crate::lex::TokenKind;
use crate::operator::Date;
use crate::operator::Direction;
use crate::operator::Evidence;
use crate::operator::Habitat;
use crate::operator::Operator;
use crate::operator::Shift;
use crate::operator::Thresholds;

use super::generalize::Coded;
use super::generalize::Generalizer;
use super::symbols::Symbol;
use super::symbols::Symbols;
use super::tally::ShiftRow;
use super::tally::Tally;
use super::tally::TallyRow;

/// Counts by symbol.
type Counts = FxHashMap<Symbol, u64>;

/// The figures of one operator or shift so far.
#[derive(Default)]
pub(super) struct Harvested {
    pub count: u64,
    pub forward: u64,
    fixes: u64,
    /// Numbers of commits, each commit having one.
    commits: FxHashSet<u32>,
    binds: Vec<BTreeMap<TokenKind, u64>>,
    left: Counts,
    right: Counts,
    bracket: Counts,
    position: Counts,
}

impl Harvested {
    /// Counts a change of a commit that fixes something, or not.
    pub fn see(&mut self, commit: u32, fix: bool) {
        self.count += 1;
        self.fixes += u64::from(fix);
        self.commits.insert(commit);
    }

    /// Counts what its holes bound.
    pub fn see_binds(&mut self, binds: impl ExactSizeIterator<Item = TokenKind>) {
        self.binds.resize(binds.len(), BTreeMap::new());
        for (bind, kind) in self.binds.iter_mut().zip(binds) {
            *bind.entry(kind).or_default() += 1;
        }
    }

    /// Changes read backward.
    pub fn backward(&self) -> u64 {
        self.count - self.forward
    }

    /// Counts the surroundings of a row, and what its holes bound.
    pub fn see_row(&mut self, row: &TallyRow, binds: impl ExactSizeIterator<Item = TokenKind>) {
        self.see_binds(binds);
        *self.left.entry(row.left).or_default() += 1;
        *self.right.entry(row.right).or_default() += 1;
        *self.bracket.entry(row.bracket).or_default() += 1;
        *self.position.entry(row.position).or_default() += 1;
    }

    /// Whether it was seen so often, in enough repositories.
    fn is_enough(&self, tally: &Tally, least: u64, limits: &Thresholds) -> bool {
        self.count >= least && (limits.min_repos <= 1 || self.repos(tally) >= limits.min_repos)
    }

    /// In how many repositories it was seen.
    fn repos(&self, tally: &Tally) -> usize {
        let repos: FxHashSet<u32> =
            self.commits.iter().map(|&commit| tally.commits[commit as usize].repo).collect();
        repos.len()
    }

    /// The operator of which these are the figures.
    pub fn operator(self, coded: &Coded, tally: &Tally, general: &Generalizer) -> Operator {
        let (find, put) = (general.terms(coded.find()), general.terms(coded.put()));
        Operator::new(find, put, self.evidence(tally))
    }

    /// The figures, in names.
    pub fn evidence(self, tally: &Tally) -> Evidence {
        let named =
            |counts: &Counts| counts.iter().map(|(&symbol, &n)| (shown(&tally.symbols, symbol), n)).collect();
        let mut evidence = Evidence {
            count: self.count,
            forward: self.forward,
            fixes: self.fixes,
            commits: self.commits.len() as u64,
            habitat: Habitat {
                left: named(&self.left),
                right: named(&self.right),
                bracket: named(&self.bracket),
                position: named(&self.position),
            },
            binds: self.binds,
            ..Evidence::default()
        };
        for &commit in &self.commits {
            let row = &tally.commits[commit as usize];
            let repo = &tally.sources[row.repo as usize].name;
            if !evidence.repos.contains(repo) {
                evidence.repos.insert(repo.clone());
            }
            if let Some(day) = row.time.map(Date::of_seconds) {
                evidence.first = Some(evidence.first.map_or(day, |first| first.min(day)));
                evidence.last = evidence.last.max(Some(day));
            }
            evidence.offer_example(&row.id[..row.id.len().min(12)], repo);
        }
        evidence
    }
}

/// The operators that are being found.
#[derive(Default)]
pub(super) struct Operators(FxHashMap<Coded, Harvested>);

impl Operators {
    /// Counts an operator that a row shows; returns whether it was known in this direction.
    pub fn see(
        &mut self,
        coded: Coded,
        row: &TallyRow,
        fix: bool,
        binds: &[TokenKind],
        direction: Direction,
    ) -> bool {
        let found = self.0.entry(coded).or_default();
        let forward = direction == Direction::Forward;
        let known = if forward { found.forward } else { found.backward() };
        found.see(row.commit, fix);
        found.see_row(row, binds.iter().copied());
        found.forward += u64::from(forward);
        known > 0
    }

    /// Those above the thresholds.
    pub fn into_list(self, tally: &Tally, general: &Generalizer, limits: &Thresholds) -> Vec<Operator> {
        self.0
            .into_iter()
            .filter(|(_, found)| found.is_enough(tally, limits.min_count, limits))
            .map(|(coded, found)| found.operator(&coded, tally, general))
            .collect()
    }
}

/// The shifts that are being found.
#[derive(Default)]
pub(super) struct Shifts(FxHashMap<(Symbol, Symbol), Harvested>);

impl Shifts {
    /// Counts a shift. A tally that somebody else wrote may have what is none.
    pub fn see(&mut self, tally: &Tally, row: &ShiftRow) {
        let (before, after) = (tally.symbols.text(row.before), tally.symbols.text(row.after));
        if before != after && !before.is_empty() && !after.is_empty() {
            let fix = tally.commits[row.commit as usize].fix;
            self.0.entry((row.before, row.after)).or_default().see(row.commit, fix);
        }
    }

    /// Those above the thresholds.
    pub fn into_list(self, tally: &Tally, limits: &Thresholds) -> Vec<Shift> {
        let text = |symbol| tally.symbols.text(symbol).to_vec();
        self.0
            .into_iter()
            .filter(|(_, found)| found.is_enough(tally, limits.shift_min, limits))
            .map(|((before, after), found)| Shift {
                before: text(before),
                after: text(after),
                evidence: found.evidence(tally),
            })
            .collect()
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
