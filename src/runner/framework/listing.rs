//! Test programs of C++ that can say which tests they hold: GoogleTest, Catch2, doctest.
//!
//! In: a program. Out: its tests, each with the arguments that run it alone. What framework a program was linked with is
//! seen from words in it.

use std::fs;
use std::path::Path;

use crate::exec::Spec;

use super::super::request::RunError;
use super::setup::TestSetup;

/// A process per test: with more of them than this, the program is one test.
const MOST: usize = 3000;

/// A framework whose programs list their tests.
struct Lister {
    /// Words of which one is in every program of it.
    marks: &'static [&'static str],
    list: &'static [&'static str],
    read: fn(&str) -> Vec<String>,
    /// The argument that runs one test.
    choose: fn(&str) -> String,
}

const LISTERS: [Lister; 4] = [
    Lister {
        marks: &["gtest_list_tests", "InitGoogleTest", "libgtest"],
        list: &["--gtest_list_tests"],
        read: googletest,
        choose: |name| format!("--gtest_filter={name}"),
    },
    Lister {
        marks: &["doctest_version", "[doctest] "],
        list: &["-ltc", "-nv", "-nc"],
        read: doctest,
        choose: doctest_choice,
    },
    Lister {
        marks: &["Catch2 v"],
        list: &["--list-tests", "--verbosity", "quiet"],
        read: names,
        choose: catch_choice,
    },
    Lister { marks: &["Catch v2"], list: &["--list-test-names-only"], read: names, choose: catch_choice },
];

/// The tests in a program, each with its argument; none if it cannot say.
pub(super) fn tests_in(
    program: &str,
    directory: &Path,
    setup: &TestSetup,
) -> Result<Vec<(String, String)>, RunError> {
    let Ok(bytes) = fs::read(program) else { return Ok(vec![]) };
    let holds = |mark: &&str| memchr::memmem::find(&bytes, mark.as_bytes()).is_some();
    let Some(lister) = LISTERS.iter().find(|lister| lister.marks.iter().any(&holds)) else {
        return Ok(vec![]);
    };
    let listed = setup.ask(Spec::program(program, directory).args(lister.list))?;
    let tests = (lister.read)(&String::from_utf8_lossy(&listed));
    if tests.len() > MOST {
        return Ok(vec![]);
    }
    Ok(tests.into_iter().map(|test| (test.clone(), (lister.choose)(&test))).collect())
}

/// `Suite.` and its cases, indented; what is behind `#` is said about them.
fn googletest(listed: &str) -> Vec<String> {
    let (mut suite, mut tests) = (String::new(), Vec::new());
    for line in listed.lines() {
        let name = line.split("  #").next().unwrap_or(line).trim_end();
        match name.strip_prefix("  ") {
            Some(case) if !suite.is_empty() => tests.push(format!("{suite}{}", case.trim())),
            _ if name.ends_with('.') && !name.contains(' ') => suite = name.to_owned(),
            _ => {}
        }
    }
    tests.retain(|test| !test.contains("DISABLED_"));
    tests
}

/// Names between two lines of equals signs.
fn doctest(listed: &str) -> Vec<String> {
    let lines = listed.lines().skip_while(|line| !line.starts_with("====")).skip(1);
    once(lines.take_while(|line| !line.starts_with("====")).map(str::to_owned))
}

/// A name in each line.
fn names(listed: &str) -> Vec<String> {
    once(listed.lines().map(|line| line.trim().to_owned()))
}

/// Names that stand for one test; those that share theirs, or begin like a flag, cannot be chosen.
fn once(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in all.filter(|name| !name.is_empty() && !name.starts_with('-')) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn doctest_choice(name: &str) -> String {
    format!("-tc={}", name.replace('\\', "\\\\").replace(',', "\\,"))
}

fn catch_choice(name: &str) -> String {
    let mut argument = String::new();
    for c in name.chars() {
        if matches!(c, ',' | '[' | ']' | '*' | '\\' | '"' | '~') {
            argument.push('\\');
        }
        argument.push(c);
    }
    argument
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let listed = "Running main() from gtest_main.cc\nStack.\n  Push\n  DISABLED_Pop\nNumbers/Sum.\n  All/0  # GetParam() = 1\n";
        assert_eq!(googletest(listed), ["Stack.Push", "Numbers/Sum.All/0"]);
        let listed =
            "[doctest] listing all test case names\n====\none, two\n  three\n====\n[doctest] unskipped: 2\n";
        assert_eq!(doctest(listed), ["one, two", "  three"]);
        assert_eq!(names("Basic options\n\nBasic options\nNo [tag]\n"), ["Basic options", "No [tag]"]);
    }

    #[test]
    fn a_test_is_chosen_by_its_whole_name() {
        assert_eq!(doctest_choice("one, two"), "-tc=one\\, two");
        assert_eq!(catch_choice("No [tag]"), "No \\[tag\\]");
    }
}
