//! The results of `wildcaught tame` and `onion`. Curves are lists: what is seen after one input, after two inputs, …

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use crate::analysis::tame::AllStarts;
use crate::analysis::tame::Distance;
use crate::analysis::tame::Neighbours;
use crate::analysis::tame::RankStep;
use crate::analysis::tame::Ring;
use crate::exec::Protection;
use crate::pipeline::tame::GivesUp;
use crate::pipeline::tame::Inputs;
use crate::pipeline::tame::TameEvaluation;
use crate::pipeline::tame::Taming;

use super::super::input_notes::left_out_text;
use super::super::input_notes::note_text;

/// Failing inputs in an order that shows different bugs early.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TameDocument {
    /// The version of this document.
    pub format: u32,
    /// What inputs are compared by.
    pub distance: String,
    /// How many inputs there are.
    pub inputs: usize,
    /// Where the inputs come from, in words.
    pub notes: Vec<String>,
    /// What should have been among them but is missing.
    pub left_out: Vec<String>,
    pub order: Vec<RankedInput>,
    /// How many inputs of the order to read.
    pub worth_reading: usize,
    /// Inputs that cannot be told apart.
    pub groups: Vec<Vec<String>>,
    /// Inputs without any data, so that their distances are meaningless.
    pub blank: Vec<String>,
    /// How good the order is, if the bugs are known.
    pub evaluation: Option<OrderEvaluation>,
    /// The sandbox in force while tests ran; missing if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Protection>,
}

/// An input at its place in the order; the first has no other fields.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RankedInput {
    pub input: String,
    /// The nearest input before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
    /// How far that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Mutants or statements that only this input has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_it: Option<OnlyOne>,
    /// Mutants or statements that only the nearest has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_nearest: Option<OnlyOne>,
}

/// What one of two inputs has and the other does not.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnlyOne {
    pub count: usize,
    /// The first of them, in words; `--explain` says how many.
    pub first: Vec<String>,
}

/// The quality of an order, if the bugs are known.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderEvaluation {
    pub bugs: Vec<String>,
    /// Per bug, how many inputs show it.
    pub shown_by: Vec<usize>,
    /// Bugs seen after each input.
    pub seen: Vec<usize>,
    /// Inputs after which all bugs are seen.
    pub complete_after: Option<usize>,
    /// Average percentage of faults detected, 0 to 1.
    pub apfd: Option<f64>,
    /// Orders from every input, with --all-starts.
    pub all_starts: Option<StartsFigures>,
    pub chance: Chance,
    pub neighbours: NeighboursFigures,
    /// Where a reader gives up, with --stop-after.
    pub gives_up: Option<GivesUpFigures>,
}

/// Orders from every input, together.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartsFigures {
    /// Bugs seen after each input, on average.
    pub mean_seen: Vec<f64>,
    /// Starts from which all bugs are seen after each input.
    pub perfect: Vec<usize>,
    pub complete_after_mean: Option<f64>,
    pub complete_after_worst: Option<usize>,
    pub apfd: Option<ApfdRange>,
}

/// APFD over all starts.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ApfdRange {
    pub lowest: f64,
    pub mean: f64,
    pub highest: f64,
}

/// The mean over all possible orders.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chance {
    pub seen: Vec<f64>,
    pub apfd: Option<f64>,
}

/// How often the nearest input shows the same bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NeighboursFigures {
    /// Inputs that could have a match.
    pub inputs: usize,
    /// Those with a match among the nearest.
    pub matched: usize,
    /// Those whose nearest all match.
    pub all_matched: usize,
    /// Inputs whose bugs no other shows.
    pub alone: usize,
}

/// Where a reader gives up who sees no new bug for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivesUpFigures {
    /// Inputs without a new bug.
    pub patience: usize,
    /// Inputs read until then.
    pub read: usize,
    /// Bugs seen until then.
    pub seen: usize,
}

/// Inputs by their distance from one of them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnionDocument {
    /// The version of this document.
    pub format: u32,
    /// The input in the middle.
    pub centre: String,
    /// What inputs are compared by.
    pub distance: String,
    /// From the innermost out; the centre is in the first.
    pub rings: Vec<RingInputs>,
    /// Whether there is no data about the centre, so that its distances are meaningless.
    pub blank: bool,
    /// What should have been among the inputs but is missing.
    pub left_out: Vec<String>,
}

