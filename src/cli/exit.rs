//! Exit codes and what they mean.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Fine = 0,
    /// Wrong arguments or input; nothing was written.
    Usage = 1,
    /// There are findings: missed mutants, or results of `ops lint` or `ops diff`.
    Findings = 2,
    /// No mutant was missed, but some only by a time-out.
    TimeOuts = 3,
    /// The unchanged project does not build, its tests fail, or they do not execute the mutated code.
    Baseline = 4,
    /// Done, but the result is empty or incomplete; the warnings say why.
    Incomplete = 5,
    /// An audit found a verdict that the original project does not confirm.
    Disagreement = 6,
    /// A bug in wildcaught.
    Internal = 70,
    /// Stopped by Ctrl-C; what was found is written and marked partial.
    Interrupted = 130,
}

impl Exit {
    /// How another process of ours ended, by its exit code; `None` if a signal ended it.
    pub fn of_code(code: Option<i32>) -> Self {
        let known =
            [Self::Fine, Self::Usage, Self::Findings, Self::TimeOuts, Self::Baseline, Self::Incomplete];
        known.into_iter().find(|exit| Some(*exit as i32) == code).unwrap_or(Self::Incomplete)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error and its causes in a line; a cause that the error names itself is not said twice.
pub fn message(error: &anyhow::Error) -> String {
    let mut causes = error.chain().map(ToString::to_string);
    let mut message = causes.next().unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is_empty()) {
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// Whether an error means that the reader of our output went away: `| head` is no failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn a_cause_is_said_once() {
        let missing = || std::io::Error::other("no such file");
        let named = anyhow::Error::new(crate::pipeline::tame::TruthError::Read {
            path: "bugs".into(),
            source: missing(),
        });
        assert_eq!(message(&named), "cannot read bugs: no such file");
        let unnamed = Err::<(), _>(missing()).context("cannot read bugs").unwrap_err();
        assert_eq!(message(&unnamed), "cannot read bugs: no such file");
    }
}
