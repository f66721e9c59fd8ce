//! Rankings for programs.

use anyhow::Result;
use roaring::RoaringBitmap;
use serde_json::Value;
use serde_json::json;

use crate::analysis::localize::Effect;
use crate::analysis::localize::Ranked;
use crate::analysis::localize::Subject;
use crate::analysis::localize::evidence;

use super::args::ViewArgs;
use super::job::Localized;
use super::mutant::changed_lines;

/// The version of the document.
pub const FORMAT: u32 = 1;

/// One document with all methods: tests, figures, ranked places with their reasons, evaluations.
pub fn document(found: &[Localized], view: &ViewArgs, warnings: &[String]) -> Result<String> {
    let top = view.limit().unwrap_or(usize::MAX);
    let methods: Vec<Value> = found
        .iter()
        .map(|localized| {
            let places = localized.ranking.places.iter().take(top);
            let facts = localized.scores.facts.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
            let tests = &localized.subject.matrix.tests;
            json!({
                "name": localized.method.name(),
                "figures": facts.collect::<serde_json::Map<_, _>>(),
                "test": localized.scores.test.map(|test| &tests[test as usize].name),
                "ranking": places.map(|place| ranked(localized.subject, place, view)).collect::<Vec<_>>(),
                "evaluation": localized.evaluation,
            })
        })
        .collect();
    let subject = found.first().map(|first| first.subject);
    let document = json!({
        "format": FORMAT,
        "failing": subject.map(|subject| names(subject, &subject.failing)),
        "passing": subject.map(|subject| subject.passing.len()),
        "statements": subject.map(|subject| subject.spectrum.statements.len()),
        "executed": subject.map(|subject| subject.targets()),
        "methods": methods,
        "warnings": warnings,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn ranked(subject: &Subject, place: &Ranked, view: &ViewArgs) -> Value {
    let found = evidence(subject, place);
    let effect = |effect: &Effect| {
        let row = &subject.matrix.mutants[effect.mutant];
        json!({
            "mutant": row.id,
            "operator": row.operator,
            "change": changed_lines(row, view.root()),
            "repaired": names(subject, &effect.repaired),
            "broken": names(subject, &effect.broken),
        })
    };
    json!({
        "file": place.place.file,
        "line": place.place.line,
        "endLine": place.place.end_line,
        "function": place.function,
        "score": place.score,
        "rank": place.rank,
        "repairs": found.repairs.iter().map(effect).collect::<Vec<_>>(),
        "breaks": found.breaks.iter().map(effect).collect::<Vec<_>>(),
        "silent": found.silent,
        "failing": found.failing.len(),
        "passing": found.passing.len(),
    })
}

fn names<'a>(subject: &'a Subject, tests: &RoaringBitmap) -> Vec<&'a str> {
    tests.iter().map(|test| subject.matrix.tests[test as usize].name.as_str()).collect()
}
