//! The coupling of fixes with mutants by tests, for people.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::pipeline::coupling::tested::FoundFix;
use crate::pipeline::coupling::tested::SetOutcome;
use crate::pipeline::coupling::tested::TestedCoupling;
use crate::pipeline::coupling::tested::TestedFix;
use crate::pipeline::coupling::tested::TestedOutcome;
use crate::pipeline::coupling::tested::TestedShare;
use crate::pipeline::coupling::tested::WhyNot;
use crate::report::Align;
use crate::report::Table;
use crate::report::percent;
use crate::text::one_line;

use super::show::plural;
use super::show::set_table;

/// All reasons, in the order of the table.
const REASONS: [WhyNot; 4] = [WhyNot::NoMutant, WhyNot::NoneTested, WhyNot::KilledBefore, WhyNot::Survived];
/// Coupled mutants of a fix that are listed.
const LISTED: usize = 3;

/// What each set reaches, and why not more.
pub fn summary(all: &TestedCoupling, language: &str) -> String {
    format!("{}\n{}", head(all, language), share_table(all))
}

/// The shares of the sets, side by side.
pub(super) fn share_table(all: &TestedCoupling) -> Table {
    let shares: Vec<TestedShare> = (0..all.columns.len()).map(|column| all.share(column)).collect();
    let measurable = shares.first().map_or(0, |share| share.measurable);
    let mut table = set_table(("", Align::Left), &all.columns);
    let mut row = |name: &str, cell: &dyn Fn(&TestedShare) -> String| {
        table.row(std::iter::once(name.to_owned()).chain(shares.iter().map(cell)).collect());
    };
    let of_all = |part: usize| format!("{part} ({})", percent(part as f64 / measurable.max(1) as f64));
    row("coupled faults", &|share| of_all(share.coupled));
    row("  of these, not by any set to the left", &|share| of_all(share.alone));
    row("  among the first ten mutants tested", &|share| of_all(share.first_ten));
    row("mutants tested until the first coupled one, median", &|share| {
        share.median_first.map_or_else(|| "–".into(), |first| first.to_string())
    });
    row("mutants tested per fault", &|share| format!("{:.0}", share.mutants));
    for why in REASONS {
        let name = format!("not coupled: {}", why.name());
        row(&name, &|share| share.why_not.get(&why).copied().unwrap_or(0).to_string());
    }
    table
}

/// How many faults there are, and why others are not measured.
pub(super) fn head(all: &TestedCoupling, language: &str) -> String {
    let measurable = all.fixes.iter().filter(|fix| fix.is_measurable()).count();
    let repositories: BTreeSet<&str> = all.fixes.iter().map(|fix| fix.repository.as_str()).collect();
    let mut out = format!(
        "{} with a test, of {} ({language}); {measurable} measurable\n",
        plural(all.fixes.len(), "small fix", "small fixes"),
        plural(repositories.len(), "repository", "repositories")
    );
    for (why, count) in all.unmeasurable() {
        let _ = writeln!(out, "{count:>6}  {why}");
    }
    let mut left: Vec<String> =
        all.left_out.iter().map(|(why, count)| format!("{count} {}", why.name())).collect();
    if all.without_test > 0 {
        left.push(format!("{} without a test", all.without_test));
    }
    if all.not_reached > 0 {
        left.push(format!("{} not reached", all.not_reached));
    }
    if !left.is_empty() {
        let _ = writeln!(out, "left out: {}", left.join(", "));
    }
    out
}

/// A fix that would be tested.
pub fn found_line(repository: &str, fix: &FoundFix) -> String {
    let line = format!("{repository} {:.10} {}:{}  {}", fix.commit, fix.path, fix.line, fix.subject);
    one_line(&line).into_owned()
}

/// A fix and its result, in a line.
pub fn result_line(fix: &TestedFix, columns: &[String]) -> String {
    let mut line = format!("{} {:.10} {}:{}  ", fix.repository, fix.commit, fix.path, fix.line);
    match &fix.outcome {
        TestedOutcome::Unmeasurable(why) => {
            let detail = why.detail();
            let _ = write!(line, "not measurable: {}", why.name());
            if !detail.is_empty() {
                let _ = write!(line, " ({:.120})", telling(&detail));
            }
        }
        TestedOutcome::Measured { sets, .. } => {
            let parts: Vec<String> =
                columns.iter().zip(sets).map(|(name, set)| format!("{name}: {}", came_to(set))).collect();
            line.push_str(&parts.join("; "));
        }
    }
    let _ = write!(line, "  [{:.0} s]", fix.seconds);
    one_line(&line).into_owned()
}

/// The line that says most: a compiler's error, or the first that does not only announce others.
fn telling(said: &str) -> &str {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty() && !line.ends_with(':'));
    lines().find(|line| line.contains("error")).or_else(|| lines().next()).unwrap_or("")
}

fn came_to(set: &SetOutcome) -> String {
    match (set.why_not(), set.first) {
        (Some(why), _) => why.name().to_owned(),
        (None, first) => {
            let first = first.unwrap_or_default();
            format!("coupled, {} of {} mutants, first {first}", set.coupled.len(), set.tested())
        }
    }
}

/// Every fix with its subject, its result, and some mutants that are coupled with it.
pub fn list(all: &TestedCoupling) -> String {
    let mut out = String::new();
    for fix in &all.fixes {
        let _ = writeln!(out, "{}\n    {}", result_line(fix, &all.columns), one_line(&fix.subject));
        let last = all.columns.len().saturating_sub(1);
        for mutant in fix.set(last).into_iter().flat_map(|set| set.coupled.iter().take(LISTED)) {
            let line = format!("{}  line {}: {} → {}", mutant.id, mutant.line, mutant.before, mutant.after);
            let _ = writeln!(out, "    {}", one_line(&line));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_with_the_error_is_shown() {
        let said = "the project does not build:\n   int x\nf.c:3: error: no such thing\nmake: stopped";
        assert_eq!(telling(said), "f.c:3: error: no such thing");
        assert_eq!(telling("9 of 10 tests fail"), "9 of 10 tests fail");
        assert_eq!(telling(""), "");
    }
}
