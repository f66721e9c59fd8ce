//! `wildcaught schema`: what commands print fits its schema, and is read back by the type that wrote it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use wildcaught::matrix::MutantFate;
use wildcaught::matrix::from_json;
use wildcaught::matrix::to_json;
use wildcaught::report::CompareDocument;
use wildcaught::report::Figures;
use wildcaught::report::FunnelDocument;
use wildcaught::report::LocalizeDocument;
use wildcaught::report::MutateDocument;
use wildcaught::report::OnionDocument;
use wildcaught::report::SCHEMAS;
use wildcaught::report::StatsDocument;
use wildcaught::report::TameDocument;
use wildcaught::report::TestDocument;
use wildcaught::report::documents::SolveDocument;
use wildcaught::report::documents::SshomDocument;

use super::cli::command;
use super::schema_check::Checked;
use super::sshom::BOXES;
use super::tame::toy_directory;
use super::targets::Project;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command; it must end with 0 or 5.
#[track_caller]
fn printed(directory: &Path, line: &str) -> String {
    let output = command(directory).args(line.split_whitespace()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 5)), "{line}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn schema(name: &str) -> Checked {
    Checked::new(serde_json::from_str(&printed(Path::new("."), &format!("schema {name}"))).unwrap())
}

#[track_caller]
fn fits(name: &str, value: &Value, origin: &str) {
    let problem = schema(name).problem(value);
    assert_eq!(problem, None, "{origin} does not fit the schema {name}");
}

/// A document fits its schema, is read back to the same JSON, and has exactly the keys of the schema, but for
/// `left_out`. `format` comes first.
#[track_caller]
fn is_documented<T: DeserializeOwned + Serialize>(name: &str, text: &str, left_out: &[&str]) {
    let value: Value = serde_json::from_str(text).unwrap();
    fits(name, &value, name);
    let document: T = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string_pretty(&document).unwrap() + "\n", text, "{name}");
    let written: BTreeSet<String> = value
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .chain(left_out.iter().map(|key| (*key).to_owned()))
        .collect();
    let known: BTreeSet<String> = schema(name).keys().into_iter().collect();
    assert_eq!(written, known, "{name}");
    assert!(text.starts_with("{\n  \"format\": 1,"), "{name}: {text:.80}");
}

#[test]
fn a_search_for_sshoms_is_documented() {
    let Some(project) = Project::new("triangle-c") else { return };
    let few = ["--kinds", "logical", "--search", "var,bf", "--list", "2", "--verify"];
    let ran = project.run(&[&["sshom", "--quiet", "--json"], &few[..]].concat());
    assert!(matches!(ran.code, 0 | 5), "{} {}", ran.code, ran.err);
    is_documented::<SshomDocument>("sshom", &ran.out, &[]);
}

#[test]
fn a_solution_of_failing_conditions_is_documented() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("boxes.json"), BOXES).unwrap();
    let all = printed(place.path(), "sshom solve boxes.json --list 5 --json");
    is_documented::<SolveDocument>("sshom-solve", &all, &[]);
    let strict = printed(place.path(), "sshom solve boxes.json --strict --json");
    is_documented::<SolveDocument>("sshom-solve", &strict, &["all"]);
}

#[test]
fn a_test_run_is_documented() {
    let Some(project) = Project::new("c-cases") else { return };
    let run = ["test", "--ops", "classic", "--count", "20", "--quiet", "--matrix", "full", "--json"];
    let ran = project.run(&run);
    assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
    is_documented::<TestDocument>("test", &ran.out, &["suites", "audit"]);
    let with_suites = project.run(&[&run[..], &["--suites", "5x2", "--audit", "1"]].concat());
    is_documented::<TestDocument>("test", &with_suites.out, &[]);
    let ran = command(&project.root()).args(["export", "matrix.json", "mutants.json"]).output().unwrap();
    assert!(ran.status.success());
    let text = project.read("matrix.json");
    fits("matrix", &serde_json::from_str(&text).unwrap(), "matrix.json");
    assert_eq!(to_json(&from_json(&text, "matrix.json").unwrap()), text);
    let text = project.read("mutants.json");
    fits("mutants", &serde_json::from_str(&text).unwrap(), "mutants.json");
    let mutants: Vec<MutantFate> = serde_json::from_str(&text).unwrap();
    assert_eq!(mutants.len(), 20);
    assert_eq!(serde_json::to_string_pretty(&mutants).unwrap() + "\n", text);
}

