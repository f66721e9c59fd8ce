//! Pages for browsers that commands write beside their text.

use std::fs;
use std::path::Path;

use crate::cli::command;
use crate::tame::toy_directory;
use crate::targets::Project;
use crate::tools;

/// Runs a command that writes `page.html`, and gives the page.
#[track_caller]
fn page(directory: &Path, arguments: &[&str]) -> String {
    let done = command(directory).args(arguments).args(["--html", "page.html"]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    fs::read_to_string(directory.join("page.html")).unwrap()
}

#[track_caller]
fn has(page: &str, wanted: &[&str]) {
    wanted.iter().for_each(|wanted| assert!(page.contains(wanted), "{wanted}"));
    assert!(
        !page.contains("http://") || page.contains("http://www.w3.org/2000/svg"),
        "nothing from elsewhere"
    );
    assert!(page.contains("<header class=\"parts\"><b>wildcaught</b>") && !page.contains("<script"));
}

#[test]
fn a_set_is_shown_with_its_funnel_and_its_operators_in_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().unwrap();
    let set = root.join("corpora/wild-c.toml");
    let page = page(directory.path(), &["ops", "show", set.to_str().unwrap(), "--top", "5"]);
    has(
        &page,
        &["Funnel, backward", "<svg", "Shows the first 5 of ", "does      ", "example   ", ">Figures</a>"],
    );
    assert_eq!(page.matches("<details>").count(), 5);
}

#[test]
fn an_order_is_shown_with_rings_and_the_bugs_that_are_seen() {
    let directory = toy_directory();
    let page = page(directory.path(), &["tame", "--matrix", "m.json", "--truth", "bugs.json"]);
    has(&page, &["Bugs seen", "Order", "Rings", "distances from T1", "Cannot be told apart", "(new)"]);
    assert_eq!(page.matches("<svg").count(), 2);
}

#[test]
fn patches_are_shown_as_diffs() {
    if !tools::are_here(&["pytest"]) {
        return;
    }
    let project = Project::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/repair"));
    let page = page(&project.root(), &["repair", "--quiet", "--jobs", "1"]);
    has(
        &page,
        &[
            "1. middle.py:7: replaces y with x",
            "<span class=\"new\">+            m = x</span>",
            "Failing tests",
        ],
    );
}
