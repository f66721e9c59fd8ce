//! Judges one run of a program, for all runners.
//!
//! In: a [`Sighting`]: how a run ended, hashes of what it printed, whether a sanitizer complained. Out: a verdict.
//! A fork server knows no more of a run than that, so that every runner judges alike.
//!
//! | oracle     | passes if                                                  | a signal or a finding of a sanitizer
//! is |
//! |------------|------------------------------------------------------------|-----------------------------------------|
//! | `exit`     | the exit code is 0                                         | a crash                               
//! |
//! | `crash`    | nothing crashes, whatever the exit code                    | a crash                               
//! |
//! | `golden`   | standard output is the file's content, whatever the exit code and standard error | a crash         
//! |
//! | `original` | exit code, signal, standard output and standard error are those of the unchanged program | a crash,
//! if it is new |
//! | `script`   | the script exits with 0                                    | a crash, if the script says no        
//! |
//!
//! A run that exceeds its time or its output is a time-out for all of them.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Streams;
use crate::exec::Verdict;

use super::request::RunError;
use super::split::Ending;

/// SIGPROF, by which a fork server ends a run that used up its processor time.
pub const OUT_OF_WORK: u8 = 27;
/// SIGXFSZ, by which it ends a run that prints too much.
const TOO_MUCH_OUTPUT: u8 = 25;

/// What a correct run does.
#[derive(Clone, Debug)]
pub enum Expected {
    /// It exits with 0, or with `fails`, with anything else; `skip` is a code by which it says that it was skipped.
    Exit { fails: bool, skip: Option<i32> },
    /// It does not crash.
    Crash,
    /// It does what the unchanged program does.
    Original,
    /// It prints what is in this file.
    Golden(PathBuf),
    /// Its output satisfies this command; `{output}` is the file with it.
    Script(String),
}

impl Expected {
    /// It exits with 0.
    pub fn success() -> Self {
        Self::Exit { fails: false, skip: None }
    }

    /// How the streams of a run must be kept to judge it.
    pub fn streams(&self) -> Streams {
        match self {
            Self::Original | Self::Golden(_) => Streams::Apart,
            Self::Exit { .. } | Self::Crash | Self::Script(_) => Streams::Joined,
        }
    }
}

/// What an oracle sees of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    pub ended: Ended,
    /// Hashes of what it printed.
    pub out: u64,
    pub err: u64,
    /// Whether a sanitizer complained, where its text is known.
    pub finding: bool,
}

impl Sighting {
    /// A run that was observed. A shell reports a signal of its command as an exit code.
    pub fn of(seen: &Observation, by_shell: bool) -> Self {
        let ended = match seen.ended {
            Ended::Code(code @ 129..=159) if by_shell => Ended::Signal(code - 128),
            ended => ended,
        };
        let finding = is_finding(&seen.stdout) || is_finding(&seen.stderr);
        Self { ended, out: hash(&seen.stdout), err: hash(&seen.stderr), finding }
    }

    fn crashed(&self) -> bool {
        self.finding || matches!(self.ended, Ended::Signal(_) | Ended::OverLimit(_) | Ended::Stopped)
    }

    /// One number for all that the unchanged program is compared by.
    fn fingerprint(&self) -> u64 {
        hash(format!("{:?} {:016x} {:016x}", self.ended, self.out, self.err).as_bytes())
    }
}

impl From<&Ending> for Sighting {
    fn from(ending: &Ending) -> Self {
        let ended = match ending.by {
            Err(signal) => ended_by(signal),
            Ok(code) => Ended::Code(code.into()),
        };
        Self { ended, out: ending.out, err: ending.err, finding: false }
    }
}

/// What a signal means that ended a run of a fork server.
pub fn ended_by(signal: u8) -> Ended {
    match signal {
        OUT_OF_WORK => Ended::TimedOut,
        TOO_MUCH_OUTPUT => Ended::Flooded,
        signal => Ended::Signal(signal.into()),
    }
}

