//! Operators and shifts in a line: short ids, counts, `find ⇒ put`.

use std::collections::BTreeSet;
use std::fmt;

use crate::operator::Evidence;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::operator_text;
use crate::operator::shift_text;

use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// Digits of an id that are shown, if they tell the entries apart.
const SHORT: usize = 8;

/// Shortens ids, but not so much that two entries look the same.
pub struct ShortIds(usize);

impl ShortIds {
    /// For the entries of a set.
    pub fn of(set: &OperatorSet) -> Self {
        let operators = set.operators.iter().map(Operator::id);
        Self::among(operators.chain(set.shifts.iter().map(Shift::id)))
    }

    fn among(ids: impl Iterator<Item = String>) -> Self {
        let ids: Vec<String> = ids.collect::<BTreeSet<_>>().into_iter().collect();
        let shared =
            |pair: &[String]| pair[0].bytes().zip(pair[1].bytes()).take_while(|(a, b)| a == b).count();
        let longest = ids.windows(2).map(shared).max().unwrap_or(0);
        Self(SHORT.max(longest + 1))
    }

    /// The beginning of an id.
    pub fn shorten(&self, id: &str) -> String {
        id[..id.len().min(self.0)].to_owned()
    }
}

/// A listing: a line per entry.
pub struct Listing {
    ids: ShortIds,
    table: Table,
}

impl Listing {
    /// The first operators of a set, at most `top`.
    pub fn operators(set: &OperatorSet, top: usize) -> Self {
        let mut listing = Self::new(set, "operator");
        for operator in set.operators.iter().take(top) {
            listing.add(&operator.id(), &operator.evidence, operator_text(operator));
        }
        listing
    }

    /// The first shifts of a set, at most `top`.
    pub fn shifts(set: &OperatorSet, top: usize) -> Self {
        let mut listing = Self::new(set, "shift");
        for shift in set.shifts.iter().take(top) {
            listing.add(&shift.id(), &shift.evidence, shift_text(shift));
        }
        listing
    }

    fn new(set: &OperatorSet, what: &str) -> Self {
        let table = Table::new(&[
            ("id", Align::Left),
            ("count", Align::Right),
            ("repos", Align::Right),
            ("fixes", Align::Right),
            (what, Align::Left),
        ]);
        Self { ids: ShortIds::of(set), table }
    }

    fn add(&mut self, id: &str, evidence: &Evidence, text: String) {
        self.table.row(vec![
            self.ids.shorten(id),
            thousands(evidence.count),
            thousands(evidence.repos.len() as u64),
            percent(evidence.fix_share()),
            text,
        ]);
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.table.fmt(out)
    }
}

/// A share for people.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(ids: &[&str]) -> String {
        ShortIds::among(ids.iter().map(|id| (*id).to_owned())).shorten("0123456789ab")
    }

    #[test]
    fn ids_are_as_short_as_they_can_be() {
        assert_eq!(shortened(&[]), "01234567");
        assert_eq!(shortened(&["0123456789ab", "1123456789ab"]), "01234567");
        assert_eq!(shortened(&["0123456789ab", "0123456788ab", "01"]), "0123456789");
        assert_eq!(shortened(&["0123456789ab", "0123456789ab"]), "01234567");
    }
}
