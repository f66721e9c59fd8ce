//! From a tally to a set: chooses idioms, generalises candidates, applies the late filters, adds up figures.

use std::collections::BTreeMap;

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

use super::found::Operators;
use super::found::Shifts;
use super::generalize::Generalizer;
use super::idioms::IdiomRule;
use super::idioms::idiom_symbols;
use super::idioms::tally_words;
use super::late::LateFilters;
use super::levels::Classes;
use super::levels::Gatherer;
use super::levels::Ladder;
use super::samples::Samples;
use super::symbols::Symbol;
use super::tally::Tally;
use super::tally::TallyRow;

/// What the second half of a harvest needs.
#[derive(Clone, Debug)]
pub struct FinishOptions {
    pub name: String,
    pub tool: String,
    pub direction: Direction,
    pub idioms: IdiomRule,
    /// Limits of the late filters; those of the early ones are the tally's.
    pub limits: Thresholds,
}

impl FinishOptions {
    /// The directions that are read.
    pub(super) fn directions(&self) -> impl Iterator<Item = Direction> {
        let all = self.direction == Direction::Both;
        [Direction::Backward, Direction::Forward]
            .into_iter()
            .filter(move |direction| all || *direction == self.direction)
    }
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
    let mut samples = std::mem::take(&mut tally.samples);
    let mut funnels = early_funnels(&tally, options);
    let rows = first_seen(&tally, &tally.rows, |row| (row.key, row.commit));
    let again = (tally.rows.len() - rows.len()) as u64;
    funnels.values_mut().for_each(|funnel| funnel.reject(Filter::SeenAgain, again));
    let lens = Lens::new(&tally, def, &idioms);
    let operators = if tally.options.granularity == Granularity::Levels {
        let mut operators = Vec::new();
        for (&direction, funnel) in &mut funnels {
            let ladder = lens.ladder(&options.limits);
            operators.extend(Gatherer::new(&tally, ladder, direction).gather(&rows, funnel));
        }
        operators
    } else {
        plain_operators(&lens, &rows, options, &mut funnels, &mut samples)
    };
    let rows = first_seen(&tally, &tally.shifts, |row| (row.key, row.commit));
    let mut shifts = Shifts::default();
    rows.iter().for_each(|row| shifts.see(&tally, row));
    let found = (operators, shifts.into_list(&tally, &options.limits));
    Harvest { set: compose(&tally, options, idioms, funnels, found), samples, shifts_seen: rows.len() as u64 }
}

/// The operators of rows at line or token granularity.
fn plain_operators(
    lens: &Lens,
    rows: &[&TallyRow],
    options: &FinishOptions,
    funnels: &mut Funnels,
    samples: &mut Samples,
) -> Vec<Operator> {
    let late = lens.late(&options.limits);
    let mut operators = Operators::default();
    for (&direction, funnel) in funnels {
        let mut duplicates = 0;
        late.generalize(rows, direction, funnel, samples, |row, coded, binds| {
            let fix = lens.tally.commits[row.commit as usize].fix;
            duplicates += u64::from(operators.see(coded, row, fix, binds, direction));
        });
        funnel.reject(Filter::Duplicate, duplicates);
    }
    operators.into_list(lens.tally, &late.general, &options.limits)
}

/// The outcome of the candidates, by direction.
pub(super) type Funnels = BTreeMap<Direction, Funnel>;

/// The funnels as the filters of tallies leave them.
pub(super) fn early_funnels(tally: &Tally, options: &FinishOptions) -> Funnels {
    let early = Funnel::of(tally.candidates, &tally.rejected);
    options.directions().map(|direction| (direction, early.clone())).collect()
}

/// A tally as it is generalised: its symbols, and which of them are idioms.
pub(super) struct Lens<'a> {
    pub tally: &'a Tally,
    def: &'a LangDef,
    idioms: FxHashSet<Symbol>,
    none: FxHashSet<Symbol>,
    classes: Option<Classes>,
}

impl<'a> Lens<'a> {
    pub fn new(tally: &'a Tally, def: &'a LangDef, idioms: &[Vec<u8>]) -> Self {
        let levels = tally.options.granularity == Granularity::Levels;
        Self {
            tally,
            def,
            idioms: idiom_symbols(tally, idioms),
            none: FxHashSet::default(),
            classes: levels.then(|| Classes::new(def, &tally.symbols)),
        }
    }

    fn general<'b>(&'b self, idioms: &'b FxHashSet<Symbol>) -> Generalizer<'b> {
        Generalizer { symbols: &self.tally.symbols, idioms }
    }

    /// The late filters for line and token granularity.
    pub fn late<'b>(&'b self, limits: &'b Thresholds) -> LateFilters<'b> {
        LateFilters { tally: self.tally, def: self.def, general: self.general(&self.idioms), limits }
    }

    /// What levels are made with.
    pub fn ladder<'b>(&'b self, limits: &'b Thresholds) -> Ladder<'b> {
        Ladder {
            def: self.def,
            general: self.general(&self.idioms),
            plain: self.general(&self.none),
            classes: self.classes.as_ref().expect("only tallies of levels have levels"),
            limits,
        }
    }
}

/// A set with its header, in order.
pub(super) fn compose(
    tally: &Tally,
    options: &FinishOptions,
    idioms: Vec<Vec<u8>>,
    funnels: Funnels,
    (operators, shifts): (Vec<Operator>, Vec<Shift>),
) -> OperatorSet {
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
        funnels: funnels.into_iter().map(|(direction, funnel)| (direction.name(), funnel)).collect(),
        idioms,
    };
    let mut set = OperatorSet { header, operators, shifts };
    set.sort();
    set
}

/// The rows without repetitions of the same change; of those, the earliest counts.
pub(super) fn first_seen<'a, T>(
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