/// The oracle of one case: what is expected, and what to compare with.
#[derive(Clone, Debug)]
pub struct CaseOracle {
    pub expected: Expected,
    /// The fingerprint of the unchanged program's run, once it was seen.
    pub original: Option<u64>,
    /// The hash of the golden file, once it was read.
    golden: Option<u64>,
}

impl CaseOracle {
    /// An oracle that has seen nothing yet.
    pub fn new(expected: Expected) -> Self {
        Self { expected, original: None, golden: None }
    }

    /// The verdict on a run. `script` runs the oracle's script; whether that exits with 0.
    pub fn verdict(
        &mut self,
        seen: &Sighting,
        script: impl FnOnce(&str) -> Result<bool, RunError>,
    ) -> Result<Verdict, RunError> {
        if seen.ended.is_over_limit() {
            return Ok(Verdict::TimeOut);
        }
        if matches!(seen.ended, Ended::OverLimit(_)) {
            return Ok(Verdict::Crash);
        }
        let right = match &self.expected {
            Expected::Exit { skip: Some(skip), .. } if seen.ended == Ended::Code(*skip) => true,
            Expected::Exit { fails, .. } => !seen.crashed() && (seen.ended == Ended::Code(0)) != *fails,
            Expected::Crash => !seen.crashed(),
            Expected::Original => {
                let now = seen.fingerprint();
                *self.original.get_or_insert(now) == now
            }
            Expected::Golden(path) => {
                let path = path.clone();
                !seen.crashed() && self.golden(&path)? == seen.out
            }
            Expected::Script(line) => script(line)?,
        };
        Ok(match right {
            true => Verdict::Pass,
            false if seen.crashed() => Verdict::Crash,
            false => Verdict::Fail,
        })
    }

    fn golden(&mut self, path: &std::path::Path) -> Result<u64, RunError> {
        if let Some(known) = self.golden {
            return Ok(known);
        }
        let bytes = fs::read(path).map_err(|error| {
            RunError::Broken(format!("{}: {error}; create it, or change tests.golden", path.display()))
        })?;
        Ok(*self.golden.insert(hash(&bytes)))
    }
}

