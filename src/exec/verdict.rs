//! What a test said.

use serde::Deserialize;
use serde::Serialize;

/// What one run of one test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test was content.
    Pass,
    /// It said no.
    Fail,
    /// It, or what it tests, was ended by a signal or took its process with it.
    Crash,
    /// It did not end in time.
    TimeOut,
}

impl Verdict {
    /// Whether the test noticed something.
    pub fn is_kill(self) -> bool {
        self != Self::Pass
    }
}
