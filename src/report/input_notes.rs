//! What is known of inputs to tame, in words.

use crate::pipeline::tame::InputNote;
use crate::pipeline::tame::LeftOutInputs;

use super::table::counted;
use super::table::thousands;

/// A line about where inputs come from.
pub fn note_text(note: &InputNote) -> String {
    match *note {
        InputNote::Mutants { mutants, repairing, breaking, repair_nothing, not_run } => format!(
            "{}: {} repair an input and break no passing test, {} repair one and break a passing test, {} \
             repair nothing, {} did not run",
            counted(mutants as u64, "mutant"),
            thousands(repairing as u64),
            thousands(breaking as u64),
            thousands(repair_nothing as u64),
            thousands(not_run as u64),
        ),
        InputNote::FlakyPassing(tests) => {
            format!(
                "flaky and ignored: {}, which mutants may break without being noticed",
                counted(tests as u64, "passing test")
            )
        }
        InputNote::UnknownPairs(pairs) => format!(
            "{} of an input and a mutant that it reaches did not run; `--matrix full` runs them all",
            counted(pairs, "pair")
        ),
        InputNote::Statements(statements) => format!("{} run", counted(statements as u64, "statement")),
        InputNote::Bytes(bytes) => counted(bytes as u64, "byte"),
    }
}

/// A line about inputs that are left out.
pub fn left_out_text(left_out: &LeftOutInputs) -> String {
    match left_out {
        LeftOutInputs::Flaky(tests) => {
            format!("{} that sometimes passed (flaky)", counted(*tests as u64, "failing test"))
        }
        LeftOutInputs::NotInTruth { inputs, first } => {
            let inputs = counted(*inputs as u64, "input");
            format!("{inputs} for which --truth names no bug, the first `{first}`")
        }
        LeftOutInputs::Uncovered { inputs, first } => {
            let inputs = counted(*inputs as u64, "failing test");
            format!("{inputs} without coverage, the first `{first}`")
        }
    }
}
