//! `cargo nextest run` as people see it, and `cargo nextest list --message-format oneline`.

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::lines::millis;
use super::seen::Collected;

/// Reads the lines `PASS [   0.108s] (1/6) crate tests::name`. A name is the binary's id, a space, and the
/// test's name, as nextest itself writes it. Of several tries the last one counts.
pub fn nextest(bytes: &[u8]) -> Reading {
    let (mut collected, mut skipped) = (Collected::default(), 0);
    for line in lines(bytes) {
        if let Some(count) = skipped_tests(&line) {
            skipped = count;
        } else if let Some(seen) = told(&line) {
            collected.replace(seen);
        }
    }
    Reading { seen: collected.into_seen(), skipped, ..Reading::default() }
}

/// Reads a list: `crate tests::name`.
pub fn nextest_list(bytes: &[u8]) -> Vec<String> {
    let is_test = |line: &String| {
        line.split_once(' ').is_some_and(|(binary, test)| !binary.is_empty() && !test.trim().is_empty())
    };
    lines(bytes).into_iter().filter(|line| !line.starts_with(' ')).filter(is_test).collect()
}

fn told(line: &str) -> Option<Seen> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let (time, rest) = rest.split_once(']')?;
    let time = time.trim().trim_start_matches('>');
    let mut seen = Seen::new(name(rest.trim_start())?, verdict(status)?);
    seen.millis = Some(millis(time)?);
    Some(seen)
}

/// The name, without the `(1/6)` that newer versions put before it.
fn name(rest: &str) -> Option<String> {
    let counted = rest.strip_prefix('(').and_then(|rest| rest.split_once(") "));
    let counted = counted.filter(|(count, _)| count.chars().all(|c| c.is_ascii_digit() || "/ ─".contains(c)));
    let name = counted.map_or(rest, |(_, name)| name.trim_start());
    name.contains(' ').then(|| name.to_owned())
}

/// What the first word means: `SLOW` means nothing, and `TRY 2 FAIL` is a `FAIL`.
fn verdict(status: &str) -> Option<Verdict> {
    let status = status.trim();
    let tried = status.strip_prefix("TRY ").and_then(|rest| rest.split_once(' '));
    match tried.map_or(status, |(_, word)| word) {
        "PASS" | "LEAK" => Some(Verdict::Pass),
        "FAIL" | "LEAK-FAIL" | "FAIL + LEAK" | "XFAIL" => Some(Verdict::Fail),
        "TIMEOUT" | "TMT" => Some(Verdict::TimeOut),
        "ABORT" => Some(Verdict::Crash),
        word if word.starts_with("SIG") => Some(Verdict::Crash),
        word if word.starts_with("FLAKY") => Some(Verdict::Pass),
        _ => None,
    }
}

/// The number in `6 tests run: 3 passed, 3 failed, 2 skipped`.
fn skipped_tests(line: &str) -> Option<usize> {
    let (_, counts) = line.split_once(" tests run: ").or_else(|| line.split_once(" test run: "))?;
    let skipped = counts.split(", ").find_map(|count| count.strip_suffix(" skipped"));
    Some(skipped.and_then(|count| count.trim().parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "
    Starting 6 tests across 3 binaries (2 tests skipped)
        PASS [   0.108s] (1/6) t tests::panics
        FAIL [   0.109s] (2/6) t tests::fails
  stdout ───

    running 1 test
    test tests::fails ... FAILED

     SIGABRT [   0.005s] (4/6) t tests::zaborts
        SLOW [> 60.000s] t tests::slow
     TIMEOUT [  60.001s] t tests::slow
  TRY 1 FAIL [   0.004s] t::it flaky
  TRY 2 PASS [   0.004s] t::it flaky
  TRY 1 FAIL [   0.004s] t::it never
  TRY 2 FAIL [   0.004s] t::it never
        PASS [   0.005s] (5/6) t::it it
────────────
     Summary [   0.196s] 6 tests run: 3 passed, 3 failed, 2 skipped
        FAIL [   0.104s] (2/6) t tests::fails
     SIGABRT [   0.005s] (4/6) t tests::zaborts
error: test run failed
";

    #[test]
    fn a_run_is_read_once_though_the_summary_repeats_it() {
        let reading = nextest(RUN.as_bytes());
        let brief: Vec<(&str, Verdict)> =
            reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect();
        assert_eq!(
            brief,
            [
                ("t tests::panics", Verdict::Pass),
                ("t tests::fails", Verdict::Fail),
                ("t tests::zaborts", Verdict::Crash),
                ("t tests::slow", Verdict::TimeOut),
                ("t::it flaky", Verdict::Pass),
                ("t::it never", Verdict::Fail),
                ("t::it it", Verdict::Pass),
            ]
        );
        assert_eq!(reading.skipped, 2);
        assert_eq!(reading.seen[0].millis, Some(108.0));
    }

    #[test]
    fn a_list_is_read() {
        assert_eq!(nextest_list(b"t tests::fails\nt::it it\n\n"), ["t tests::fails", "t::it it"]);
    }
}
