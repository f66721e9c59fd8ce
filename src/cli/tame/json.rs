//! An order for programs.

use serde_json::Value;
use serde_json::json;

use crate::analysis::tame::Distance;
use crate::analysis::tame::Ranked;

use super::args::TameArgs;
use super::job::Evaluation;
use super::job::Taming;

/// Everything as JSON. Curves are lists: what is seen after one input, after two inputs, …
pub fn as_json(args: &TameArgs, taming: &Taming) -> Value {
    let name = |input: &usize| taming.inputs.names[*input].as_str();
    let names = |inputs: &[usize]| -> Value { inputs.iter().map(name).collect() };
    let order: Vec<Value> = taming.order.iter().map(|ranked| row(args, taming, ranked)).collect();
    json!({
        "distance": taming.inputs.distance.name(),
        "inputs": taming.inputs.names.len(),
        "notes": taming.inputs.notes,
        "left_out": taming.inputs.left_out,
        "order": order,
        "worth_reading": taming.worth_reading,
        "groups": taming.groups.iter().map(|group| names(group)).collect::<Vec<_>>(),
        "blank": names(&taming.inputs.blank()),
        "evaluation": taming.evaluation.as_ref().map(evaluation),
    })
}

fn row(args: &TameArgs, taming: &Taming, ranked: &Ranked) -> Value {
    let mut row = json!({ "input": taming.inputs.names[ranked.input] });
    let Some((nearest, distance)) = ranked.nearest else { return row };
    row["nearest"] = json!(taming.inputs.names[nearest]);
    row["distance"] = json!(distance);
    if let Some(apart) = taming.inputs.space.apart(ranked.input, nearest) {
        let space = &taming.inputs.space.of;
        let side = |only: &[u32]| {
            let named: Vec<String> = only.iter().take(args.explain).map(|at| space.label(*at)).collect();
            json!({ "count": only.len(), "first": named })
        };
        row["only_it"] = side(&apart.only_first);
        row["only_nearest"] = side(&apart.only_second);
    }
    row
}

fn evaluation(evaluation: &Evaluation) -> Value {
    let Evaluation { truth, curve, neighbours, .. } = evaluation;
    let all = evaluation.all_starts.as_ref().map(|all| {
        let apfd = all.apfd();
        json!({
            "mean_seen": all.mean_seen(),
            "perfect": (1..=all.curves.len()).map(|at| all.perfect(at)).collect::<Vec<_>>(),
            "complete_after_mean": all.complete_at().map(|(mean, _)| mean),
            "complete_after_worst": all.complete_at().map(|(_, worst)| worst),
            "apfd": apfd.map(|(lowest, mean, highest)| json!({ "lowest": lowest, "mean": mean, "highest": highest })),
        })
    });
    json!({
        "bugs": truth.bugs,
        "shown_by": truth.shown_by(),
        "seen": curve.seen(),
        "complete_after": curve.complete_at(),
        "apfd": curve.apfd(),
        "all_starts": all,
        "chance": { "seen": evaluation.chance, "apfd": evaluation.chance_apfd },
        "neighbours": {
            "inputs": neighbours.inputs,
            "matched": neighbours.matched,
            "all_matched": neighbours.all_matched,
            "alone": neighbours.alone,
        },
        "gives_up": evaluation.gives_up.map(|(patience, read, seen)| {
            json!({ "patience": patience, "read": read, "seen": seen })
        }),
    })
}
