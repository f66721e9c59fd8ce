//! Operator sets in figures: what `harvest` writes about its funnel, and what `ops stats --json` prints.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::history::Census;
use crate::operator::Evidence;
use crate::operator::Funnel;
use crate::operator::FunnelRow;
use crate::operator::OperatorSet;

/// From changes to operators.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelDocument {
    /// The version of this document.
    pub format: u32,
    /// The set's name.
    pub name: String,
    pub language: String,
    /// What was read, and what was skipped.
    pub corpus: Census,
    /// One per direction in which changes were read.
    pub funnels: Vec<FunnelFigures>,
    /// Operators in the set.
    pub operators: usize,
    /// Identifier shifts in the set.
    pub shifts: usize,
}

/// The funnel of one direction.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelFigures {
    /// `backward` or `forward`.
    pub direction: String,
    pub candidates: u64,
    /// The filters, in order.
    pub stages: Vec<FunnelStage>,
    /// What is left at the end.
    pub operators: u64,
}

/// What one filter does.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelStage {
    pub filter: String,
    pub rejected: u64,
    /// Share of the candidates that reached this filter.
    pub share: f64,
    pub left: u64,
}

/// A set in figures.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StatsDocument {
    /// The version of this document.
    pub format: u32,
    /// The set's name.
    pub name: String,
    pub language: String,
    /// What was read, and what was skipped.
    pub corpus: Census,
    /// One per direction in which changes were read.
    pub funnels: Vec<FunnelFigures>,
    /// Operators in the set.
    pub operators: usize,
    /// Identifier shifts in the set.
    pub shifts: usize,
    pub direction: String,
    pub granularity: String,
    /// The version of wildcaught that wrote the set.
    pub tool: String,
    /// Whether the harvest was stopped.
    pub partial: bool,
    pub sources: Vec<String>,
    pub idioms: Vec<String>,
    pub operator_figures: SeenFigures,
    pub shift_figures: SeenFigures,
    /// Operators that only delete.
    pub deletions: u64,
    /// By number of tokens, how many operators have a pattern or template of this length.
    pub sizes: BTreeMap<usize, Sizes>,
    pub top_operators: Vec<TopOperator>,
    pub top_shifts: Vec<TopShift>,
}

/// How widely entries were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenFigures {
    pub total: u64,
    pub in_two_repos: u64,
    pub in_three_repos: u64,
    pub changes: u64,
    pub changes_from_fixes: u64,
    pub fix_share: f64,
}

/// How many operators have patterns and templates of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sizes {
    pub find: u64,
    pub put: u64,
}

/// One of the most widely seen operators.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopOperator {
    pub id: String,
    pub count: u64,
    /// Repositories in which it was seen.
    pub repos: usize,
    pub fix_share: f64,
    pub find: String,
    pub put: String,
}

/// One of the most widely seen shifts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TopShift {
    pub id: String,
    pub count: u64,
    /// Repositories in which it was seen.
    pub repos: usize,
    pub fix_share: f64,
    pub before: String,
    pub after: String,
}

impl FunnelDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of a set.
    pub fn new(set: &OperatorSet) -> Self {
        Self {
            format: Self::FORMAT,
            name: set.header.name.clone(),
            language: set.header.language.clone(),
            corpus: set.header.census.clone(),
            funnels: funnels(set),
            operators: set.operators.len(),
            shifts: set.shifts.len(),
        }
    }
}

impl StatsDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;
}

/// The funnels of a set, one per direction.
pub fn funnels(set: &OperatorSet) -> Vec<FunnelFigures> {
    let figures = |(direction, funnel): (&&str, &Funnel)| FunnelFigures {
        direction: (*direction).to_owned(),
        candidates: funnel.candidates,
        stages: funnel.rows().into_iter().map(FunnelStage::from).collect(),
        operators: funnel.kept(),
    };
    set.header.funnels.iter().map(figures).collect()
}

impl From<FunnelRow> for FunnelStage {
    fn from(FunnelRow { filter, rejected, share, left }: FunnelRow) -> Self {
        Self { filter: filter.to_owned(), rejected, share, left }
    }
}

impl SeenFigures {
    /// Adds up what is known of entries.
    pub fn of<'a>(all: impl Iterator<Item = &'a Evidence>) -> Self {
        let mut figures = Self::default();
        for evidence in all {
            figures.total += 1;
            figures.in_two_repos += u64::from(evidence.repos.len() >= 2);
            figures.in_three_repos += u64::from(evidence.repos.len() >= 3);
            figures.changes += evidence.count;
            figures.changes_from_fixes += evidence.fixes;
        }
        if figures.changes > 0 {
            figures.fix_share = figures.changes_from_fixes as f64 / figures.changes as f64;
        }
        figures
    }
}
