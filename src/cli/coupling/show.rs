//! The coupling of some repositories, for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::pipeline::coupling::Attempt;
use crate::pipeline::coupling::Coupling;
use crate::pipeline::coupling::Share;
use crate::report::Align;
use crate::report::Table;
use crate::report::percent;
use crate::report::thousands;

/// How many reasons are shown.
const REASONS: usize = 12;

/// What each set reaches, and why not more.
pub fn summary(coupling: &Coupling, language: &str) -> String {
    let shares = shares(coupling);
    let mut out = format!("{}\n\n{}", head(coupling, language), share_table(coupling, &shares));
    out.push_str(
        "\nfaults found with the first mutants of a function, ordered by likelihood (in random order):\n",
    );
    let _ = write!(out, "{}", curve_table(coupling, &shares));
    for (name, share) in coupling.columns.iter().zip(&shares) {
        let _ = writeln!(out, "\nnot recreated by {name}, because:");
        for (reason, count) in share.losses.iter().take(REASONS) {
            let _ = writeln!(out, "{count:>6}  {reason}");
        }
    }
    out
}

/// What each set reaches.
pub(super) fn shares(coupling: &Coupling) -> Vec<Share> {
    (0..coupling.columns.len()).map(|column| coupling.share(column)).collect()
}

/// How many fixes there are, and which were left out.
pub(super) fn head(coupling: &Coupling, language: &str) -> String {
    let repositories: BTreeSet<&str> = coupling.fixes.iter().map(|fix| fix.repository.as_str()).collect();
    format!(
        "{} of {} ({language}); left out: {}",
        plural(coupling.fixes.len(), "small fix", "small fixes"),
        plural(repositories.len(), "repository", "repositories"),
        left_out(coupling)
    )
}

/// A table with a column per set.
pub(super) fn set_table(first: (&str, Align), sets: &[String]) -> Table {
    let sets = sets.iter().map(|name| (name.as_str(), Align::Right));
    Table::new(&std::iter::once(first).chain(sets).collect::<Vec<_>>())
}

/// The shares of the sets, side by side.
pub(super) fn share_table(coupling: &Coupling, shares: &[Share]) -> Table {
    let count = coupling.fixes.len();
    let mut table = set_table(("", Align::Left), &coupling.columns);
    let mut row = |name: &str, cell: &dyn Fn(&Share) -> String| {
        table.row(std::iter::once(name.to_owned()).chain(shares.iter().map(cell)).collect());
    };
    let of_all = |part: usize| format!("{part} ({})", percent(part as f64 / count.max(1) as f64));
    row("faults recreated by some mutant", &|share| of_all(share.recreated));
    let changing = coupling.behaviour();
    let behaviour = format!("  among the {changing} fixes that change behaviour");
    row(&behaviour, &|share| {
        format!("{} ({})", share.behaviour, percent(share.behaviour as f64 / changing.max(1) as f64))
    });
    row("  of these, not by any set to the left", &|share| of_all(share.alone));
    row("  among the ten likeliest nearby", &|share| of_all(share.ranked_ten));
    row("  among ten random mutants nearby", &|share| percent(share.first_ten / count.max(1) as f64));
    row("mutants per 1,000 tokens", &|share| format!("{:.0}", share.per_thousand));
    table
}

/// Faults found against mutants tried.
pub(super) fn curve_table(coupling: &Coupling, shares: &[Share]) -> Table {
    let mut table = set_table(("mutants", Align::Right), &coupling.columns);
    for point in 0..shares.first().map_or(0, |share| share.curve.len()) {
        let cells = shares.iter().map(|share| {
            let point = share.curve[point];
            format!("{} ({:.0})", point.ranked, point.random)
        });
        table.row(std::iter::once(shares[0].curve[point].tried.to_string()).chain(cells).collect());
    }
    table
}

/// A count with its noun.
pub(super) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count as u64), if count == 1 { one } else { many })
}

fn left_out(coupling: &Coupling) -> String {
    let parts: Vec<String> =
        coupling.left_out.iter().map(|(why, count)| format!("{count} {}", why.name())).collect();
    if parts.is_empty() { "none".into() } else { parts.join(", ") }
}

/// Every fix with its result, one per line.
pub fn list(coupling: &Coupling) -> String {
    let mut out = String::new();
    for fix in &coupling.fixes {
        let _ = write!(out, "{} {:.10} {}:{}", fix.repository, fix.commit, fix.path, fix.line);
        for (name, attempt) in coupling.columns.iter().zip(&fix.attempts) {
            let result = became(attempt);
            let _ = write!(out, "  {name}: {result}");
        }
        out.push('\n');
    }
    out
}

/// What a set's mutants are to a fault.
pub(super) fn became(attempt: &Attempt) -> String {
    match (&attempt.operator, &attempt.loss) {
        (Some(operator), _) => format!("recreated by {operator}"),
        (None, Some(loss)) => loss.name(),
        (None, None) => String::new(),
    }
}