/// The inputs at one distance from the centre.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingInputs {
    pub distance: f64,
    pub inputs: Vec<String>,
}

impl TameDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of a result; `explain` is how many mutants or statements are named that tell two inputs apart.
    pub fn new(taming: &Taming, explain: usize) -> Self {
        let inputs = &taming.inputs;
        let groups = taming.groups.iter().map(|group| names(inputs, group));
        let row = |ranked: &RankStep| RankedInput::new(inputs, ranked, explain);
        Self {
            format: Self::FORMAT,
            distance: inputs.distance.name().to_owned(),
            inputs: inputs.names.len(),
            notes: inputs.notes.iter().map(note_text).collect(),
            left_out: inputs.left_out.iter().map(left_out_text).collect(),
            order: taming.order.iter().map(row).collect(),
            worth_reading: taming.worth_reading,
            groups: groups.collect(),
            blank: names(inputs, &inputs.blank()),
            evaluation: taming.evaluation.as_ref().map(OrderEvaluation::new),
            sandbox: inputs.protection.clone(),
        }
    }
}

impl RankedInput {
    fn new(inputs: &Inputs, ranked: &RankStep, explain: usize) -> Self {
        let only = |numbers: &[u32]| OnlyOne {
            count: numbers.len(),
            first: numbers.iter().take(explain).map(|at| inputs.space.of.label(*at)).collect(),
        };
        let apart = ranked.nearest.and_then(|(nearest, _)| inputs.space.apart(ranked.input, nearest));
        Self {
            input: inputs.names[ranked.input].clone(),
            nearest: ranked.nearest.map(|(nearest, _)| inputs.names[nearest].clone()),
            distance: ranked.nearest.map(|(_, distance)| distance),
            only_it: apart.as_ref().map(|apart| only(&apart.only_first)),
            only_nearest: apart.as_ref().map(|apart| only(&apart.only_second)),
        }
    }
}

impl OrderEvaluation {
    fn new(evaluation: &TameEvaluation) -> Self {
        let TameEvaluation { truth, curve, .. } = evaluation;
        let Neighbours { inputs, matched, all_matched, alone } = evaluation.neighbours;
        let gives_up = |GivesUp { patience, read, seen }| GivesUpFigures { patience, read, seen };
        Self {
            bugs: truth.bugs.clone(),
            shown_by: truth.shown_by(),
            seen: curve.seen(),
            complete_after: curve.complete_at(),
            apfd: curve.apfd(),
            all_starts: evaluation.all_starts.as_ref().map(StartsFigures::new),
            chance: Chance { seen: evaluation.chance.clone(), apfd: evaluation.chance_apfd },
            neighbours: NeighboursFigures { inputs, matched, all_matched, alone },
            gives_up: evaluation.gives_up.map(gives_up),
        }
    }
}

impl StartsFigures {
    fn new(all: &AllStarts) -> Self {
        Self {
            mean_seen: all.mean_seen(),
            perfect: (1..=all.curves.len()).map(|at| all.perfect(at)).collect(),
            complete_after_mean: all.complete_at().map(|(mean, _)| mean),
            complete_after_worst: all.complete_at().map(|(_, worst)| worst),
            apfd: all.apfd().map(|(lowest, mean, highest)| ApfdRange { lowest, mean, highest }),
        }
    }
}

impl OnionDocument {
    /// The version that is written.
    pub const FORMAT: u32 = 1;

    /// The document of the rings around an input.
    pub fn new(inputs: &Inputs, centre: usize, rings: &[Ring]) -> Self {
        let ring = |ring: &Ring| RingInputs { distance: ring.distance, inputs: names(inputs, &ring.inputs) };
        Self {
            format: Self::FORMAT,
            centre: inputs.names[centre].clone(),
            distance: inputs.distance.name().to_owned(),
            rings: rings.iter().map(ring).collect(),
            blank: inputs.blank().contains(&centre),
            left_out: inputs.left_out.iter().map(left_out_text).collect(),
        }
    }
}

fn names(inputs: &Inputs, numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|input| inputs.names[*input].clone()).collect()
}
