//! `go test -json`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::go::GoWord;
use super::go::ended;
use super::go::panic_verdict;
use super::seen::Collected;

/// One line.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    #[serde(default)]
    action: String,
    #[serde(default)]
    package: String,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    output: String,
    elapsed: Option<f64>,
}

/// Reads the events of a run. A test is named `package.Test/sub`. Lines that are no events are passed over.
///
/// A test that prints without a line end hides its own end from older versions of Go, which then give no
/// verdict; it is read from the output.
pub fn go_json(bytes: &[u8]) -> Reading {
    let mut run = Run::default();
    for line in bytes.split(|byte| *byte == b'\n') {
        match serde_json::from_slice::<Event>(line) {
            Ok(event) => run.event(event),
            Err(_) => run.stray(&String::from_utf8_lossy(line)),
        }
    }
    run.end()
}

#[derive(Default)]
struct Run {
    collected: Collected,
    skipped: usize,
    broken: Option<String>,
    /// Tests that began and did not end, with what they said; and the order in which they began.
    open: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Run {
    fn event(&mut self, event: Event) {
        let Some(test) = &event.test else { return self.package(&event) };
        let name = format!("{}.{test}", event.package);
        match event.action.as_str() {
            "run" => {
                self.open.insert(name.clone(), String::new());
                self.order.push(name);
            }
            "output" => self.open.entry(name).or_default().push_str(&event.output),
            "pass" => self.ended(name, Verdict::Pass, event.elapsed),
            "fail" => self.ended(name, Verdict::Fail, event.elapsed),
            "skip" => {
                self.open.remove(&name);
                self.skipped += 1;
            }
            _ => {}
        }
    }

    /// What is printed of a package: with the package's end, its open tests have ended too.
    fn package(&mut self, event: &Event) {
        if event.action == "build-fail" || event.output.contains("[build failed]") {
            self.broken = Some(format!("{}: the build failed", event.package));
        }
        if !matches!(event.action.as_str(), "pass" | "fail") {
            return;
        }
        let prefix = format!("{}.", event.package);
        let names: Vec<&String> = self.order.iter().filter(|name| name.starts_with(&prefix)).collect();
        let open: Vec<String> =
            names.into_iter().filter(|name| self.open.contains_key(*name)).cloned().collect();
        for name in open {
            self.hidden_end(&name, &prefix);
        }
    }

    /// The end of a test that only its output tells; nothing if that does not either.
    fn hidden_end(&mut self, name: &str, prefix: &str) {
        // A test that was run twice is in the order twice, and may have ended already.
        let Some(said) = self.open.get(name) else { return };
        let word = said.lines().rev().find_map(ended);
        let panic = said.lines().find_map(panic_verdict);
        match (word, panic) {
            (_, Some(verdict)) => self.ended(name.to_owned(), verdict, None),
            (Some(GoWord::Ended(seen)), _) if format!("{prefix}{}", seen.name) == name => {
                self.ended(name.to_owned(), seen.verdict, seen.millis.map(|millis| millis / 1000.0));
            }
            (Some(GoWord::Skipped(_)), _) => {
                self.open.remove(name);
                self.skipped += 1;
            }
            _ => {}
        }
    }

    fn ended(&mut self, name: String, verdict: Verdict, seconds: Option<f64>) {
        let said = self.open.remove(&name).unwrap_or_default();
        let panic = said.lines().find_map(panic_verdict);
        let verdict = if verdict == Verdict::Pass { verdict } else { panic.unwrap_or(verdict) };
        let message = if verdict == Verdict::Pass { String::new() } else { without_marks(&said) };
        let millis = seconds.map(|seconds| seconds * 1000.0);
        self.collected.add(Seen { name, verdict, millis, message });
    }

    /// A line that is no event: older versions report builds that failed like this.
    fn stray(&mut self, line: &str) {
        if line.starts_with("FAIL\t") && line.contains("failed]") {
            self.broken = Some(line.replace('\t', " ").trim().to_owned());
        }
    }

    fn end(self) -> Reading {
        let unfinished = self.order.into_iter().rev().find(|name| self.open.contains_key(name));
        Reading { seen: self.collected.into_seen(), skipped: self.skipped, unfinished, broken: self.broken }
    }
}

/// What a test said, without the lines that only mark its beginning and its end.
fn without_marks(said: &str) -> String {
    let is_mark = |line: &&str| line.starts_with("=== ") || line.trim_start().starts_with("--- ");
    said.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read() {
        let reading = go_json(include_bytes!("samples/go.json"));
        let verdicts: Vec<(&str, Verdict)> = reading
            .seen
            .iter()
            .map(|seen| (seen.name.strip_prefix("example.com/g.").unwrap(), seen.verdict))
            .collect();
        assert_eq!(
            verdicts,
            [
                ("TestFail", Verdict::Fail),
                ("TestSub/a_b", Verdict::Pass),
                ("TestSub/c", Verdict::Fail),
                ("TestSub", Verdict::Fail),
                ("TestZPanic", Verdict::Pass),
                ("ExampleF", Verdict::Pass),
                ("TestPass", Verdict::Pass),
            ]
        );
        assert_eq!((reading.skipped, reading.unfinished), (1, None));
        assert_eq!(reading.seen[0].message, "a_test.go:4: bad 3");
        assert_eq!(reading.broken.as_deref(), Some("FAIL example.com/g/bad [build failed]"));
    }

    #[test]
    fn a_panic_is_a_crash() {
        let reading = go_json(include_bytes!("samples/go-panic.json"));
        assert_eq!(reading.verdict("example.com/g.TestZPanic"), Some(Verdict::Crash));
        assert_eq!(reading.verdict("example.com/g.TestPass"), Some(Verdict::Pass));
    }

    #[test]
    fn a_test_that_runs_twice_and_hides_its_end_is_read_once() {
        let run = r#"{"Action":"run","Package":"p","Test":"TestA"}"#;
        let said = r#"{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.01s)\n"}"#;
        let text = [run, run, said, r#"{"Action":"fail","Package":"p"}"#].join("\n");
        assert_eq!(go_json(text.as_bytes()).verdict("p.TestA"), Some(Verdict::Fail));
    }

    #[test]
    fn a_run_that_breaks_off_leaves_a_test_unfinished() {
        let text = br#"{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}"#;
        assert_eq!(go_json(text).unfinished.as_deref(), Some("p.TestA"));
    }
}
