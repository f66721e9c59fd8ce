//! Ranks inputs, and holds the order against the truth.

use crate::analysis::tame::AllStarts;
use crate::analysis::tame::Curve;
use crate::analysis::tame::Distance;
use crate::analysis::tame::DistanceTable;
use crate::analysis::tame::FurthestFirst;
use crate::analysis::tame::Neighbours;
use crate::analysis::tame::RankStep;
use crate::analysis::tame::Truth;
use crate::analysis::tame::expected_apfd;
use crate::analysis::tame::expected_seen;
use crate::analysis::tame::from_all_starts;
use crate::analysis::tame::groups;
use crate::analysis::tame::match_neighbours;

use super::error::TameError;
use super::inputs::Inputs;
use super::truth_file::TruthFile;

/// Inputs to rank.
pub struct TameRequest<'a> {
    pub inputs: Inputs,
    /// The input to begin with; the first if left out.
    pub start: Option<&'a str>,
    /// After how many inputs without anything new a reader gives up.
    pub patience: Option<usize>,
    /// The bugs that inputs show, if that is known.
    pub truth: Option<&'a TruthFile>,
    /// With a truth: rank from every input, too.
    pub all_starts: bool,
}

/// An order of inputs, and what can be said about it.
pub struct Taming {
    pub inputs: Inputs,
    pub order: Vec<RankStep>,
    /// Inputs that cannot be told apart.
    pub groups: Vec<Vec<usize>>,
    /// How many inputs of the order are worth reading.
    pub worth_reading: usize,
    /// How good the order is, if the truth is known.
    pub evaluation: Option<TameEvaluation>,
}

/// An order held against the truth.
pub struct TameEvaluation {
    pub truth: Truth,
    pub curve: Curve,
    pub all_starts: Option<AllStarts>,
    pub neighbours: Neighbours,
    /// Bugs seen on average in a random order.
    pub chance: Vec<f64>,
    pub chance_apfd: Option<f64>,
    pub gives_up: Option<GivesUp>,
}

/// Where a reader gives up who sees no new bug for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivesUp {
    /// Inputs without a new bug.
    pub patience: usize,
    /// Inputs read until then.
    pub read: usize,
    /// Bugs seen until then.
    pub seen: usize,
}

impl TameRequest<'_> {
    /// Ranks the inputs, furthest first. With a truth all pairs are needed, and each is measured only once.
    pub fn run(self) -> Result<Taming, TameError> {
        let start = self.start.map_or(Ok(0), |name| self.inputs.number(name))?;
        let (order, evaluation) = match self.truth {
            None => (FurthestFirst::new(&self.inputs.space, start).collect(), None),
            Some(truth) => {
                let table = DistanceTable::of(&self.inputs.space);
                let order: Vec<RankStep> = FurthestFirst::new(&table, start).collect();
                let evaluation = self.evaluate(truth.of(&self.inputs.names), &order, &table);
                (order, Some(evaluation))
            }
        };
        let groups = groups(&order);
        let patience = self.patience.unwrap_or(usize::MAX);
        let worth_reading = groups.len().saturating_add(patience).min(self.inputs.space.inputs());
        Ok(Taming { inputs: self.inputs, order, groups, worth_reading, evaluation })
    }

    fn evaluate(&self, truth: Truth, order: &[RankStep], table: &DistanceTable) -> TameEvaluation {
        let curve = Curve::of(order.iter().map(|ranked| ranked.input), &truth);
        let gives_up = self.patience.map(|patience| {
            let (read, seen) = curve.gives_up(patience);
            GivesUp { patience, read, seen }
        });
        TameEvaluation {
            all_starts: self.all_starts.then(|| from_all_starts(table, &truth)),
            neighbours: match_neighbours(table, &truth),
            chance: expected_seen(&truth),
            chance_apfd: expected_apfd(&truth),
            curve,
            truth,
            gives_up,
        }
    }
}
