//! What the exit code says.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Fine = 0,
    /// Wrong arguments or input; nothing was written.
    Usage = 1,
    /// Something was found that should be looked at: missed mutants, `ops lint`, `ops diff`.
    Findings = 2,
    /// No mutant was missed, but some only by a time-out.
    TimeOuts = 3,
    /// The unchanged project does not build, or its tests fail.
    Baseline = 4,
    /// Done, but the result is empty or something had to be left out; the warnings say what.
    Incomplete = 5,
    /// An error of ours.
    Internal = 70,
    /// Stopped by Ctrl-C; what there was is written and marked partial.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Whether an error means that the reader of our output went away: `| head` is no failure.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
