//! The coupling of fixes with mutants by tests, as a page for browsers.

use crate::pipeline::coupling::tested::TestedCoupling;
use crate::pipeline::coupling::tested::TestedFix;
use crate::pipeline::coupling::tested::TestedOutcome;
use crate::report::Align;
use crate::report::Axes;
use crate::report::CurveLine;
use crate::report::Page;
use crate::report::Table;
use crate::report::curves_svg;

use super::tested_show::head;
use super::tested_show::result_line;
use super::tested_show::share_table;

/// Coupled mutants of a fix that are shown.
const SHOWN: usize = 20;

/// The page.
pub fn page(all: &TestedCoupling, language: &str) -> String {
    let mut page = Page::new("Which real faults are these mutants coupled to?");
    page.text(&head(all, language));
    page.text(
        "A fault is coupled if some mutant of the fixed function passes the tests from before the fix and fails those \
         that came with it.",
    );
    page.table(&share_table(all));
    page.heading("Coupled faults against mutants tested");
    page.picture(&curve(all));
    for (heading, measurable) in [("Measured faults", true), ("Faults that could not be measured", false)] {
        page.heading(heading);
        for fix in all.fixes.iter().filter(|fix| fix.is_measurable() == measurable) {
            page.fold(&result_line(fix, &all.columns), false, |page| show(page, fix));
        }
    }
    page.finish()
}

/// A line for each set.
fn curve(all: &TestedCoupling) -> String {
    let firsts: Vec<Vec<usize>> = (0..all.columns.len()).map(|column| all.firsts(column)).collect();
    let end = firsts.iter().flatten().max().copied().unwrap_or(1);
    let lines: Vec<CurveLine> = all
        .columns
        .iter()
        .zip(&firsts)
        .map(|(name, firsts)| {
            let found = (1..=end).map(|tried| firsts.iter().filter(|first| **first <= tried).count() as f64);
            CurveLine::of_steps(name.clone(), found)
        })
        .collect();
    let measurable = all.fixes.iter().filter(|fix| fix.is_measurable()).count();
    curves_svg(
        &lines,
        &Axes {
            title: "Faults coupled with the first mutants",
            across: "mutants of the function tested",
            upward: "faults",
            end: end as f64,
            most: measurable as f64,
        },
    )
}

/// A fix: its message, what was said, the tests that detect it, and the mutants that are coupled with it.
fn show(page: &mut Page, fix: &TestedFix) {
    page.text(&format!("{} (tested by {})", fix.subject, fix.how));
    match &fix.outcome {
        TestedOutcome::Unmeasurable(why) => page.text(&why.detail()),
        TestedOutcome::Measured { detecting, .. } => {
            page.text(&format!("Detected by {}.", detecting.join(", ")));
            let Some(set) = fix.sets().last().filter(|set| !set.coupled.is_empty()) else { return };
            let columns = ["line", "before", "after", "operators"].map(|name| (name, Align::Left));
            let mut table = Table::new(&columns);
            for mutant in set.coupled.iter().take(SHOWN) {
                let (before, after) = (mutant.before.clone(), mutant.after.clone());
                table.row(vec![mutant.line.to_string(), before, after, mutant.operators.join(", ")]);
            }
            page.table(&table);
        }
    }
}
