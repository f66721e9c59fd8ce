//! The log of Rust's own test harness (`--logfile`): a line per test, which no test can write by printing.

use std::collections::BTreeSet;

use crate::exec::Verdict;

use super::libtest::libtest;
use super::lines::lines;
use super::seen::Reading;
use super::seen::Seen;

/// Reads a log together with what was printed: a test passed if the log says so. Messages, failures and the test that
/// had begun last are taken from what was printed.
pub fn libtest_log(log: &[u8], printed: Reading) -> Reading {
    let text = libtest(log);
    if !text.seen.is_empty() || text.skipped > 0 {
        // The crate libtest-mimic prints into the log what would be printed elsewhere.
        return text;
    }
    let lines = lines(log);
    let passed: BTreeSet<&str> = lines.iter().filter_map(|line| line.strip_prefix("ok ")).collect();
    let known: BTreeSet<String> = printed.seen.iter().map(|seen| seen.name.clone()).collect();
    let believed = |seen: &Seen| seen.verdict.is_kill() || passed.contains(seen.name.as_str());
    let mut seen: Vec<Seen> = printed.seen.into_iter().filter(believed).collect();
    let unknown = passed.iter().filter(|name| !known.contains(**name));
    seen.extend(unknown.map(|name| Seen::new(*name, Verdict::Pass)));
    for name in lines.iter().filter_map(|line| line.strip_prefix("failed ")) {
        match seen.iter_mut().find(|seen| seen.name == name) {
            Some(seen) => seen.verdict = seen.verdict.max(Verdict::Fail),
            None => seen.push(Seen::new(name, Verdict::Fail)),
        }
    }
    Reading {
        seen,
        skipped: lines.iter().filter(|line| line.starts_with("ignored")).count(),
        unfinished: printed.unfinished.filter(|name| !passed.contains(name.as_str())),
        broken: printed.broken,
    }
}

/// How many tests have a line in a log.
pub fn libtest_log_lines(log: &[u8]) -> usize {
    let text = libtest(log);
    let words = ["ok ", "failed", "ignored"];
    let is_line = |line: &&String| words.iter().any(|word| line.starts_with(word));
    let own = lines(log).iter().filter(is_line).count();
    own.max(text.seen.len() + text.skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_a_test_printed_is_not_believed() {
        let printed = libtest(b"test a ... test b ... ok\nok\ntest b ... FAILED\ntest c ... ok\n");
        let reading = libtest_log(b"ok a\nfailed b\nignored d\n", printed);
        let verdict = |name: &str| reading.verdict(name);
        assert_eq!((verdict("a"), verdict("b")), (Some(Verdict::Pass), Some(Verdict::Fail)));
        assert_eq!((verdict("c"), reading.skipped), (None, 1));
    }

    #[test]
    fn a_log_counts_its_tests() {
        assert_eq!(libtest_log_lines(b"ok a\nfailed: no b\nignored: later c\n"), 3);
        assert_eq!(libtest_log_lines(b"running 1 test\ntest a ... ok\n"), 1);
        assert_eq!(libtest_log_lines(b""), 0);
    }
}
