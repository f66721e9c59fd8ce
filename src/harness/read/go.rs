//! `go test -v`, a Go test binary with `-test.v`, and `go test -list`.

use std::sync::LazyLock;

use regex::Regex;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::lines::millis;
use super::seen::Collected;

/// `    --- FAIL: TestSub/c (0.00s)`, which may stand behind what the test printed last.
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"--- (PASS|FAIL|SKIP): (\S+) \((\d+(?:\.\d+)?)s\)$").expect("it is correct")
});

/// Reads the text of a run. A test is named as `-run` takes it, with its subtests behind `/`.
pub fn go_verbose(bytes: &[u8]) -> Reading {
    let mut run = Run::default();
    for line in lines(bytes) {
        run.line(&line);
    }
    run.end()
}

/// Reads `go test -list .`: tests, examples and fuzz targets; benchmarks are left out.
pub fn go_list(bytes: &[u8]) -> Vec<String> {
    let is_test = |line: &&str| {
        ["Test", "Example", "Fuzz"].iter().any(|prefix| line.starts_with(prefix))
            && !line.contains(char::is_whitespace)
    };
    lines(bytes).iter().map(String::as_str).filter(is_test).map(str::to_owned).collect()
}

/// What a line says about the end of a test.
pub(super) enum GoWord {
    Ended(Seen),
    Skipped(String),
}

/// Reads the end of a test from a line.
pub(super) fn ended(line: &str) -> Option<GoWord> {
    let parts = ENDED.captures(line)?;
    let verdict = match &parts[1] {
        "PASS" => Verdict::Pass,
        "FAIL" => Verdict::Fail,
        _ => return Some(GoWord::Skipped(parts[2].to_owned())),
    };
    Some(GoWord::Ended(Seen { millis: millis(&parts[3]), ..Seen::new(&parts[2], verdict) }))
}

/// What a panic is to a verdict: Go ends the process with it.
pub(super) fn panic_verdict(line: &str) -> Option<Verdict> {
    if line.starts_with("panic: test timed out after") {
        return Some(Verdict::TimeOut);
    }
    let crash = ["panic: ", "fatal error: ", "SIGSEGV: ", "SIGABRT: ", "SIGQUIT: "];
    crash.iter().any(|word| line.starts_with(word)).then_some(Verdict::Crash)
}

#[derive(Default)]
struct Run {
    collected: Collected,
    skipped: Vec<String>,
    /// Tests that began and did not end.
    open: Vec<String>,
    /// The test of which is spoken, and what was said since.
    current: Option<String>,
    said: String,
    /// How the run as a whole ended, if badly.
    panic: Option<(Verdict, String)>,
}

impl Run {
    fn line(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("=== RUN   ") {
            self.open.push(name.to_owned());
            self.turn_to(name);
        } else if let Some(name) =
            ["=== CONT  ", "=== NAME  ", "=== PAUSE "].iter().find_map(|mark| line.strip_prefix(mark))
        {
            self.turn_to(name);
        } else if let Some(word) = ended(line) {
            self.end_test(word);
        } else if let Some(verdict) = panic_verdict(line).filter(|_| self.panic.is_none()) {
            self.panic = Some((verdict, line.to_owned()));
        } else {
            self.said.push_str(line);
            self.said.push('\n');
        }
    }

    fn turn_to(&mut self, name: &str) {
        self.current = Some(name.to_owned());
        self.said.clear();
    }

    fn end_test(&mut self, word: GoWord) {
        match word {
            GoWord::Skipped(name) => {
                self.open.retain(|open| *open != name);
                self.skipped.push(name);
            }
            GoWord::Ended(mut seen) => {
                self.open.retain(|open| *open != seen.name);
                if seen.verdict == Verdict::Fail && self.current.as_ref() == Some(&seen.name) {
                    seen.message = std::mem::take(&mut self.said).trim().to_owned();
                }
                self.collected.add(seen);
            }
        }
    }

    /// A panic mentions the test that is open, or of the last one.
    fn end(mut self) -> Reading {
        let victim = self.open.pop().or_else(|| self.current.take());
        let mut unfinished = victim.clone().filter(|name| !self.collected.has(name));
        unfinished = unfinished.filter(|name| !self.skipped.contains(name));
        let broken = self.panic.as_ref().map(|(_, line)| line.clone());
        if let (Some((verdict, line)), Some(name)) = (self.panic, victim) {
            self.collected.add(Seen { message: line, ..Seen::new(name, verdict) });
            unfinished = None;
        }
        Reading { seen: self.collected.into_seen(), skipped: self.skipped.len(), unfinished, broken }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(reading: &Reading) -> Vec<(&str, Verdict)> {
        reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect()
    }

    const RUN: &str = "=== RUN   TestPass
no newline--- PASS: TestPass (0.00s)
=== RUN   TestFail
    a_test.go:4: bad 3
--- FAIL: TestFail (0.01s)
=== RUN   TestSub
=== RUN   TestSub/a_b
=== RUN   TestSub/c
    a_test.go:5: c bad
--- FAIL: TestSub (0.00s)
    --- PASS: TestSub/a_b (0.00s)
    --- FAIL: TestSub/c (0.00s)
=== RUN   TestSkip
    a_test.go:6: later
--- SKIP: TestSkip (0.00s)
=== RUN   TestZPanic
";

    #[test]
    fn a_run_is_read() {
        let reading = go_verbose(format!("{RUN}--- PASS: TestZPanic (0.00s)\nFAIL\n").as_bytes());
        assert_eq!(
            brief(&reading),
            [
                ("TestPass", Verdict::Pass),
                ("TestFail", Verdict::Fail),
                ("TestSub", Verdict::Fail),
                ("TestSub/a_b", Verdict::Pass),
                ("TestSub/c", Verdict::Fail),
                ("TestZPanic", Verdict::Pass),
            ]
        );
        assert_eq!((reading.skipped, reading.unfinished, reading.broken), (1, None, None));
        assert_eq!(reading.seen[1].message, "a_test.go:4: bad 3");
        assert_eq!(reading.seen[1].millis, Some(10.0));
    }

    #[test]
    fn a_panic_is_a_crash_of_the_test() {
        let text = format!("{RUN}--- FAIL: TestZPanic (0.00s)\npanic: x [recovered]\n\tpanic: x\n");
        assert_eq!(go_verbose(text.as_bytes()).verdict("TestZPanic"), Some(Verdict::Crash));
        let text = format!("{RUN}panic: test timed out after 1s\nrunning tests:\n");
        assert_eq!(go_verbose(text.as_bytes()).verdict("TestZPanic"), Some(Verdict::TimeOut));
        assert_eq!(go_verbose(RUN.as_bytes()).unfinished.as_deref(), Some("TestZPanic"));
    }

    #[test]
    fn a_list_is_read() {
        let text = b"TestPass\nBenchmarkX\nExampleF\nok  \texample.com/g\t0.002s\nFAIL\n";
        assert_eq!(go_list(text), ["TestPass", "ExampleF"]);
    }
}
