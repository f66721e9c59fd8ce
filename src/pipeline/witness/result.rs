//! The result of it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::witness::Elements;
use crate::analysis::witness::RankedPart;
use crate::analysis::witness::Trace;

use super::bisect::FirstBad;
use super::judge::Failure;

/// Where a run comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program that was given.
    Given,
    /// A step of its reduction.
    Reduction,
    /// A mutant; the operator, and how many mutations lead to it.
    Mutant { operator: String, order: usize },
    /// A program of the developers, by its path.
    Test(String),
}

/// A program that was run, and what it executed.
#[derive(Clone, Debug)]
pub struct Variation {
    pub origin: Origin,
    /// Empty for programs of the developers.
    pub text: Vec<u8>,
    pub trace: Trace,
    /// Functions that it was in when it crashed or was ended, the innermost first; empty where that is not known.
    pub stack: Vec<String>,
}

/// How many programs there were, by their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Runs of the oracle.
    pub runs: usize,
    pub reduction: usize,
    pub mutants: usize,
    /// Variations that pass.
    pub passing: usize,
    /// Of those, variations that execute the same as a witness before.
    pub same: usize,
    pub failing: usize,
    /// Variations that fail in another way than the program.
    pub otherwise: usize,
    pub unjudged: usize,
    /// Runs that left no coverage.
    pub blank: usize,
    /// Programs of the developers that do not pass.
    pub tests_left_out: usize,
    /// Programs of the developers for which there was no time.
    pub tests_not_run: usize,
}

/// Suspicious parts of the compiler or interpreter.
#[derive(Clone, Debug)]
pub struct WitnessResult {
    pub failure: Failure,
    /// The reduced program; the given one if nothing could be taken away.
    pub reduced: Vec<u8>,
    pub elements: Elements,
    /// The most suspicious first.
    pub ranking: Vec<RankedPart>,
    /// Programs that show the fault, the reduced one first.
    pub failing: Vec<Variation>,
    /// Variations that do not show it, the nearest first.
    pub witnesses: Vec<Variation>,
    /// Variations that are not judged: mostly no valid programs.
    pub neutral: Vec<Variation>,
    /// Variations that fail in another way.
    pub others: Vec<Variation>,
    pub tests: Vec<Variation>,
    pub counts: Counts,
    /// The commit that brought the fault, if the history was searched.
    pub first_bad: Option<FirstBad>,
    /// Whether the budget ended the search.
    pub cut: bool,
    pub took: Duration,
}
