//! Mutants for people and programs: lists, tables, JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::insert::Description;
use crate::insert::FileMutants;
use crate::insert::Inserter;
use crate::insert::Rule;
use crate::text::one_line;

use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// One line per mutant.
pub fn list(shown: &[Description]) -> String {
    let mut out = String::new();
    for mutant in shown {
        let verdict = match mutant.viable {
            Some(true) => "compiles  ",
            Some(false) => "broken    ",
            None => "",
        };
        let line = format!(
            "{verdict}{}  {}:{}:{}  {} → {}  [{}]",
            mutant.id,
            mutant.file.display(),
            mutant.line,
            mutant.column,
            mutant.before,
            mutant.after,
            mutant.operator
        );
        let _ = writeln!(out, "{}", one_line(&line));
    }
    out
}

/// What was found, in figures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// The version of this document.
    pub format: u32,
    pub files: usize,
    pub tokens: usize,
    pub operators: usize,
    /// Operators and shifts that make at least one mutant.
    pub operators_used: usize,
    /// Places where an operator matched.
    pub sites: u64,
    pub mutants: u64,
    /// Sites that change nothing.
    pub same: u64,
    /// Sites whose result another operator had made.
    pub duplicates: u64,
    /// Sites in skipped code.
    pub excluded: u64,
    /// Sites where a hole would stand for a string, but was never seen to.
    pub strings: u64,
    /// Left out by rule.
    pub unfit: BTreeMap<String, u64>,
}

impl Figures {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// Adds up the files.
    pub fn new(inserter: &Inserter, all: &[FileMutants]) -> Self {
        let mut used = vec![false; inserter.arsenal.entries.len()];
        let mut figures = Self {
            format: Self::FORMAT,
            files: inserter.target.files.len(),
            tokens: inserter.target.files.iter().map(|file| file.tokens.len()).sum(),
            operators: used.len(),
            ..Self::default()
        };
        let mut unfit: BTreeMap<Rule, u64> = BTreeMap::new();
        for file in all {
            figures.sites += file.sites;
            figures.mutants += file.mutants.len() as u64;
            figures.same += file.same;
            figures.duplicates += file.duplicates;
            figures.excluded += file.excluded;
            figures.strings += file.strings;
            file.rejected.iter().for_each(|(rule, count)| *unfit.entry(*rule).or_default() += count);
            for mutant in &file.mutants {
                mutant.entries.iter().for_each(|entry| used[*entry as usize] = true);
            }
        }
        figures.operators_used = used.iter().filter(|used| **used).count();
        figures.unfit = unfit.into_iter().map(|(rule, count)| (rule.row().name.to_owned(), count)).collect();
        figures
    }

    /// From sites to mutants, a line each.
    pub fn funnel(&self) -> Table {
        let mut table = Table::new(&[("count", Align::Right), ("what", Align::Left)]);
        let mut row = |count: u64, what: String| {
            if count > 0 {
                table.row(vec![thousands(count), what]);
            }
        };
        row(self.sites, "sites where an operator matches".into());
        row(self.strings, "would change a string, by an operator that was not mined from one".into());
        row(self.excluded, "in skipped code".into());
        row(self.same, "change nothing".into());
        for rule in crate::insert::RULES {
            row(self.unfit.get(rule.name).copied().unwrap_or(0), format!("{}: {}", rule.name, rule.says));
        }
        row(self.duplicates, "same result as another".into());
        row(self.mutants, "mutants".into());
        table
    }
}

/// Mutants by file and by operator, those with most first.
pub fn tables(inserter: &Inserter, all: &[FileMutants], top: usize) -> (Table, Table) {
    let mut files =
        Table::new(&[("mutants", Align::Right), ("operators", Align::Right), ("file", Align::Left)]);
    let mut rows: Vec<(usize, usize, String)> = Vec::new();
    let mut counts = vec![0u64; inserter.arsenal.entries.len()];
    for (file, mutants) in inserter.target.files.iter().zip(all) {
        let mut used: Vec<u32> = mutants.mutants.iter().map(|mutant| mutant.entries[0]).collect();
        used.iter().for_each(|entry| counts[*entry as usize] += 1);
        used.sort_unstable();
        used.dedup();
        rows.push((mutants.mutants.len(), used.len(), file.path.display().to_string()));
    }
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    for (mutants, operators, path) in rows.into_iter().take(top) {
        files.row(vec![thousands(mutants as u64), thousands(operators as u64), path]);
    }
    let mut operators =
        Table::new(&[("mutants", Align::Right), ("id", Align::Left), ("operator", Align::Left)]);
    let mut order: Vec<usize> = (0..counts.len()).filter(|entry| counts[*entry] > 0).collect();
    order.sort_by_key(|entry| (std::cmp::Reverse(counts[*entry]), *entry));
    for entry in order.into_iter().take(top) {
        let known = &inserter.arsenal.entries[entry];
        operators.row(vec![thousands(counts[entry]), known.id[..8].to_owned(), known.text()]);
    }
    (files, operators)
}
