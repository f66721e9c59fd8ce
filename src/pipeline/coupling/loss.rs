//! Why no mutant of a set recreates the fault.

use crate::harvest::Tally;
use crate::harvest::TallyCollector;
use crate::harvest::finish;
use crate::history::Change;
use crate::history::Collector;
use crate::history::Commit;
use crate::history::Known;
use crate::history::ResumePoints;
use crate::history::Side;
use crate::insert::Rules;
use crate::langdef::LangDef;
use crate::operator::Filter;
use crate::operator::Source;
use crate::text::Span;

use super::column::HarvestRules;
use super::fault::Fault;

/// Why no mutant of a set recreates the fault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// A mutant would be, but rules of fit refuse it.
    Fit(Vec<&'static str>),
    /// A mutant would be, but as many others as are asked for are likelier.
    Unlikely,
    /// Such a change does not become an operator: this filter rejects it.
    Harvest(Filter),
    /// The operator could have been harvested, but is not in the set.
    NotInSet,
    /// The set was written by hand, and has no such operator.
    NoOperator,
}

impl Loss {
    /// The loss by rules of fit.
    pub(super) fn fit(rules: Rules) -> Self {
        Self::Fit(rules.iter().map(|rule| rule.row().name).collect())
    }

    /// Whether the fix changed what no test can notice: attributes, imports, modifiers, tests.
    pub(super) fn is_churn(&self) -> bool {
        let churn = [Filter::TestCode, Filter::Import, Filter::Attribute, Filter::Modifier];
        matches!(self, Self::Harvest(filter) if churn.contains(filter))
    }

    /// In words.
    pub fn name(&self) -> String {
        match self {
            Self::Fit(rules) => format!("refused by fit: {}", rules.first().unwrap_or(&"")),
            Self::Unlikely => "past the density: others are likelier".into(),
            Self::Harvest(filter) => format!("not harvested: {}", filter.title().to_lowercase()),
            Self::NotInSet => "not in the set".into(),
            Self::NoOperator => "no such operator".into(),
        }
    }
}

/// Whether the change of a fault would have become an operator, and if not, why.
pub(super) fn harvest(def: &LangDef, fault: &Fault, rules: &HarvestRules) -> Loss {
    let fixed = &fault.target.files[fault.file].text;
    let (ground_before, ground_after) = (ResumePoints::of(def, &fault.faulty), ResumePoints::of(def, fixed));
    let start = fault.block.after.start;
    let before = Span::new(start as usize, start as usize + fault.block.before.len());
    let change = Change {
        path: &fault.block.path,
        before: Side { text: &fault.faulty, block: before, known: Known::File(&ground_before) },
        after: Side { text: fixed, block: fault.block.after, known: Known::File(&ground_after) },
    };
    let mut collector =
        TallyCollector::new(def, Tally::new(def.name(), rules.tally.clone(), Source::default()));
    collector.take(&Commit::default(), &change);
    let harvest = finish(collector.into_tally(), def, &rules.finish);
    if !harvest.set.operators.is_empty() || !harvest.set.shifts.is_empty() {
        return Loss::NotInSet;
    }
    let funnel = &harvest.set.header.funnels["backward"];
    let rejected = Filter::ALL.into_iter().find(|filter| funnel.rejected(*filter) > 0);
    rejected.map_or(Loss::NotInSet, Loss::Harvest)
}
