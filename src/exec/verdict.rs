//! The verdict of a test.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// What one run of one test resulted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The test passed.
    Pass,
    /// It failed.
    Fail,
    /// It, or what it tests, was ended by a signal or ended its process.
    Crash,
    /// It timed out.
    TimeOut,
}

impl Verdict {
    /// Whether the test noticed something.
    pub fn is_kill(self) -> bool {
        self != Self::Pass
    }
}
