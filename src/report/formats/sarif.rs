//! SARIF 2.1.0, which code hosts show beside the code.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::json;

use crate::matrix::MutantRow;

use super::super::app::Utf16Lines;
use super::missed::Documented;
use super::missed::Missed;

/// Results that hosts take at most.
const MOST: usize = 5000;
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with a note for each missed mutant.
pub fn sarif(documented: &Documented) -> String {
    let missed = documented.missed_at_most(MOST);
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    for one in &missed {
        rules.entry(rule_id(one.row)).or_insert_with(|| rule(one));
    }
    let numbers: BTreeMap<&String, usize> = rules.keys().enumerate().map(|(at, id)| (id, at)).collect();
    let results: Vec<Value> =
        missed.iter().map(|one| result(documented, one, numbers[&rule_id(one.row)])).collect();
    let (open, accepted) = documented.counts();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "wildcaught",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": "https://crates.io/crates/wildcaught",
                "rules": rules.into_values().collect::<Vec<_>>(),
            } },
            "columnKind": "utf16CodeUnits",
            "results": results,
            "properties": {
                "score": documented.matrix.score(), "missed": open, "accepted": accepted,
                "leftOut": open.saturating_sub(MOST),
            },
        }],
    });
    serde_json::to_string_pretty(&log).expect("names and numbers are JSON") + "\n"
}

/// The operator that made a mutant.
pub(super) fn rule_id(row: &MutantRow) -> String {
    row.operators.first().cloned().unwrap_or_else(|| "mutant".to_owned())
}

fn rule(one: &Missed) -> Value {
    json!({
        "id": rule_id(one.row),
        "name": "MissedMutant",
        "shortDescription": { "text": one.words },
        "fullDescription": { "text": format!("A mutation operator that {}: {}", one.words, one.row.operator) },
        "help": { "text": "Add or improve a test so that it fails with this change, or accept the mutant: \
         wildcaught accept ID --reason \"…\"" },
        "defaultConfiguration": { "level": "note" },
        "properties": { "tags": ["mutation-testing"] },
    })
}

fn result(documented: &Documented, one: &Missed, rule: usize) -> Value {
    let region = region(documented, one.row);
    let artifact = json!({ "uri": uri(&one.row.file), "uriBaseId": "%SRCROOT%" });
    json!({
        "ruleId": rule_id(one.row),
        "ruleIndex": rule,
        "level": "note",
        "kind": "fail",
        "message": { "text": format!("{} {}", one.message(), one.observe()) },
        "locations": [{ "physicalLocation": { "artifactLocation": artifact, "region": region } }],
        "partialFingerprints": { "mutantId/v1": one.row.id },
        "fixes": [{
            "description": { "text": "The mutation that no test detects. For inspection only; do not keep it." },
            "artifactChanges": [{ "artifactLocation": artifact, "replacements": [{
                "deletedRegion": region,
                "insertedContent": { "text": String::from_utf8_lossy(&one.row.text) },
            }] }],
        }],
        "properties": { "fate": one.fate.name(), "id": one.row.id, "tests": one.tests.len() },
    })
}

fn region(documented: &Documented, row: &MutantRow) -> Value {
    let text = documented.functions.file(&row.file).and_then(|file| file.text.as_deref());
    let places =
        text.map(Utf16Lines::new).and_then(|lines| Some((lines.place(row.start)?, lines.place(row.end)?)));
    match places {
        Some((start, end)) => json!({
            "startLine": start.0, "startColumn": start.1 + 1, "endLine": end.0, "endColumn": end.1 + 1,
        }),
        None => json!({ "startLine": row.line.max(1), "endLine": row.end_line.max(row.line).max(1) }),
    }
}

/// A path as a relative address.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
