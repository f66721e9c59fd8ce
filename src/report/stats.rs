//! The figures of a set, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::escape;
use crate::operator::write_terms;

use super::documents::SeenFigures;
use super::documents::Sizes;
use super::documents::StatsDocument;
use super::documents::TopOperator;
use super::documents::TopShift;
use super::documents::funnels;
use super::funnel::funnel_table;
use super::listing::Listing;
use super::listing::percent;
use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// So many operators and shifts are listed.
const TOP: usize = 10;

/// A set, most widely seen first, and its figures.
pub struct SetStats {
    set: OperatorSet,
    operators: SeenFigures,
    shifts: SeenFigures,
    /// Operators that put nothing.
    deletions: u64,
    sizes: BTreeMap<usize, Sizes>,
}

fn sizes(operators: &[Operator]) -> BTreeMap<usize, Sizes> {
    let mut sizes: BTreeMap<usize, Sizes> = BTreeMap::new();
    for operator in operators {
        sizes.entry(operator.find().len()).or_default().find += 1;
        sizes.entry(operator.put().len()).or_default().put += 1;
    }
    sizes
}

impl SetStats {
    /// Looks at a set.
    pub fn of(set: &OperatorSet) -> Self {
        let mut set = set.clone();
        set.sort();
        Self {
            operators: SeenFigures::of(set.operators.iter().map(|operator| &operator.evidence)),
            shifts: SeenFigures::of(set.shifts.iter().map(|shift| &shift.evidence)),
            deletions: set.operators.iter().filter(|operator| operator.put().is_empty()).count() as u64,
            sizes: sizes(&set.operators),
            set,
        }
    }

    /// The figures as a document: the funnel's, and more.
    pub fn document(&self) -> StatsDocument {
        let header = &self.set.header;
        StatsDocument {
            format: StatsDocument::FORMAT,
            name: header.name.clone(),
            language: header.language.clone(),
            corpus: header.census.clone(),
            funnels: funnels(&self.set),
            operators: self.set.operators.len(),
            shifts: self.set.shifts.len(),
            direction: header.direction.name().to_owned(),
            granularity: header.granularity.to_string(),
            tool: header.tool.clone(),
            partial: header.partial,
            sources: header.sources.iter().map(|source| source.name.clone()).collect(),
            idioms: header.idioms.iter().map(|idiom| escape(idiom)).collect(),
            operator_figures: self.operators,
            shift_figures: self.shifts,
            deletions: self.deletions,
            sizes: self.sizes.clone(),
            top_operators: self.set.operators.iter().take(TOP).map(top_operator).collect(),
            top_shifts: self.set.shifts.iter().take(TOP).map(top_shift).collect(),
        }
    }

    fn header(&self) -> Table {
        let header = &self.set.header;
        let mut table = Table::new(&[("set", Align::Left), (&header.name, Align::Left)]);
        let sources: Vec<&str> = header.sources.iter().map(|source| source.name.as_str()).collect();
        let limits = &header.thresholds;
        for (key, value) in [
            ("language", header.language.clone()),
            ("direction", header.direction.name().into()),
            ("granularity", header.granularity.to_string()),
            ("tool", header.tool.clone()),
            ("sources", sources.join(", ")),
            ("idioms", [header.idioms.len().to_string(), limits.idioms.clone()].join(" ")),
            ("fix words", limits.fix_words.clone()),
            ("kept", format!("count at least {}, repos at least {}", limits.min_count, limits.min_repos)),
            ("partial", if header.partial { "yes: the harvest was stopped" } else { "" }.into()),
        ] {
            if !value.is_empty() {
                table.row(vec![key.into(), value]);
            }
        }
        table
    }

    fn figures(&self) -> Table {
        let mut table =
            Table::new(&[("", Align::Left), ("operators", Align::Right), ("shifts", Align::Right)]);
        let (a, b) = (&self.operators, &self.shifts);
        for (what, operators, shifts) in [
            ("in the set", a.total, b.total),
            ("seen in two or more repositories", a.in_two_repos, b.in_two_repos),
            ("seen in three or more", a.in_three_repos, b.in_three_repos),
            ("changes that they come from", a.changes, b.changes),
            ("changes from fixes", a.changes_from_fixes, b.changes_from_fixes),
        ] {
            table.row(vec![what.into(), thousands(operators), thousands(shifts)]);
        }
        table.row(vec!["share from fixes".into(), percent(a.fix_share), percent(b.fix_share)]);
        table.row(vec!["deletions (put ε)".into(), thousands(self.deletions), String::new()]);
        table
    }

    fn size_table(&self) -> Table {
        let columns = [("tokens", Align::Right), ("in find", Align::Right), ("in put", Align::Right)];
        let mut table = Table::new(&columns);
        for (tokens, sizes) in &self.sizes {
            table.row(vec![tokens.to_string(), thousands(sizes.find), thousands(sizes.put)]);
        }
        table
    }
}

fn top_operator(operator: &Operator) -> TopOperator {
    let evidence = &operator.evidence;
    TopOperator {
        id: operator.id(),
        count: evidence.count,
        repos: evidence.repos.len(),
        fix_share: evidence.fix_share(),
        find: write_terms(operator.find()),
        put: write_terms(operator.put()),
    }
}

fn top_shift(shift: &Shift) -> TopShift {
    let evidence = &shift.evidence;
    TopShift {
        id: shift.id(),
        count: evidence.count,
        repos: evidence.repos.len(),
        fix_share: evidence.fix_share(),
        before: escape(&shift.before),
        after: escape(&shift.after),
    }
}

impl fmt::Display for SetStats {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}", self.header())?;
        let mut corpus = Table::new(&[("corpus", Align::Left), ("", Align::Right)]);
        let rows: Vec<_> =
            self.set.header.census.rows().into_iter().filter(|(_, count)| *count > 0).collect();
        for (name, count) in &rows {
            corpus.row(vec![(*name).into(), thousands(*count)]);
        }
        if !rows.is_empty() {
            write!(out, "\n{corpus}")?;
        }
        for (direction, funnel) in &self.set.header.funnels {
            write!(out, "\nread {direction}:\n{}", funnel_table(funnel))?;
        }
        write!(out, "\n{}", self.figures())?;
        if !self.set.operators.is_empty() {
            write!(out, "\n{}\n{}", self.size_table(), Listing::operators(&self.set, TOP))?;
        }
        if !self.set.shifts.is_empty() {
            write!(out, "\n{}", Listing::shifts(&self.set, TOP))?;
        }
        Ok(())
    }
}
