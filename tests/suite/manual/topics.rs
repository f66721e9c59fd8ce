//! `wildcaught help TOPIC` prints the pages of the manual.

use std::path::Path;

use super::pages::files_of_docs;
use crate::cli::command;

/// Pages that are not in the program: lists for the book, tables of operators, and help that clap prints.
fn is_left_out(name: &str) -> bool {
    let left = ["docs/SUMMARY.md", "docs/contributing.md", "docs/evaluation/sets.md"];
    left.contains(&name) || name.starts_with("docs/commands/")
}

fn help(topic: &str) -> (Option<i32>, String, String) {
    let output = command(Path::new(".")).args(["help", topic]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_page_is_a_topic() {
    let known: Vec<&str> = wildcaught::cli::topics().collect();
    let (_, listed, _) = help("topics");
    for name in files_of_docs().iter().filter(|name| !is_left_out(name)) {
        let topic = name.trim_start_matches("docs/").trim_end_matches(".md");
        let topic = match topic {
            "README" => "manual",
            "evaluation/README" => "evaluation",
            other => other,
        };
        assert!(known.contains(&topic), "{name} is no topic; add a row to src/cli/help/pages.rs");
        assert!(listed.contains(&format!("  {topic} ")), "{topic} is not listed: {listed}");
    }
}

#[test]
fn a_topic_prints_its_page_and_a_command_its_help() {
    let (code, page, _) = help("exit-codes");
    assert_eq!(code, Some(0));
    assert!(page.starts_with("# Exit codes\n") && page.contains("\n130   stopped by Ctrl-C"), "{page}");
    let (code, page, _) = help("manual");
    assert_eq!(code, Some(0));
    assert!(
        page.lines().any(|line| line.starts_with("test a project  ") && line.ends_with("  start")),
        "{page}"
    );
    let (code, test, _) = help("test");
    assert_eq!(code, Some(0));
    assert!(test.contains("Usage: wildcaught test"), "{test}");
    let (code, own, _) = help("help");
    assert_eq!(code, Some(0), "{own}");
}

#[test]
fn an_unknown_topic_is_an_error_that_names_those_like_it() {
    let (code, out, error) = help("operatr");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(error.contains("no topic or command is called `operatr`. Near it: `operators`"), "{error}");
    assert!(error.contains("`wildcaught help topics`"), "{error}");
}