#[test]
fn a_localization_and_a_comparison_are_documented() {
    let files = here().join("tests/localize");
    let line = "localize --matrix matrix.json --coverage setmax.info --fix-diff fix.diff --method all --json";
    let text = printed(&files, line);
    is_documented::<LocalizeDocument>("localize", &text, &["sandbox", "audit"]);
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("r.json"), text.replacen("\"format\": 1", "\"format\": 2", 1)).unwrap();
    let output = command(directory.path()).args(["localize", "--compare", "r.json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("r.json: has format 2, but this version reads format 1")
    );
    fs::write(directory.path().join("r.json"), text).unwrap();
    let text = printed(directory.path(), "localize --compare r.json r.json --json");
    is_documented::<CompareDocument>("compare", &text, &[]);
}

#[test]
fn an_order_and_its_rings_are_documented() {
    let directory = toy_directory();
    let line = "tame --matrix m.json --truth bugs.json --all-starts --stop-after 2 --json";
    is_documented::<TameDocument>("tame", &printed(directory.path(), line), &["sandbox"]);
    let text = printed(directory.path(), "tame --matrix m.json --json");
    is_documented::<TameDocument>("tame", &text, &["sandbox"]);
    let text = printed(directory.path(), "onion T2 --matrix m.json --json");
    is_documented::<OnionDocument>("onion", &text, &[]);
}

#[test]
fn mutants_and_operators_are_documented() {
    let target = here().join("tests/targets/c-cases");
    let text = printed(&target, "mutate --ops classic prog.c --list --json");
    is_documented::<MutateDocument>("mutate-list", &text, &[]);
    let text = printed(&target, "mutate --ops classic prog.c --json");
    is_documented::<Figures>("mutate", &text, &[]);
    let text = printed(here(), "ops stats corpora/classic-c.toml --json");
    is_documented::<StatsDocument>("stats", &text, &[]);
    let directory = tempfile::tempdir().unwrap();
    let diff = here().join("tests/localize/fix.diff");
    let line = format!("harvest --patches {} -l c -o set.toml --json", diff.display());
    is_documented::<FunnelDocument>("funnel", &printed(directory.path(), &line), &[]);
}

/// The TOML files of a directory.
fn toml_files(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(here().join(directory)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

#[track_caller]
fn toml_fits(name: &str, files: &[PathBuf]) {
    let schema = schema(name);
    assert!(files.len() > 5, "{files:?}");
    for file in files {
        let value: Value = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        assert_eq!(schema.problem(&value), None, "{}", file.display());
    }
    let wrong = serde_json::json!({ "format": 1, "colour": "blue" });
    assert!(schema.problem(&wrong).is_some(), "{name}");
}

#[test]
fn files_that_people_write_fit_their_schemas() {
    toml_fits("langdef", &toml_files("langdefs"));
    let is_model = |path: &Path| path.to_string_lossy().contains("viability-");
    let sets = toml_files("corpora").into_iter().filter(|path| !is_model(path));
    toml_fits("operators", &sets.filter(|path| !path.ends_with("wild-c.toml")).collect::<Vec<_>>());
    let targets = fs::read_dir(here().join("tests/targets")).unwrap();
    let configs = targets.map(|entry| entry.unwrap().path().join("wildcaught.toml"));
    toml_fits("config", &configs.filter(|path| path.exists()).collect::<Vec<_>>());
}

#[test]
fn schemas_are_listed_and_unknown_names_refused() {
    let list = printed(Path::new("."), "schema");
    for row in &SCHEMAS {
        assert!(list.contains(row.name) && list.contains(row.what), "{list}");
        let text = printed(Path::new("."), &format!("schema {}", row.name));
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{}", row.name);
    }
    let output = command(Path::new(".")).args(["schema", "tests"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("unknown document `tests`; known are test, localize, "), "{error}");
}
