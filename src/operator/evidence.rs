//! What the wild says about an operator: how often, where, when, in what surroundings.
//!
//! Every figure adds up, takes the larger or the smaller, or unites sets, so that merging is associative
//! and commutative.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;

use crate::lex::TokenKind;

/// Example commits kept per operator.
const EXAMPLES: usize = 3;

/// A day, in days since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(i64);

/// Counts by name.
pub type NameCounts = BTreeMap<String, u64>;

/// What stood around the change: each a count per thing seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Habitat {
    /// The token before: `.(`, `:return`, or a kind (`identifier`).
    pub left: NameCounts,
    /// The token after.
    pub right: NameCounts,
    /// The innermost open bracket; `top` outside all, `?` where it was not seen.
    pub bracket: NameCounts,
    /// `start` of a statement, `:return …`, `arguments`, `parameters`, `declaration`, `directive`, `expression`.
    pub position: NameCounts,
}

/// Where an operator or a shift was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Changes that show it.
    pub count: u64,
    /// Of these, changes read forward (in a set of both directions).
    pub forward: u64,
    /// Of these, changes in commits whose message describes a fix.
    pub fixes: u64,
    /// Distinct commits.
    pub commits: u64,
    /// The repositories, by name.
    pub repos: BTreeSet<String>,
    /// The days of the first and the last change.
    pub first: Option<Date>,
    pub last: Option<Date>,
    /// Up to three commits, (id, repository): the smallest ids, so that merging keeps the same ones.
    pub examples: BTreeSet<(String, String)>,
    /// Places in other programs where it was tried, and how many of those compiled.
    pub sites: u64,
    pub viable: u64,
    /// Places where its pattern stands in the code of its corpus as it is now, unharmed.
    pub matches: u64,
    /// For each hole of the pattern, in order, what it bound.
    pub binds: Vec<BTreeMap<TokenKind, u64>>,
    pub habitat: Habitat,
}

impl Evidence {
    /// Adds what another source saw of the same operator.
    pub fn absorb(&mut self, other: &Self) {
        self.count += other.count;
        self.forward += other.forward;
        self.fixes += other.fixes;
        self.commits += other.commits;
        self.repos.extend(other.repos.iter().cloned());
        self.sites += other.sites;
        self.viable += other.viable;
        self.matches += other.matches;
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.last = self.last.max(other.last);
        for (id, repo) in &other.examples {
            self.offer_example(id, repo);
        }
        if self.binds.len() < other.binds.len() {
            self.binds.resize(other.binds.len(), BTreeMap::new());
        }
        for (mine, theirs) in self.binds.iter_mut().zip(&other.binds) {
            add_counts(mine, theirs);
        }
        add_counts(&mut self.habitat.left, &other.habitat.left);
        add_counts(&mut self.habitat.right, &other.habitat.right);
        add_counts(&mut self.habitat.bracket, &other.habitat.bracket);
        add_counts(&mut self.habitat.position, &other.habitat.position);
    }

    /// Keeps a commit as an example if its id is among the smallest; one without an id is none.
    pub fn offer_example(&mut self, id: &str, repo: &str) {
        let smaller = self.examples.last().is_none_or(|(last, last_repo)| (id, repo) < (last, last_repo));
        if !id.is_empty() && (smaller || self.examples.len() < EXAMPLES) {
            self.examples.insert((id.to_owned(), repo.to_owned()));
        }
        while self.examples.len() > EXAMPLES {
            self.examples.pop_last();
        }
    }

    /// Whether it was seen in a history, rather than written by hand.
    pub fn is_wild(&self) -> bool {
        self.count > 0
    }

    /// Share of the places it was tried in where it compiled; none if it never was.
    pub fn viable_share(&self) -> Option<f64> {
        (self.sites > 0).then(|| self.viable as f64 / self.sites as f64)
    }

    /// Share of changes that come from fixes, from 0 to 1.
    pub fn fix_share(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.fixes as f64 / self.count as f64 }
    }
}

fn add_counts<K: Ord + Clone>(mine: &mut BTreeMap<K, u64>, theirs: &BTreeMap<K, u64>) {
    for (key, count) in theirs {
        *mine.entry(key.clone()).or_default() += count;
    }
}

impl Date {
    /// The day, in UTC, of a time in seconds since 1970. Commits may claim any time: it is brought into the years
    /// that can be written, 0000 to 9999.
    pub fn of_seconds(seconds: i64) -> Self {
        Self(seconds.div_euclid(86_400)).clamp(Self::of_civil(0, 1, 1), Self::of_civil(9999, 12, 31))
    }

    /// The first second of the day.
    pub fn seconds(self) -> i64 {
        self.0 * 86_400
    }

    /// Reads `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return None;
        }
        let date = Self::of_civil(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
        (date.to_string() == text).then_some(date)
    }

    /// Howard Hinnant's `days_from_civil`.
    fn of_civil(year: i64, month: i64, day: i64) -> Self {
        let shifted = if month <= 2 { year - 1 } else { year };
        let era = shifted.div_euclid(400);
        let year_of_era = shifted.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self(era * 146_097 + day_of_era - 719_468)
    }
}

impl fmt::Display for Date {
    /// Howard Hinnant's `civil_from_days`.
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        write!(out, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written() {
        for text in ["1970-01-01", "2000-02-29", "2024-12-31", "1969-12-31"] {
            assert_eq!(Date::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Date::of_seconds(1_000_000_000).to_string(), "2001-09-09");
        for (claimed, day) in [(i64::MAX, "9999-12-31"), (i64::MIN, "0000-01-01")] {
            let date = Date::of_seconds(claimed);
            assert_eq!((date.to_string().as_str(), Date::parse(day)), (day, Some(date)));
        }
        for wrong in ["2023-02-29", "2024-1-01", "x", "2024-13-01", "2024-01-01-01"] {
            assert_eq!(Date::parse(wrong), None, "{wrong}");
        }
    }
}
