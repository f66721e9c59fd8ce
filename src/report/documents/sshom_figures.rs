//! Figures of SSHOMs, which the results of searches and of failing conditions have.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::sshom::Characteristics;
use crate::analysis::sshom::OrderSpread;

/// A count in decimal digits, as text: it may be too large for JSON readers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct CountDocument(pub String);

impl From<&BigUint> for CountDocument {
    fn from(count: &BigUint) -> Self {
        Self(count.to_string())
    }
}

/// Figures of SSHOMs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FiguresDocument {
    /// How many there are.
    pub count: CountDocument,
    /// How many there are of each order.
    pub orders: BTreeMap<usize, CountDocument>,
    /// Those whose mutants are all killed by the same tests.
    pub same_tests: CountDocument,
    /// Those of order 3 or more.
    pub order_3_or_more: CountDocument,
    /// Those that have one mutant more than another.
    pub one_more_than_another: CountDocument,
    /// Mutants that are in at least one of them.
    pub mutants: usize,
    /// How far they spread, if places are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<SpreadDocument>,
}

/// How many SSHOMs stay in one function, one file, two files, or have more.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpreadDocument {
    pub one_function: CountDocument,
    /// In several functions of one file.
    pub one_file: CountDocument,
    pub two_files: CountDocument,
    /// In three files or more.
    pub more_files: CountDocument,
}

impl FiguresDocument {
    /// Figures of a solution.
    pub fn new(figures: &Characteristics) -> Self {
        Self {
            count: CountDocument::from(&figures.counts.total()),
            orders: figures.counts.orders().map(|(order, count)| (order, count.into())).collect(),
            same_tests: CountDocument::from(&figures.equal_fail),
            order_3_or_more: CountDocument::from(&figures.above_two),
            one_more_than_another: CountDocument::from(&figures.n_plus_one),
            mutants: figures.mutants,
            spread: figures.spread.as_ref().map(SpreadDocument::new),
        }
    }
}

impl SpreadDocument {
    fn new(spread: &OrderSpread) -> Self {
        Self {
            one_function: CountDocument::from(&spread.one_function),
            one_file: CountDocument::from(&spread.one_file),
            two_files: CountDocument::from(&spread.two_files),
            more_files: CountDocument::from(&spread.more),
        }
    }
}
