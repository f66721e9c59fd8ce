//! What `ctest` prints when it runs tests.

use std::sync::LazyLock;

use regex::Match;
use regex::Regex;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::lines::millis;
use super::seen::Collected;

/// `3/9 Test #3: crash ......Subprocess aborted***Exception:   0.00 sec`
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    let (name, status, time) = (r"(.+?) \.{2,}", r"(Passed|[^*]*\*\*\*.*?)", r"(?:\s+(\d+\.\d+) sec.*)?");
    Regex::new(&format!(r"^\s*\d+/\d+ +(?:Test|MemCheck) +#\d+: {name}\s*{status}{time}$"))
        .expect("it is correct")
});
/// `    Start 3: crash`
static BEGUN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s+Start +\d+: (.+)$").expect("it is correct"));

/// Reads the lines of a run. Tests that were disabled or skipped themselves are counted; a test whose program
/// is not there failed.
pub fn ctest(bytes: &[u8]) -> Reading {
    let (mut collected, mut skipped, mut open) = (Collected::default(), 0, Vec::new());
    for line in lines(bytes) {
        if let Some(begun) = BEGUN.captures(&line) {
            open.push(begun[1].to_owned());
        } else if let Some(parts) = ENDED.captures(&line) {
            open.retain(|name| *name != parts[1]);
            match verdict(&parts[2]) {
                Some(verdict) => collected.add(seen(&parts[1], verdict, &parts[2], parts.get(3))),
                None => skipped += 1,
            }
        }
    }
    Reading { seen: collected.into_seen(), skipped, unfinished: open.pop(), broken: None }
}

/// What stands before the time; none if the test was not run on purpose.
fn verdict(status: &str) -> Option<Verdict> {
    let status = status.trim_start_matches(' ');
    match status {
        "Passed" => Some(Verdict::Pass),
        _ if status.contains("Skipped") || status.contains("(Disabled)") => None,
        _ if status.contains("***Timeout") => Some(Verdict::TimeOut),
        _ if status.contains("***Exception") => Some(Verdict::Crash),
        _ => Some(Verdict::Fail),
    }
}

fn seen(name: &str, verdict: Verdict, status: &str, time: Option<Match>) -> Seen {
    let told = if verdict == Verdict::Pass { "" } else { status };
    let message = told.replace("***", " ").trim_matches([' ', ':']).to_owned();
    Seen { name: name.to_owned(), verdict, millis: time.and_then(|time| millis(time.as_str())), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read() {
        let reading = ctest(include_bytes!("samples/ctest.txt"));
        let verdicts: Vec<(&str, Verdict, &str)> = reading
            .seen
            .iter()
            .map(|seen| (seen.name.as_str(), seen.verdict, seen.message.as_str()))
            .collect();
        assert_eq!(
            verdicts,
            [
                ("good", Verdict::Pass, ""),
                ("with", Verdict::Fail, "Not Run"),
                ("crash", Verdict::Crash, "Subprocess aborted Exception"),
                ("slow", Verdict::TimeOut, "Timeout"),
                ("wf", Verdict::Pass, ""),
                ("missing", Verdict::Fail, "Not Run"),
                ("re", Verdict::Pass, ""),
            ]
        );
        assert_eq!((reading.skipped, reading.unfinished), (2, None));
        assert!(reading.seen[3].millis >= Some(1000.0));
    }

    #[test]
    fn names_with_spaces_dots_and_failures_are_read() {
        let text =
            b"    Start  1: a b.c\n 1/10 Test  #1: a b.c ......***Failed    0.25 sec\n    Start  2: z\n";
        let reading = ctest(text);
        assert_eq!(reading.seen[0].name, "a b.c");
        assert_eq!(reading.seen[0].verdict, Verdict::Fail);
        assert_eq!(reading.unfinished.as_deref(), Some("z"));
        let required = b"1/1 Test #1: re ....***Failed  Required regular expression not found. Regex=[hello 7\n]  0.00 sec\n";
        assert_eq!(ctest(required).verdict("re"), Some(Verdict::Fail));
    }
}
