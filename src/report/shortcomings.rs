//! What a localization lacks, in words.

use std::borrow::Cow;

use crate::pipeline::localize::GatherEnd;
use crate::pipeline::localize::Shortcoming;
use crate::text::one_line;

use super::table::counted;
use super::table::thousands;

/// Names shown of a longer list.
const SHOWN: usize = 3;

/// A line for people: what is missing and what it means for the result.
pub fn shortcoming_text(shortcoming: &Shortcoming) -> String {
    let count = |names: &[String], what: &str| counted(names.len() as u64, what);
    let some = |names: &[String]| first_names(names.iter().map(String::as_str));
    match shortcoming {
        Shortcoming::UnknownTests(tests) => {
            format!("{} in the coverage but not in the matrix: {}", count(tests, "test"), some(tests))
        }
        Shortcoming::UncoveredTests(tests) => format!(
            "{} without coverage; the mutants that they reach are used instead: {}",
            count(tests, "test"),
            some(tests)
        ),
        Shortcoming::UnknownMutants { directory, files } => {
            let directory = directory.display();
            format!("{directory}: {} not named after a mutant: {}", count(files, "file"), some(files))
        }
        Shortcoming::OutsideFunctions(statements) => {
            let statements = counted(*statements as u64, "statement");
            format!("{statements} outside of known functions are not ranked")
        }
        Shortcoming::PartialMutants { mutants, here } => format!(
            "{} did not run with all passing tests that reach them; {}",
            counted(*mutants as u64, "mutant"),
            if *here {
                "`--resume` with a larger --budget runs them"
            } else {
                "`wildcaught test --matrix full` runs them"
            }
        ),
        Shortcoming::HangingMutants(mutants) => format!(
            "{} time out in many tests, so they did not run with the rest, where their results count as unchanged",
            counted(*mutants as u64, "mutant")
        ),
        Shortcoming::UnrunMutants { unrun, all, end } => format!(
            "{} of {} did not run{}; the ranking uses the others and coverage{}",
            counted(*unrun as u64, "mutant"),
            thousands(*all as u64),
            match end {
                Some(GatherEnd::OutOfTime) => ", since the time ran out",
                Some(GatherEnd::Stopped) => ", since the run was stopped",
                _ => "",
            },
            if end.is_some() { "; `--resume` runs them" } else { "" }
        ),
        Shortcoming::NothingExecuted => {
            "failing tests execute no known statement, so the rankings are meaningless".to_owned()
        }
        Shortcoming::MissingFaults(lines) => format!("faults in lines that are not ranked: {}", some(lines)),
    }
}

/// The first few names of a list, and how many more there are.
pub fn first_names<'a>(mut names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let mut shown: Vec<Cow<str>> = names.by_ref().take(SHOWN).map(one_line).collect();
    if count > SHOWN {
        shown.push(format!("{} more", count - SHOWN).into());
    }
    shown.join(", ")
}
