//! The coupling of some repositories, as a page for browsers.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::pipeline::coupling::Attempt;
use crate::pipeline::coupling::Coupling;
use crate::pipeline::coupling::FixResult;
use crate::pipeline::coupling::Share;
use crate::report::Align;
use crate::report::Axes;
use crate::report::CurveLine;
use crate::report::Page;
use crate::report::Table;
use crate::report::curves_svg;

use super::show::became;
use super::show::curve_table;
use super::show::head;
use super::show::plural;
use super::show::set_table;
use super::show::share_table;
use super::show::shares;

/// How many mutants of a function the curve shows.
const TRIED: usize = 200;

/// The page.
pub fn page(coupling: &Coupling, language: &str) -> String {
    let shares = shares(coupling);
    let mut page = Page::new("Which real faults do these mutants recreate?");
    page.text(&head(coupling, language));
    page.text(
        "A fault is recreated if some mutant of the fixed version equals the faulty version, token for token.",
    );
    page.table(&share_table(coupling, &shares));
    page.heading("Faults found with the first mutants of a function");
    page.picture(&curve(coupling, &shares));
    page.text("Ordered by likelihood; in brackets: expected in random order:");
    page.table(&curve_table(coupling, &shares));
    page.heading("Why the other faults are not recreated");
    page.table(&losses(coupling, &shares));
    page.heading("Fix by fix");
    let mut repositories: BTreeMap<&str, Vec<&FixResult>> = BTreeMap::new();
    for fix in &coupling.fixes {
        repositories.entry(&fix.repository).or_default().push(fix);
    }
    for (repository, fixes) in repositories {
        let line = format!("{repository}: {}", plural(fixes.len(), "fix", "fixes"));
        page.fold(&line, false, |page| page.table(&fix_table(&coupling.columns, &fixes)));
    }
    page.finish()
}

/// A line for each set, and what the last one would find at random.
fn curve(coupling: &Coupling, shares: &[Share]) -> String {
    let upto = |share: &Share| share.curve.iter().filter(|point| point.tried <= TRIED).copied().collect();
    let points: Vec<Vec<_>> = shares.iter().map(upto).collect();
    let mut lines: Vec<CurveLine> = coupling
        .columns
        .iter()
        .zip(&points)
        .map(|(name, points)| CurveLine {
            label: name.clone(),
            points: points.iter().map(|point| (point.tried as f64, point.ranked as f64)).collect(),
        })
        .collect();
    if let (Some(name), Some(last)) = (coupling.columns.last(), points.last()) {
        let points = last.iter().map(|point| (point.tried as f64, point.random)).collect();
        lines.push(CurveLine { label: format!("{name}, in random order"), points });
    }
    let found = points.iter().flatten().map(|point| point.ranked).max().unwrap_or(0);
    curves_svg(
        &lines,
        &Axes {
            title: "Faults recreated by the likeliest mutants",
            across: "mutants of the function tested",
            upward: "faults",
            end: TRIED as f64,
            most: found as f64,
        },
    )
}

/// Reasons, and how many faults each set loses by them.
fn losses(coupling: &Coupling, shares: &[Share]) -> Table {
    let counts: Vec<BTreeMap<&str, usize>> = shares
        .iter()
        .map(|share| share.losses.iter().map(|(name, count)| (name.as_str(), *count)).collect())
        .collect();
    let names: BTreeSet<&str> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    let most = |name: &str| counts.iter().filter_map(|counts| counts.get(name)).max().copied();
    names.sort_by_key(|name| std::cmp::Reverse(most(name)));
    let mut table = set_table(("", Align::Left), &coupling.columns);
    for name in names {
        let cells = counts.iter().map(|counts| counts.get(name).copied().unwrap_or(0).to_string());
        table.row(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    table
}

fn fix_table(columns: &[String], fixes: &[&FixResult]) -> Table {
    let sets = columns.iter().map(|name| (name.as_str(), Align::Left));
    let mut table = Table::new(
        &[("commit", Align::Left), ("place", Align::Left)].into_iter().chain(sets).collect::<Vec<_>>(),
    );
    for fix in fixes {
        let mut row = vec![format!("{:.10}", fix.commit), format!("{}:{}", fix.path, fix.line)];
        row.extend(fix.attempts.iter().map(ranked));
        table.row(row);
    }
    table
}

/// What a set's mutants are to a fault, and at which place.
fn ranked(attempt: &Attempt) -> String {
    match attempt.rank_function {
        Some(rank) => format!("{}, {rank} of {} in the function", became(attempt), attempt.function),
        None => became(attempt),
    }
}
