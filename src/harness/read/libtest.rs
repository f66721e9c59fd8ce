//! Rust's own test harness: what it prints when it runs and when it lists.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::exec::Verdict;

use super::Reading;
use super::Seen;
use super::lines::lines;
use super::lines::millis;
use super::seen::Collected;

/// What may stand behind the dots, longest first.
const WORDS: [(&str, Word); 4] = [
    ("ok", Word::Ended(Verdict::Pass)),
    ("FAILED", Word::Ended(Verdict::Fail)),
    ("ignored", Word::Ignored),
    ("bench:", Word::Ignored),
];

#[derive(Clone, Copy)]
enum Word {
    Ended(Verdict),
    Ignored,
}

/// A message without the numbers of threads that panicked, which are others in every run.
fn without_threads(text: &str) -> Cow<'_, str> {
    static PANICKED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r" \([0-9]+\) panicked at ").expect("the expression is a constant"));
    PANICKED.replace_all(text, " panicked at ")
}

/// What a program printed, without the numbers of threads that panicked and of columns where they did: guards that mutants
/// stand behind share lines with the code behind them.
pub fn without_panic_numbers(text: &str) -> Cow<'_, str> {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)(?: \([0-9]+\))? panicked at (.+:[0-9]+):[0-9]+:$")
            .expect("the expression is a constant")
    });
    PLACE.replace_all(text, " panicked at $1:")
}

/// Reads the text of a run: `test a::b ... ok`. Output of tests may stand between the dots and the word, as it
/// does with `--nocapture`; a test whose word never comes is [`Reading::unfinished`].
pub fn libtest(bytes: &[u8]) -> Reading {
    let mut run = Run::default();
    for line in lines(bytes) {
        run.line(&line);
    }
    run.end()
}

