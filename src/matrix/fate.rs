//! The fate of a mutant.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// The fate of a mutant, all tests considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// A test fails.
    Killed,
    /// Tests execute it and pass.
    Survived,
    /// A test times out, which counts as killed.
    TimeOut,
    /// It does not build.
    Unviable,
    /// No test reaches it.
    NotCovered,
    /// It is known to behave like the original.
    Equivalent,
    /// It is known to behave like another mutant.
    Duplicate,
    /// It has not run yet.
    Untested,
}

/// How many mutants met which fate; fates without mutants are absent.
pub type FateCounts = BTreeMap<Fate, u64>;

/// A word that is no fate; says which words are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown fate `{0}`; known are {known}", known = Fate::ALL.map(Fate::name).join(", "))]
pub struct UnknownFate(String);

impl Fate {
    /// Every fate, in the order in which they are listed.
    pub const ALL: [Self; 8] = [
        Self::Killed,
        Self::Survived,
        Self::TimeOut,
        Self::Unviable,
        Self::NotCovered,
        Self::Equivalent,
        Self::Duplicate,
        Self::Untested,
    ];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Survived => "survived",
            Self::TimeOut => "time-out",
            Self::Unviable => "unviable",
            Self::NotCovered => "not-covered",
            Self::Equivalent => "equivalent",
            Self::Duplicate => "duplicate",
            Self::Untested => "untested",
        }
    }

    /// Whether the tests detected the mutant.
    pub fn is_detected(self) -> bool {
        matches!(self, Self::Killed | Self::TimeOut)
    }

    /// Whether the tests should have detected the mutant but did not.
    pub fn is_missed(self) -> bool {
        matches!(self, Self::Survived | Self::NotCovered)
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl FromStr for Fate {
    type Err = UnknownFate;

    fn from_str(word: &str) -> Result<Self, UnknownFate> {
        let found = Self::ALL.into_iter().find(|fate| fate.name() == word);
        found.ok_or_else(|| UnknownFate(word.to_owned()))
    }
}

/// The mutation score: detected / (detected + missed). None where there is nothing to detect, so that an
/// empty file is neither perfect nor hopeless.
pub fn score(counts: &FateCounts) -> Option<f64> {
    let sum = |wanted: fn(Fate) -> bool| -> u64 {
        counts.iter().filter(|(fate, _)| wanted(**fate)).map(|(_, count)| count).sum()
    };
    let (detected, missed) = (sum(Fate::is_detected), sum(Fate::is_missed));
    (detected + missed > 0).then(|| detected as f64 / (detected + missed) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_serde_writes_and_are_read_back() {
        for fate in Fate::ALL {
            assert_eq!(serde_json::to_value(fate).unwrap(), fate.name());
            assert_eq!(fate.name().parse(), Ok(fate));
        }
        assert!("dead".parse::<Fate>().unwrap_err().to_string().contains("killed, survived"));
    }

    #[test]
    fn the_score_leaves_out_what_no_test_could_notice() {
        let all: FateCounts = Fate::ALL.into_iter().map(|fate| (fate, 1)).collect();
        assert_eq!(score(&all), Some(0.5));
        assert_eq!(score(&FateCounts::from([(Fate::Unviable, 3)])), None);
    }
}
