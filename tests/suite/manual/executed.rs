//! Blocks marked `console run` are executed, and print what they show.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use walkdir::WalkDir;

use super::pages::Block;
use super::pages::Page;
use super::pages::pages;
use super::pages::root;
use crate::tools;

/// Says in the output that a command begins, or how it ended.
const MARK: &str = "@@@ ";
/// Variables that change what is tested.
const OF_CI: [&str; 5] = ["CI", "GITHUB_ACTIONS", "GITHUB_BASE_REF", "TF_BUILD", "JENKINS_URL"];

/// A command of a block and what it should print.
struct Step {
    line: usize,
    command: String,
    wanted: Vec<String>,
}

/// The commands of a block. Lines with `> ` go on with the command before.
fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (line, text) in (block.line..).zip(&block.lines) {
        if let Some(command) = text.strip_prefix("$ ") {
            steps.push(Step { line, command: command.to_owned(), wanted: Vec::new() });
            continue;
        }
        let step = steps.last_mut().unwrap_or_else(|| panic!("line {line}: output before a command"));
        if let Some(more) = text.strip_prefix("> ").filter(|_| step.wanted.is_empty()) {
            step.command += &format!("\n{more}");
        } else {
            step.wanted.push(text.trim_end().to_owned());
        }
    }
    steps
}

/// A script that runs the steps one after the other and marks where each begins.
fn script(blocks: &[Vec<Step>], home: &Path) -> String {
    let mut text = String::from("exec 2>&1 </dev/null\n");
    for steps in blocks {
        let first = steps[0].command.split(' ').next().unwrap();
        if ["cp", "cd", "mkdir"].contains(&first) {
            text += &format!("cd '{}'\n", home.display());
        }
        for step in steps {
            text += &format!("echo '{MARK}'\n{}\necho \"{MARK}$?\"\n", step.command);
        }
    }
    text
}

/// What pages use: small projects and files of the repository, and the sets that are short.
fn tree() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    for directory in ["tests/targets", "tests/localize", "examples", "corpora"] {
        for entry in WalkDir::new(root().join(directory)).into_iter().map(Result::unwrap) {
            let name = entry.path().strip_prefix(root()).unwrap();
            let to = home.path().join("tree").join(name);
            let is_long = name.starts_with("corpora") && !name.to_string_lossy().contains("classic");
            if entry.file_type().is_dir() {
                fs::create_dir_all(to).unwrap();
            } else if !is_long {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    fs::create_dir(home.path().join("tmp")).unwrap();
    home
}

/// Whether a printed line is the wanted one, where `[..]` is any text.
fn fits(wanted: &str, printed: &str) -> bool {
    let mut pieces = wanted.split("[..]");
    let Some(mut rest) = printed.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for piece in pieces {
        let Some(place) = rest.find(piece) else { return false };
        rest = &rest[place + piece.len()..];
        last = Some(piece);
    }
    rest.is_empty() || last == Some("")
}

/// Every wanted line is printed, in this order.
fn check(page: &str, step: &Step, printed: &[&str], code: &str) {
    let all = || printed.join("\n");
    let place = format!("{page}:{}: $ {}", step.line, step.command);
    assert!(!["1", "70", "101", "126", "127"].contains(&code), "{place}\nends with {code}:\n{}", all());
    let mut open = printed.iter();
    for wanted in step.wanted.iter().filter(|line| *line != "...") {
        assert!(
            open.any(|line| fits(wanted, line.trim_end())),
            "{place}\ndoes not print, or not in this place:\n{wanted}\nbut:\n{}",
            all()
        );
    }
}

/// Executes the blocks of a page.
#[track_caller]
fn runs(topic: &str, needed: &[&str]) {
    if !tools::are_here(needed) {
        return;
    }
    let page = Page::read(&format!("docs/{topic}.md"));
    let blocks: Vec<Vec<Step>> = executed(&page).iter().map(steps).collect();
    let home = tree();
    let root = home.path().join("tree");
    let programs = Path::new(env!("CARGO_BIN_EXE_wildcaught")).parent().unwrap().display().to_string();
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(script(&blocks, &root)).current_dir(&root);
    bash.env("PATH", format!("{programs}:{}", std::env::var("PATH").unwrap()));
    bash.env("TMPDIR", home.path().join("tmp")).env("LC_ALL", "C.UTF-8").env_remove("CARGO_TARGET_DIR");
    OF_CI.iter().for_each(|name| {
        bash.env_remove(name);
    });
    let output = bash.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut pieces = text.split(MARK).skip(1);
    for step in blocks.iter().flatten() {
        let printed: Vec<&str> = pieces.next().unwrap_or_default().lines().skip(1).collect();
        let code = pieces.next().unwrap_or_default().lines().next().unwrap_or_default();
        check(&page.name, step, &printed, code);
    }
}

fn executed(page: &Page) -> Vec<Block> {
    page.blocks().into_iter().filter(|block| block.info == "console run").collect()
}

macro_rules! pages_that_run {
    ($($name:ident: $topic:literal, $needed:expr;)*) => {
        $(#[test]
        fn $name() {
            runs($topic, &$needed);
        })*

        #[test]
        fn every_page_with_such_blocks_is_executed() {
            for page in pages().iter().filter(|page| !executed(page).is_empty()) {
                let known = [$($topic),*].map(|topic| format!("docs/{topic}.md"));
                assert!(known.contains(&page.name), "{} is in no test of executed.rs", page.name);
            }
        }
    };
}

pages_that_run! {
    commands_of_test_a_project_run: "start", ["cc"];
    commands_of_in_ci_run: "ci", ["cc", "git"];
    commands_of_find_a_fault_run: "faults", ["cc"];
    commands_of_tame_a_fuzzer_run: "fuzzing", ["cc"];
    commands_of_repair_a_fault_run: "patches", ["pytest"];
    commands_of_isolate_a_compiler_bug_run: "compilers", ["cc", "make"];
    commands_of_mine_your_own_operators_run: "mining", [];
    commands_of_operator_sets_run: "operators", [];
    commands_of_languages_run: "languages", [];
    commands_of_which_mutants_are_made_run: "choosing", [];
}

#[test]
fn a_line_may_leave_text_open() {
    assert!(fits("score [..] %", "score 96.3 %") && fits("a[..]", "abc") && fits("a[..]", "a"));
    assert!(!fits("score [..] %", "score 96.3 % of") && !fits("a", "ab") && !fits("a[..]c", "ab"));
}