/// Reads `--list --format terse`: the names of the tests, benchmarks left out.
pub fn libtest_list(bytes: &[u8]) -> Vec<String> {
    lines(bytes).iter().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

#[derive(Default)]
struct Run {
    collected: Collected,
    skipped: usize,
    /// The test whose word is awaited.
    open: Option<String>,
    /// The last line said since that test began: the word may stand at its end.
    tail: String,
    broken: Option<String>,
    /// The test whose output is being shown, and that output.
    shown: Option<(String, String)>,
}

impl Run {
    fn line(&mut self, line: &str) {
        if let Some(name) = shown_name(line) {
            self.keep_shown();
            self.shown = Some((name.to_owned(), String::new()));
        } else if let Some((name, rest)) = begun(line) {
            self.settle();
            if let Some(lost) = self.open.replace(name.to_owned()) {
                self.broken = Some(format!("no verdict on {lost}"));
            }
            self.tail = rest.to_owned();
            self.word(rest);
        } else if self.open.is_some() && word(line).is_some() {
            self.word(line);
        } else if matches!(line, "failures:" | "successes:") || line.starts_with("test result: ") {
            self.settle();
            self.keep_shown();
        } else if let Some((_, text)) = &mut self.shown {
            text.push_str(line);
            text.push('\n');
        } else if !line.is_empty() {
            line.clone_into(&mut self.tail);
        }
    }

    /// The run went on, so the open test has ended: its word stands behind what it printed last.
    fn settle(&mut self) {
        let Some(name) = self.open.take() else { return };
        if self.tail.ends_with("ok") {
            self.collected.add(Seen::new(name, Verdict::Pass));
        } else if self.tail.ends_with("FAILED") {
            self.collected.add(Seen::new(name, Verdict::Fail));
        } else {
            self.open = Some(name);
        }
    }

    /// Takes what stands where a word is awaited.
    fn word(&mut self, text: &str) {
        let Some((word, millis)) = word(text) else { return };
        let Some(name) = self.open.take() else { return };
        match word {
            Word::Ended(verdict) => self.collected.add(Seen { millis, ..Seen::new(name, verdict) }),
            Word::Ignored => self.skipped += 1,
        }
    }

    fn keep_shown(&mut self) {
        if let Some((name, text)) = self.shown.take() {
            self.collected.message(&name, without_threads(text.trim()).into_owned());
        }
    }

    fn end(mut self) -> Reading {
        self.keep_shown();
        Reading {
            seen: self.collected.into_seen(),
            skipped: self.skipped,
            unfinished: self.open,
            broken: self.broken,
        }
    }
}

/// The name in `---- a::b stdout ----`.
fn shown_name(line: &str) -> Option<&str> {
    line.strip_prefix("---- ")?.strip_suffix(" stdout ----")
}

/// The name and what follows the dots in `test a::b - should panic ... ok`.
fn begun(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ...")?;
    let name = ["should panic", "compile fail", "compile"]
        .iter()
        .find_map(|mode| name.strip_suffix(mode)?.strip_suffix(" - "))
        .unwrap_or(name);
    (!name.is_empty()).then_some((name, rest.strip_prefix(' ').unwrap_or(rest)))
}

/// The word at the beginning, and the time behind it (`ok <0.012s>`).
fn word(text: &str) -> Option<(Word, Option<f64>)> {
    let (rest, word) = WORDS.iter().find_map(|(text_of, word)| Some((text.strip_prefix(text_of)?, *word)))?;
    let time = rest.trim().strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).and_then(millis);
    let alone = rest.is_empty() || rest.starts_with(", ") || time.is_some();
    let counts = alone || text.starts_with("bench:");
    counts.then_some((word, time))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "
running 7 tests
test tests::ignored_one ... ignored
test tests::ignored_two ... ignored, too slow
test tests::fails ... FAILED
test tests::panics - should panic ... ok
test tests::panics_not - should panic ... FAILED
test tests::passes ... ok
test src/lib.rs - f (line 3) - compile fail ... ok

failures:

---- tests::fails stdout ----
err

thread 'tests::fails' (15939) panicked at src/lib.rs:7:44:
assertion `left == right` failed: no sum
  left: 2
 right: 3

---- tests::panics_not stdout ----
note: panic did not contain expected string
      panic message: \"bar\"

failures:
    tests::fails
    tests::panics_not

test result: FAILED. 3 passed; 2 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.11s
";

    fn brief(reading: &Reading) -> Vec<(&str, Verdict)> {
        reading.seen.iter().map(|seen| (seen.name.as_str(), seen.verdict)).collect()
    }

    #[test]
    fn panics_are_compared_without_threads_and_columns() {
        let text = "a\nthread 'main' (77) panicked at src/a.rs:3:14:\nno (5) panicked at all\n";
        let expected = "a\nthread 'main' panicked at src/a.rs:3:\nno (5) panicked at all\n";
        assert_eq!(without_panic_numbers(text), expected);
        assert_eq!(without_panic_numbers(expected), expected);
    }

    #[test]
    fn a_run_is_read() {
        let reading = libtest(RUN.as_bytes());
        assert_eq!(
            brief(&reading),
            [
                ("tests::fails", Verdict::Fail),
                ("tests::panics", Verdict::Pass),
                ("tests::panics_not", Verdict::Fail),
                ("tests::passes", Verdict::Pass),
                ("src/lib.rs - f (line 3)", Verdict::Pass),
            ]
        );
        assert_eq!(reading.skipped, 2);
        assert_eq!(reading.unfinished, None);
        let message = &reading.seen[0].message;
        assert!(message.starts_with("err\n\nthread 'tests::fails' panicked at src"), "{message}");
        assert!(reading.seen[2].message.ends_with("\"bar\""), "{}", reading.seen[2].message);
    }

    #[test]
    fn a_crash_leaves_a_test_unfinished() {
        let text = "running 2 tests\ntest a ... ok\ntest tests::zaborts ... error: test failed, to rerun pass `--lib`";
        let reading = libtest(text.as_bytes());
        assert_eq!(reading.unfinished.as_deref(), Some("tests::zaborts"));
        assert_eq!(reading.verdict("tests::zaborts"), Some(Verdict::Crash));
        assert_eq!(libtest(b"test a ... ").unfinished.as_deref(), Some("a"));
    }

    #[test]
    fn output_of_a_test_may_stand_before_its_word() {
        let text = "test a ... okay then\nthis is ok\nok\ntest b ... \nthread 'b' panicked\nFAILED\n";
        let reading = libtest(text.as_bytes());
        assert_eq!(brief(&reading), [("a", Verdict::Pass), ("b", Verdict::Fail)]);
    }

    #[test]
    fn a_word_may_stand_behind_output_without_a_line_end() {
        let text = "test a ... helloFAILED\ntest b ... x\nyok\n\ntest result: FAILED. 1 passed\n";
        let reading = libtest(text.as_bytes());
        assert_eq!(brief(&reading), [("a", Verdict::Fail), ("b", Verdict::Pass)]);
        assert_eq!(libtest(b"test a ... took").unfinished.as_deref(), Some("a"));
    }

    #[test]
    fn times_are_read_where_they_are_shown() {
        assert_eq!(libtest(b"test a ... ok <0.012s>\n").seen[0].millis, Some(12.0));
    }

    #[test]
    fn a_list_is_read() {
        let text = b"tests::fails: test\ntests::b: benchmark\nit: test\n\n2 tests, 1 benchmark\n";
        assert_eq!(libtest_list(text), ["tests::fails", "it"]);
    }
}
