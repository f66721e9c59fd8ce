//! The operator sets that are compared, ready to be matched.

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::harvest::FinishOptions;
use crate::harvest::IdiomRule;
use crate::harvest::TallyOptions;
use crate::insert::Arsenal;
use crate::insert::ArsenalError;
use crate::langdef::LangDef;
use crate::operator::Direction;
use crate::operator::OperatorSet;
use crate::operator::write_set;

/// The name of the column of all sets.
const TOGETHER: &str = "together";

/// One set, or all of them together.
pub struct Column {
    pub name: String,
    pub arsenal: Arsenal,
    /// A number for its operators and what is known of them.
    pub(super) fingerprint: u64,
    /// How its operators were harvested, if they were.
    pub(super) harvest: Option<HarvestRules>,
}

/// How a change becomes an operator of a set.
pub(super) struct HarvestRules {
    pub tally: TallyOptions,
    pub finish: FinishOptions,
}

/// Why sets cannot be compared.
#[derive(Debug, Error)]
pub enum ColumnError {
    #[error("no operator sets to compare; name some with --ops")]
    None,
    #[error(transparent)]
    Arsenal(#[from] ArsenalError),
}

/// A column per set, and one of all together if there are several.
pub fn columns(sets: &[OperatorSet], def: &LangDef) -> Result<Vec<Column>, ColumnError> {
    if sets.is_empty() {
        return Err(ColumnError::None);
    }
    let mut columns = Vec::new();
    for set in sets {
        columns.push(Column {
            name: set.header.name.clone(),
            arsenal: Arsenal::new(std::slice::from_ref(set), def)?,
            fingerprint: xxh3_64(write_set(set).as_bytes()),
            harvest: harvested(set),
        });
    }
    if sets.len() > 1 {
        let harvest = sets.iter().find_map(harvested);
        let arsenal = Arsenal::new(sets, def)?;
        columns.push(Column { name: TOGETHER.into(), arsenal, fingerprint: 0, harvest });
    }
    Ok(columns)
}

/// How the operators of a set were harvested; none if they were written by hand.
fn harvested(set: &OperatorSet) -> Option<HarvestRules> {
    if set.header.sources.is_empty() {
        return None;
    }
    let mut limits = set.header.thresholds.clone();
    // Whether one change could become an operator, however rare.
    (limits.min_count, limits.min_repos, limits.shift_min) = (1, 1, 1);
    let finish = FinishOptions {
        name: String::new(),
        tool: String::new(),
        direction: Direction::Backward,
        idioms: IdiomRule::Given(set.header.idioms.clone()),
        limits: limits.clone(),
    };
    let tally = TallyOptions { granularity: set.header.granularity, limits, samples: 0 };
    Some(HarvestRules { tally, finish })
}
