//! One operator or shift in full: everything its set knows of it.

use std::collections::BTreeMap;
use std::fmt;

use crate::operator::Evidence;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::Term;
use crate::operator::escape;
use crate::operator::operator_text;
use crate::operator::sentence;
use crate::operator::shift_sentence;
use crate::operator::shift_text;
use crate::operator::write_terms;
use crate::text::one_line;

use super::listing::percent;
use super::table::thousands;

/// An entry of a set.
#[derive(Clone, Copy)]
pub enum EntryText<'a> {
    Operator(&'a Operator),
    Shift(&'a Shift),
}

impl<'a> EntryText<'a> {
    /// All entries of a set, operators first.
    pub fn all(set: &'a OperatorSet) -> impl Iterator<Item = Self> {
        let operators = set.operators.iter().map(Self::Operator);
        operators.chain(set.shifts.iter().map(Self::Shift))
    }

    /// Its whole id.
    pub fn id(&self) -> String {
        match self {
            Self::Operator(operator) => operator.id(),
            Self::Shift(shift) => shift.id(),
        }
    }

    /// What it does, in a line.
    pub fn text(&self) -> String {
        match self {
            Self::Operator(operator) => operator_text(operator),
            Self::Shift(shift) => shift_text(shift),
        }
    }

    /// What it does, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Operator(operator) => sentence(operator),
            Self::Shift(shift) => shift_sentence(shift),
        }
    }

    fn evidence(&self) -> &'a Evidence {
        match self {
            Self::Operator(operator) => &operator.evidence,
            Self::Shift(shift) => &shift.evidence,
        }
    }

    fn sides(&self) -> [(&'static str, String); 2] {
        match self {
            Self::Operator(operator) => {
                let put = write_terms(operator.put());
                let put = if put.is_empty() { "ε".into() } else { put };
                [("find", write_terms(operator.find())), ("put", put)]
            }
            Self::Shift(shift) => [("before", escape(&shift.before)), ("after", escape(&shift.after))],
        }
    }

    fn holes(&self) -> Vec<String> {
        let Self::Operator(operator) = self else { return Vec::new() };
        let bound = operator.evidence.binds.iter().map(|bind| counts(bind, |kind| kind.name().into()));
        holes(operator.find())
            .into_iter()
            .zip(bound)
            .map(|(hole, bound)| format!("{hole}: {bound}"))
            .collect()
    }
}

/// The holes in the order in which evidence names what they bound: each number once, every `$_` by itself.
fn holes(find: &[Term]) -> Vec<String> {
    let mut seen: Vec<&Term> = Vec::new();
    for term in find.iter().filter(|term| term.is_hole()) {
        if *term == Term::Any || !seen.contains(&term) {
            seen.push(term);
        }
    }
    seen.into_iter().map(|term| write_terms(std::slice::from_ref(term))).collect()
}

/// Counts, the largest first.
fn counts<K: Ord>(counts: &BTreeMap<K, u64>, name: impl Fn(&K) -> String) -> String {
    let mut rows: Vec<(&K, &u64)> = counts.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let rows: Vec<String> =
        rows.into_iter().map(|(key, &n)| format!("{} {}", name(key), thousands(n))).collect();
    rows.join(", ")
}

impl fmt::Display for EntryText<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let evidence = self.evidence();
        line(out, "id", &self.id())?;
        line(out, "does", &self.words())?;
        for (key, text) in self.sides() {
            line(out, key, &text)?;
        }
        line(out, "seen", &seen(evidence))?;
        if let Some(share) = evidence.viable_share() {
            let (sites, viable) = (thousands(evidence.sites), thousands(evidence.viable));
            line(
                out,
                "field",
                &format!("compiled at {viable} of {sites} sites in other projects ({})", percent(share)),
            )?;
        }
        let repos: Vec<&str> = evidence.repos.iter().map(String::as_str).collect();
        line(out, "repos", &repos.join(", "))?;
        for hole in self.holes() {
            line(out, "hole", &hole)?;
        }
        let habitat = &evidence.habitat;
        for (key, around) in [
            ("left", &habitat.left),
            ("right", &habitat.right),
            ("bracket", &habitat.bracket),
            ("position", &habitat.position),
        ] {
            line(out, key, &counts(around, Clone::clone))?;
        }
        for (id, repo) in &evidence.examples {
            line(out, "example", &format!("{repo}@{id}"))?;
        }
        Ok(())
    }
}

fn seen(evidence: &Evidence) -> String {
    if *evidence == Evidence::default() {
        return "none: written by hand".into();
    }
    let mut text = format!(
        "{} changes in {} commits of {} repositories; {} in fixes ({})",
        thousands(evidence.count),
        thousands(evidence.commits),
        thousands(evidence.repos.len() as u64),
        thousands(evidence.fixes),
        percent(evidence.fix_share())
    );
    if evidence.forward > 0 {
        text.push_str(&format!("; {} read forward", thousands(evidence.forward)));
    }
    for (word, date) in [("first", evidence.first), ("last", evidence.last)] {
        if let Some(date) = date {
            text.push_str(&format!("; {word} {date}"));
        }
    }
    text
}

/// A line, unless there is nothing to say. Names come from files: what would move the cursor is escaped.
fn line(out: &mut fmt::Formatter, key: &str, text: &str) -> fmt::Result {
    if text.is_empty() {
        return Ok(());
    }
    writeln!(out, "{key:<9} {}", one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::parse_terms;

    #[test]
    fn every_hole_is_named_once_and_every_blank_by_itself() {
        let find = parse_terms("$1 .+ $_ .( $1 $2 $_ .)").unwrap();
        assert_eq!(holes(&find), ["$1", "$_", "$2", "$_"]);
    }

    #[test]
    fn the_largest_counts_come_first() {
        let seen = BTreeMap::from([("a", 1), ("b", 2000), ("c", 1)]);
        assert_eq!(counts(&seen, |key| (*key).to_owned()), "b 2,000, a 1, c 1");
    }
}
