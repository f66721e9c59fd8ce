//! GitLab's code quality report: a list of issues.

use serde_json::Value;
use serde_json::json;

use super::missed::Documented;
use super::sarif::rule_id;

/// An issue per missed mutant.
pub fn gitlab(documented: &Documented) -> String {
    let issues: Vec<Value> = documented
        .missed()
        .iter()
        .map(|one| {
            json!({
                "description": one.message(),
                "check_name": rule_id(one.row),
                "fingerprint": one.row.id,
                "severity": "minor",
                "location": { "path": one.row.file, "lines": { "begin": one.row.line.max(1) } },
            })
        })
        .collect();
    serde_json::to_string_pretty(&issues).expect("names and numbers are JSON") + "\n"
}
