//! `pytest -v`, the summary of `pytest -rA`, and `pytest --collect-only -q`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::seen::Collected;

/// `tests/test_a.py::test_param[a b] PASSED       [ 27%]`
static VERBOSE: LazyLock<Regex> = LazyLock::new(|| {
    let end = r"(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*)?(?:\s+\[ *\d+%\])?\s*$";
    Regex::new(&format!(r"^(?P<name>\S.*?::.+?) {end}")).expect("it is correct")
});
/// `[gw0] [ 27%] PASSED tests/test_a.py::test_pass`, from pytest-xdist.
static WORKER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\[gw\d+\] \[ *\d+%\] ([A-Z]+) (.+?)\s*$").expect("it is correct"));
/// `FAILED tests/test_a.py::test_fail - AssertionError: no`
static SUMMARY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S.*)$").expect("it is correct"));
/// `SKIPPED [1] tests/test_a.py:6: later`
static SKIPPED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^SKIPPED \[(\d+)\] ").expect("it is correct"));
/// `tests/test_c.py::test_seg Fatal Python error: Aborted`
static BEGUN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^([^\s:=][^:]*\.py::.+?) *(?:Fatal Python error: .*)?$").expect("it is correct")
});

/// Reads a run: lines of `-v`, and of the summary that `-r` asks for, either or both. A test is named by its
/// node id. Expected failures count as skipped; a file that cannot be collected breaks the run.
pub fn pytest(bytes: &[u8]) -> Reading {
    let mut run = Run::default();
    for line in lines(bytes) {
        run.line(&line);
    }
    run.end()
}

/// Reads `--collect-only -q`: the node ids.
pub fn pytest_list(bytes: &[u8]) -> Vec<String> {
    let lines = lines(bytes);
    let listed = lines.iter().take_while(|line| !line.starts_with("=====") && !line.is_empty());
    listed.filter(|line| line.contains("::") && !line.starts_with(' ')).cloned().collect()
}

#[derive(Default)]
struct Run {
    collected: Collected,
    /// Skipped tests: by name, where `-v` shows them, and their number from the summary.
    skipped: BTreeSet<String>,
    skipped_in_summary: usize,
    /// Tests that failed as expected.
    expected: BTreeSet<String>,
    /// The last node id that stood without a verdict.
    begun: Option<String>,
    broken: Option<String>,
}

impl Run {
    fn line(&mut self, line: &str) {
        if let Some(parts) = WORKER.captures(line) {
            self.told(&parts[1], &parts[2], "");
        } else if let Some(parts) = SUMMARY.captures(line) {
            let (name, message) = split(&parts[2]);
            self.told(&parts[1], name, message);
        } else if let Some(parts) = SKIPPED.captures(line) {
            self.skipped_in_summary += parts[1].parse().unwrap_or(1);
        } else if let Some(parts) = VERBOSE.captures(line) {
            self.told(&parts[2], &parts["name"], "");
        } else if let Some(parts) = BEGUN.captures(line) {
            self.begun = Some(parts[1].to_owned());
        }
    }

    fn told(&mut self, word: &str, name: &str, message: &str) {
        let verdict = match word {
            "PASSED" | "XPASS" => Verdict::Pass,
            _ if message.starts_with("Failed: Timeout") => Verdict::TimeOut,
            "FAILED" | "ERROR" => Verdict::Fail,
            _ => return self.not_run(word, name),
        };
        if !name.contains("::") {
            // A word of the summary mentions a file, or a test printed something like it.
            if word == "ERROR" {
                self.broken =
                    Some(format!("cannot collect {name}: {message}").trim_end_matches([':', ' ']).into());
            }
            return;
        }
        let message = if verdict == Verdict::Pass { "" } else { message };
        self.collected.add(Seen { message: message.to_owned(), ..Seen::new(name, verdict) });
    }

    fn not_run(&mut self, word: &str, name: &str) {
        let names = if word == "XFAIL" { &mut self.expected } else { &mut self.skipped };
        names.insert(name.to_owned());
    }

    fn end(self) -> Reading {
        let skipped = self.skipped.len().max(self.skipped_in_summary) + self.expected.len();
        let known = |name: &String| {
            self.collected.has(name) || self.skipped.contains(name) || self.expected.contains(name)
        };
        let unfinished = self.begun.clone().filter(|name| !known(name));
        Reading { seen: self.collected.into_seen(), skipped, unfinished, broken: self.broken }
    }
}

/// The node id and the message: the first ` - ` outside of a parameter's brackets parts them.
fn split(text: &str) -> (&str, &str) {
    let mut ends = text.match_indices(" - ").map(|(place, _)| place);
    let closed = |place: &usize| {
        let id = &text[..*place];
        !id.contains('[') || id.ends_with(']')
    };
    ends.find(closed).map_or((text.trim_end(), ""), |place| (&text[..place], text[place + 3..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reading: &Reading) {
        let verdict = |name: &str| reading.verdict(&format!("tests/test_a.py::{name}")).unwrap();
        assert_eq!(reading.seen.len(), 9, "{reading:?}");
        for name in ["test_pass", "test_param[a b]", "test_param[c/d::e]", "test_xp", "TestC::test_m"] {
            assert_eq!(verdict(name), Verdict::Pass, "{name}");
        }
        for name in ["test_fail", "test_param[x - y]", "test_err", "test_td"] {
            assert_eq!(verdict(name), Verdict::Fail, "{name}");
        }
        let fail = reading.seen.iter().find(|seen| seen.name.ends_with("test_fail")).unwrap();
        assert_eq!(fail.message, "AssertionError: no - dash");
        assert_eq!((&reading.unfinished, &reading.broken), (&None, &None));
    }

    #[test]
    fn a_verbose_run_is_read() {
        let reading = pytest(include_bytes!("samples/pytest-v.txt"));
        check(&reading);
        assert_eq!(reading.skipped, 2);
    }

    #[test]
    fn a_summary_is_read() {
        let reading = pytest(include_bytes!("samples/pytest-rA.txt"));
        check(&reading);
        assert_eq!(reading.skipped, 2);
    }

    #[test]
    fn a_crash_leaves_a_test_unfinished() {
        let text = b"t.py::test_a PASSED [ 50%]\ntests/test_c.py::test_seg Fatal Python error: Aborted\n\nCurrent thread\n";
        let reading = pytest(text);
        assert_eq!(reading.unfinished.as_deref(), Some("tests/test_c.py::test_seg"));
    }

    #[test]
    fn a_file_that_cannot_be_collected_breaks_the_run() {
        let reading = pytest(b"=== short test summary info ===\nERROR tests/test_b.py\n!!! Interrupted\n");
        assert_eq!(reading.broken.as_deref(), Some("cannot collect tests/test_b.py"));
        assert!(reading.seen.is_empty());
    }

    #[test]
    fn workers_are_read() {
        let reading = pytest(b"[gw0] [ 50%] PASSED t.py::a \n[gw1] [100%] FAILED t.py::b[x y] \n");
        assert_eq!(reading.verdict("t.py::b[x y]"), Some(Verdict::Fail));
    }

    #[test]
    fn a_list_is_read() {
        let text = b"tests/test_a.py::test_pass\ntests/test_a.py::test_param[a b]\n\n=== ERRORS ===\na::b\n";
        assert_eq!(pytest_list(text), ["tests/test_a.py::test_pass", "tests/test_a.py::test_param[a b]"]);
    }
}
