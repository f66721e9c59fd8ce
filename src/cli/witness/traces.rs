//! All runs with what they executed, for analyses of one's own.

use serde_json::Value;
use serde_json::json;

use crate::pipeline::witness::Origin;
use crate::pipeline::witness::Variation;
use crate::pipeline::witness::WitnessResult;

/// Functions, the function of every arc and line, and the runs.
pub fn traces(result: &WitnessResult) -> Value {
    let functions: Vec<Value> = result
        .elements
        .functions
        .iter()
        .map(|function| json!({"name": function.name, "file": function.file, "first": function.first, "last": function.last}))
        .collect();
    let run = |kind: &'static str| {
        move |known: &Variation| {
            json!({
                "kind": kind,
                "origin": origin(&known.origin),
                "stack": known.stack,
                "arcs": known.trace.arcs.iter().collect::<Vec<_>>(),
                "lines": known.trace.lines.iter().collect::<Vec<_>>(),
            })
        }
    };
    let mut runs: Vec<Value> = result.failing.iter().map(run("failing")).collect();
    runs.extend(result.witnesses.iter().map(run("witness")));
    runs.extend(result.neutral.iter().map(run("neutral")));
    runs.extend(result.others.iter().map(run("other")));
    runs.extend(result.tests.iter().map(run("test")));
    json!({
        "format": 1,
        "functions": functions,
        "arcs": result.elements.arcs,
        "lines": result.elements.lines,
        "runs": runs,
    })
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Given => "given".into(),
        Origin::Reduction => "reduction".into(),
        Origin::Mutant { operator, order } => format!("mutant {operator} of order {order}"),
        Origin::Test(path) => path.clone(),
    }
}
