//! SonarQube's generic issues.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::json;

use super::missed::Documented;
use super::sarif::rule_id;

/// How long a test takes to write, as Sonar asks; what it does with it is its own.
const MINUTES: u32 = 10;

/// Rules by operator, and an issue per missed mutant.
pub fn sonar(documented: &Documented) -> String {
    let missed = documented.missed();
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    for one in &missed {
        rules.entry(rule_id(one.row)).or_insert_with(|| {
            json!({
                "id": rule_id(one.row),
                "name": format!("No test fails for a change that {}", one.words),
                "description": format!("Mutation operator {}", one.row.operator),
                "engineId": "wildcaught",
                "cleanCodeAttribute": "TESTED",
                "type": "CODE_SMELL",
                "severity": "MINOR",
                "impacts": [{ "softwareQuality": "MAINTAINABILITY", "severity": "LOW" }],
            })
        });
    }
    let issues: Vec<Value> = missed
        .iter()
        .map(|one| {
            let (first, last) = (one.row.line.max(1), one.row.end_line.max(one.row.line).max(1));
            json!({
                "ruleId": rule_id(one.row),
                "effortMinutes": MINUTES,
                "primaryLocation": {
                    "message": one.message(),
                    "filePath": one.row.file,
                    "textRange": { "startLine": first, "endLine": last },
                },
            })
        })
        .collect();
    let document = json!({ "rules": rules.into_values().collect::<Vec<_>>(), "issues": issues });
    serde_json::to_string_pretty(&document).expect("names and numbers are JSON") + "\n"
}
