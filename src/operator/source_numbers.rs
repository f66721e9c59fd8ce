//! Repositories as numbers of a set's sources, counted from 1: `1-3 7`. Short where an operator was seen in dozens.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use super::Header;

/// From this many repositories on, numbers are shorter than names.
const FEW: usize = 3;

/// The numbers of a set's sources.
pub(super) struct SourceNumbers<'a>(BTreeMap<&'a str, usize>);

impl<'a> SourceNumbers<'a> {
    pub fn new(header: &'a Header) -> Self {
        let numbered = header.sources.iter().enumerate().rev();
        Self(numbered.map(|(at, source)| (source.name.as_str(), at + 1)).collect())
    }

    /// Repositories as numbers; none if they are few, or not all are sources.
    pub fn of(&self, repositories: &BTreeSet<String>) -> Option<String> {
        if repositories.len() <= FEW {
            return None;
        }
        let numbers: Option<BTreeSet<usize>> =
            repositories.iter().map(|name| self.0.get(name.as_str()).copied()).collect();
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for number in numbers? {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        let shown = ranges.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        Some(shown.collect::<Vec<_>>().join(" "))
    }

    /// The names that numbers stand for.
    pub fn read(text: &str, sources: &[String]) -> Result<BTreeSet<String>, String> {
        let mut names = BTreeSet::new();
        for range in text.split_whitespace() {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number =
                |text: &str| text.parse::<usize>().ok().filter(|at| (1..=sources.len()).contains(at));
            let (Some(first), Some(last)) = (number(first), number(last)) else {
                let count = sources.len();
                return Err(format!(
                    "sources: {range:?} is none of the {count} sources; write numbers such as 1-3 7"
                ));
            };
            names.extend((first..=last).map(|at| sources[at - 1].clone()));
        }
        Ok(names)
    }
}
