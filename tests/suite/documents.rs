//! Results as documents of other programs: what their schemas ask for is there.

use serde_json::Value;

use crate::targets::Project;

/// A project with a run that missed something.
fn tested() -> Option<Project> {
    let project = Project::new("python")?;
    project.edit("tests/test_tiny.py", "assert tiny.look(\"b\") == 2", "tiny.look(\"b\")");
    let ran = project.run(&["test", "--ops", "classic", "--all", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    Some(project)
}

#[track_caller]
fn report(project: &Project, format: &str) -> String {
    let ran = project.run(&["report", format]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[track_caller]
fn json(project: &Project, format: &str) -> Value {
    serde_json::from_str(&report(project, format)).unwrap()
}

/// The keys that an object must have.
#[track_caller]
fn has(value: &Value, keys: &[&str]) {
    keys.iter().for_each(|key| assert!(!value[*key].is_null(), "{key} of {value}"));
}

#[test]
fn every_document_has_what_its_schema_asks_for() {
    let Some(project) = tested() else { return };
    let whole = json(&project, "json");
    let missed = whole["survivors"].as_array().unwrap();
    assert!(!missed.is_empty());
    has(&missed[0], &["id", "fate", "file", "line", "words", "diff", "observe", "tests", "operator"]);
    assert!(missed[0]["diff"].as_str().unwrap().starts_with("--- a/tiny.py"));

    let sarif = json(&project, "sarif");
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        has(result, &["ruleId", "message", "locations", "partialFingerprints", "fixes"]);
        assert_eq!(result["level"], "note");
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1 && region["startColumn"].as_u64().unwrap() >= 1);
    }
    assert_eq!(run["results"].as_array().unwrap().len(), missed.len());

    for issue in json(&project, "gitlab").as_array().unwrap() {
        has(issue, &["description", "check_name", "fingerprint", "severity", "location"]);
        has(&issue["location"]["lines"], &["begin"]);
    }
    let sonar = json(&project, "sonar");
    for issue in sonar["issues"].as_array().unwrap() {
        has(issue, &["ruleId", "primaryLocation"]);
        has(&issue["primaryLocation"], &["message", "filePath", "textRange"]);
        assert!(sonar["rules"].as_array().unwrap().iter().any(|rule| rule["id"] == issue["ruleId"]));
    }
    has(&json(&project, "mte"), &["schemaVersion", "thresholds", "files"]);

    let junit = report(&project, "junit");
    assert_eq!(junit.matches("<failure ").count(), missed.len());
    assert!(junit.starts_with("<?xml") && junit.trim_end().ends_with("</testsuites>"));
    // The schema that Jenkins reads by knows no message of what was skipped, and no such count of all suites.
    assert!(junit.contains("<skipped>unviable</skipped>"), "{junit}");
    assert!(!junit.lines().nth(1).unwrap().contains("skipped="), "{junit}");
    let failures = format!("failures=\"{}\"", missed.len());
    assert!(junit.lines().nth(1).unwrap().contains(&failures), "{junit}");

    let csv = report(&project, "csv");
    assert_eq!(csv.lines().next().unwrap().split(',').count(), 12);
    let markdown = report(&project, "markdown");
    assert!(markdown.starts_with("## Mutation score: ") && markdown.contains("```diff"), "{markdown}");
    let github = report(&project, "github");
    assert!(
        github.lines().filter(|line| line.starts_with("::warning file=tiny.py,line=")).count() <= 10,
        "{github}"
    );
}

#[test]
fn on_actions_there_are_annotations_and_a_summary() {
    let Some(project) = tested() else { return };
    let summary = project.scratch().join("summary.md");
    let env = [("GITHUB_ACTIONS", "true"), ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap())];
    let ran = project.run_with(&["test", "--ops", "classic", "--all", "--quiet"], &env);
    assert!(ran.err.contains("::warning file=tiny.py"), "{}", ran.err);
    assert!(std::fs::read_to_string(summary).unwrap().contains("## Mutation score"));
}

#[test]
fn json_of_a_test_names_survivors_whole() {
    let Some(project) = tested() else { return };
    let ran = project.run(&["test", "--ops", "classic", "--all", "--quiet", "--json"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    has(&document["survivors"][0], &["id", "words", "before", "after", "observe", "tests", "diff"]);
}