/// FNV-1a, as the fork server has it.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Whether a sanitizer complains in what was printed.
fn is_finding(output: &[u8]) -> bool {
    const MARKS: &str = r"(?-u)ERROR: (Address|HWAddress|Leak|Memory|Thread)Sanitizer|WARNING: (Memory|Thread)Sanitizer|:\d+:\d+: runtime error: ";
    static FINDING: LazyLock<Regex> = LazyLock::new(|| Regex::new(MARKS).expect("it is correct"));
    FINDING.is_match(output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::Crash;
    use Verdict::Fail;
    use Verdict::Pass;
    use Verdict::TimeOut;

    const RIGHT: u64 = 1;
    const WRONG: u64 = 2;

    fn sighting(ended: Ended, out: u64, finding: bool) -> Sighting {
        Sighting { ended, out, err: 0, finding }
    }

    fn verdict(expected: &Expected, seen: &Sighting, script: bool) -> Verdict {
        // The unchanged program exits with 0, prints what is right, and nothing complains.
        let original = Some(sighting(Ended::Code(0), RIGHT, false).fingerprint());
        let mut oracle = CaseOracle { expected: expected.clone(), original, golden: Some(RIGHT) };
        oracle.verdict(seen, |_| Ok(script)).unwrap()
    }

    /// Per oracle: exit 0 and right, exit 0 and wrong, exit 1 and right, exit 1 and wrong.
    type Row = (Expected, [Verdict; 4]);

    fn table() -> [Row; 7] {
        [
            (Expected::success(), [Pass, Pass, Fail, Fail]),
            (Expected::Exit { fails: true, skip: None }, [Fail, Fail, Pass, Pass]),
            (Expected::Exit { fails: false, skip: Some(1) }, [Pass, Pass, Pass, Pass]),
            (Expected::Crash, [Pass, Pass, Pass, Pass]),
            (Expected::Original, [Pass, Fail, Fail, Fail]),
            (Expected::Golden("unread".into()), [Pass, Fail, Pass, Fail]),
            // The script says yes to what is right.
            (Expected::Script("unread".into()), [Pass, Fail, Pass, Fail]),
        ]
    }

    #[test]
    fn every_oracle_judges_every_end() {
        let runs = [(0, RIGHT), (0, WRONG), (1, RIGHT), (1, WRONG)];
        for (expected, wanted) in table() {
            for ((code, out), wanted) in runs.into_iter().zip(wanted) {
                let seen = sighting(Ended::Code(code), out, false);
                assert_eq!(verdict(&expected, &seen, out == RIGHT), wanted, "{expected:?} {seen:?}");
            }
            for out in [RIGHT, WRONG] {
                for late in [Ended::TimedOut, Ended::Flooded] {
                    assert_eq!(
                        verdict(&expected, &sighting(late, out, false), true),
                        TimeOut,
                        "{expected:?}"
                    );
                }
                let by_script = matches!(expected, Expected::Script(_)) && out == RIGHT;
                let wanted = if by_script { Pass } else { Crash };
                let seen = sighting(Ended::Signal(11), out, false);
                assert_eq!(verdict(&expected, &seen, out == RIGHT), wanted, "{expected:?} {seen:?}");
            }
        }
    }

    #[test]
    fn a_finding_of_a_sanitizer_is_a_crash_unless_a_comparison_says_otherwise() {
        for (expected, _) in table() {
            let same = sighting(Ended::Code(0), RIGHT, true);
            let compares = matches!(expected, Expected::Original | Expected::Script(_));
            assert_eq!(verdict(&expected, &same, true), if compares { Pass } else { Crash }, "{expected:?}");
            let other = sighting(Ended::Code(0), WRONG, true);
            assert_eq!(verdict(&expected, &other, false), Crash, "{expected:?}");
        }
    }

    #[test]
    fn the_original_is_what_is_seen_first_with_both_streams() {
        let mut oracle = CaseOracle::new(Expected::Original);
        let seen = Sighting { ended: Ended::Signal(6), out: 1, err: 2, finding: false };
        let mut verdict = |seen: Sighting| oracle.verdict(&seen, |_| Ok(false)).unwrap();
        assert_eq!(verdict(seen), Pass);
        assert_eq!(verdict(seen), Pass);
        assert_eq!(verdict(Sighting { err: 3, ..seen }), Crash);
        assert_eq!(verdict(Sighting { ended: Ended::Code(0), ..seen }), Fail);
    }

    #[test]
    fn sanitizers_are_known_by_what_they_print() {
        let findings = [
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address",
            "==1==ERROR: LeakSanitizer: detected memory leaks",
            "==1==WARNING: MemorySanitizer: use-of-uninitialized-value",
            "WARNING: ThreadSanitizer: data race (pid=1)",
            "a.c:12:7: runtime error: signed integer overflow",
        ];
        for finding in findings {
            assert!(is_finding(finding.as_bytes()), "{finding}");
        }
        for other in ["script.lua: runtime error: no such field", "panic: runtime error: index", ""] {
            assert!(!is_finding(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_shell_hides_signals_in_exit_codes() {
        let seen = |code| Observation {
            ended: Ended::Code(code),
            stdout: vec![],
            stderr: vec![],
            cut: false,
            took: std::time::Duration::ZERO,
            busy: false,
        };
        assert_eq!(Sighting::of(&seen(139), true).ended, Ended::Signal(11));
        assert_eq!(Sighting::of(&seen(139), false).ended, Ended::Code(139));
        assert_eq!(Sighting::of(&seen(128), true).ended, Ended::Code(128));
    }

    #[test]
    fn a_missing_golden_file_is_named() {
        let mut oracle = CaseOracle::new(Expected::Golden("/nowhere/x.out".into()));
        let error = oracle.verdict(&sighting(Ended::Code(0), 0, false), |_| Ok(true)).unwrap_err();
        assert!(error.to_string().starts_with("/nowhere/x.out: "), "{error}");
    }
}
