//! What is known of the coupling of fixes with mutants, by tests.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::Serialize;

use crate::exec::Protection;
use crate::pipeline::coupling::fault::NoFault;

/// A mutant that passes the old tests and fails the new ones.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CoupledMutant {
    pub id: String,
    /// The operators that make it, the most widely seen first.
    pub operators: Vec<String>,
    pub line: u32,
    pub before: String,
    pub after: String,
}

/// The result of the mutants of one set.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SetOutcome {
    /// Mutants of the function that were tried.
    pub mutants: usize,
    /// Of these, mutants that do not compile.
    pub unviable: usize,
    /// Mutants that cannot be switched, or whose tests were not run for another reason.
    pub untested: usize,
    /// Mutants that the tests from before the fix kill.
    pub killed_before: usize,
    /// Mutants that all tests miss, old and new.
    pub survived: usize,
    /// Mutants that couple with the fault, in the order in which they were tried.
    pub coupled: Vec<CoupledMutant>,
    /// The place of the first of these among the mutants that could be tested, from 1.
    pub first: Option<usize>,
}

/// Why no mutant of a set is coupled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhyNot {
    NoMutant,
    NoneTested,
    KilledBefore,
    Survived,
}

impl WhyNot {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoMutant => "no mutant in the function",
            Self::NoneTested => "no mutant builds",
            Self::KilledBefore => "old tests kill all mutants",
            Self::Survived => "new tests kill none of the survivors",
        }
    }
}

impl SetOutcome {
    /// Mutants that were tested.
    pub fn tested(&self) -> usize {
        self.killed_before + self.survived + self.coupled.len()
    }

    /// Whether some mutant is coupled, and if not, why.
    pub fn why_not(&self) -> Option<WhyNot> {
        match (self.coupled.len(), self.mutants, self.tested(), self.survived) {
            (1.., ..) => None,
            (_, 0, ..) => Some(WhyNot::NoMutant),
            (_, _, 0, _) => Some(WhyNot::NoneTested),
            (_, _, _, 0) => Some(WhyNot::KilledBefore),
            _ => Some(WhyNot::Survived),
        }
    }
}

/// Why a fault is not measurable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Unmeasurable {
    /// No preset fits this revision.
    NoSettings,
    /// The fixed revision does not build; what was said.
    NotBuilt(String),
    /// Most of its tests fail, or there are none.
    Baseline(String),
    /// The faulty version does not build with the new tests.
    FaultNotBuilt(String),
    /// The new tests pass on the faulty version.
    NotDetected,
    /// The tests from before the fix do not build with the fixed source, or most of them fail.
    OldTests(String),
    /// The tests from before the fix fail on the faulty version; some of them.
    DetectedBefore(Vec<String>),
    /// It took too long.
    TooLong,
    /// Something went wrong.
    Failed(String),
}

impl Unmeasurable {
    /// In words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NoSettings => "no way to test it was found",
            Self::NotBuilt(_) => "the fixed revision does not build",
            Self::Baseline(_) => "the tests of the fixed revision fail",
            Self::FaultNotBuilt(_) => "the faulty version does not build with the new tests",
            Self::NotDetected => "the new tests do not detect the fault",
            Self::OldTests(_) => "the old tests do not build or pass with the fixed source",
            Self::DetectedBefore(_) => "the old tests detect the fault already",
            Self::TooLong => "it takes too long",
            Self::Failed(_) => "it could not be run",
        }
    }

    /// What was said, if anything was.
    pub fn detail(&self) -> String {
        match self {
            Self::NotBuilt(said)
            | Self::Baseline(said)
            | Self::FaultNotBuilt(said)
            | Self::OldTests(said)
            | Self::Failed(said) => said.clone(),
            Self::DetectedBefore(tests) => tests.join(", "),
            Self::NoSettings | Self::NotDetected | Self::TooLong => String::new(),
        }
    }
}

/// The result of a fix.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub enum TestedOutcome {
    Measured {
        /// Tests that detect the fault, and came with the fix.
        detecting: Vec<String>,
        /// Tests that fail without any mutant, and were ignored.
        ignored: usize,
        /// Per set.
        sets: Vec<SetOutcome>,
    },
    Unmeasurable(Unmeasurable),
}

/// A fix and its result.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TestedFix {
    pub repository: String,
    pub commit: String,
    /// The first line of the message.
    pub subject: String,
    pub path: String,
    /// The first changed line of the fixed file.
    pub line: usize,
    /// How it was built and tested: the file that shows it, or the settings.
    pub how: String,
    pub seconds: f64,
    pub outcome: TestedOutcome,
}

impl TestedFix {
    /// Whether the new tests detect the fault, and the old ones do not.
    pub fn is_measurable(&self) -> bool {
        matches!(self.outcome, TestedOutcome::Measured { .. })
    }

    /// What the mutants of each set came to; nothing if the fault is not measurable.
    pub fn sets(&self) -> &[SetOutcome] {
        match &self.outcome {
            TestedOutcome::Measured { sets, .. } => sets,
            TestedOutcome::Unmeasurable(_) => &[],
        }
    }

    /// What the mutants of a set came to, if the fault is measurable.
    pub fn set(&self, column: usize) -> Option<&SetOutcome> {
        self.sets().get(column)
    }

    fn couples(&self, column: usize) -> bool {
        self.set(column).is_some_and(|set| !set.coupled.is_empty())
    }
}

/// All fixes that were tested.
#[derive(Debug, Default)]
pub struct TestedCoupling {
    /// The names of the sets.
    pub columns: Vec<String>,
    pub fixes: Vec<TestedFix>,
    /// Commits that mention a fix and do not count, by reason.
    pub left_out: BTreeMap<NoFault, usize>,
    /// Small fixes without a test.
    pub without_test: usize,
    /// Small fixes with a test that were not reached: stopped, or out of time.
    pub not_reached: usize,
    pub warnings: Vec<String>,
    pub stopped: bool,
    /// What mutants were kept from, if any were run.
    pub protection: Option<Protection>,
}

/// The result of one set.
#[derive(Clone, Debug, PartialEq)]
pub struct TestedShare {
    /// Measurable faults.
    pub measurable: usize,
    pub coupled: usize,
    /// Of these, faults that no set before this one is coupled with.
    pub alone: usize,
    /// Mutants that were tested, per measurable fault.
    pub mutants: f64,
    /// Mutants that were tested until the first coupled one, median of the coupled faults.
    pub median_first: Option<usize>,
    /// Faults coupled among the first ten mutants that were tested.
    pub first_ten: usize,
    /// Why the others are not coupled.
    pub why_not: BTreeMap<WhyNot, usize>,
}

impl TestedCoupling {
    /// What a set reaches, by its place among the columns.
    pub fn share(&self, column: usize) -> TestedShare {
        let sets: Vec<&SetOutcome> = self.fixes.iter().filter_map(|fix| fix.set(column)).collect();
        let alone = |fix: &&TestedFix| fix.couples(column) && !(0..column).any(|other| fix.couples(other));
        let mut why_not = BTreeMap::new();
        sets.iter().filter_map(|set| set.why_not()).for_each(|why| *why_not.entry(why).or_default() += 1);
        let firsts = self.firsts(column);
        TestedShare {
            measurable: sets.len(),
            coupled: sets.iter().filter(|set| !set.coupled.is_empty()).count(),
            alone: self.fixes.iter().filter(alone).count(),
            mutants: sets.iter().map(|set| set.tested()).sum::<usize>() as f64 / sets.len().max(1) as f64,
            median_first: firsts.get(firsts.len().saturating_sub(1) / 2).copied(),
            first_ten: firsts.iter().filter(|first| **first <= 10).count(),
            why_not,
        }
    }

    /// How many mutants of a set were tested until the first that is coupled, per coupled fault, fewest first.
    pub fn firsts(&self, column: usize) -> Vec<usize> {
        let sets = self.fixes.iter().filter_map(|fix| fix.set(column));
        let mut firsts: Vec<usize> = sets.filter_map(|set| set.first).collect();
        firsts.sort_unstable();
        firsts
    }

    /// Why faults are not measurable, most frequent first.
    pub fn unmeasurable(&self) -> Vec<(&'static str, usize)> {
        let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
        for fix in &self.fixes {
            if let TestedOutcome::Unmeasurable(why) = &fix.outcome {
                *counts.entry(why.name()).or_default() += 1;
            }
        }
        let mut counts: Vec<(&'static str, usize)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(killed_before: usize, survived: usize, coupled: usize) -> SetOutcome {
        let mutant = CoupledMutant {
            id: "a-1".into(),
            operators: vec![],
            line: 1,
            before: String::new(),
            after: String::new(),
        };
        let first = (coupled > 0).then_some(killed_before + 1);
        let mutants = killed_before + survived + coupled;
        let coupled = vec![mutant; coupled];
        SetOutcome { mutants, killed_before, survived, coupled, first, ..SetOutcome::default() }
    }

    fn fix(outcome: TestedOutcome) -> TestedFix {
        TestedFix {
            repository: "r".into(),
            commit: "c".into(),
            subject: String::new(),
            path: "a.c".into(),
            line: 1,
            how: String::new(),
            seconds: 0.0,
            outcome,
        }
    }

    fn measured(sets: Vec<SetOutcome>) -> TestedFix {
        fix(TestedOutcome::Measured { detecting: vec!["t".into()], ignored: 0, sets })
    }

    #[test]
    fn shares_are_of_the_measurable_faults() {
        let coupling = TestedCoupling {
            columns: vec!["one".into(), "two".into()],
            fixes: vec![
                measured(vec![set(4, 1, 2), set(20, 0, 1)]),
                measured(vec![set(3, 0, 0), set(0, 1, 1)]),
                measured(vec![set(0, 0, 0), set(1, 2, 0)]),
                fix(TestedOutcome::Unmeasurable(Unmeasurable::NotDetected)),
            ],
            ..TestedCoupling::default()
        };
        let (one, two) = (coupling.share(0), coupling.share(1));
        assert_eq!((one.measurable, one.coupled, one.alone, one.median_first), (3, 1, 1, Some(5)));
        assert_eq!(one.why_not, BTreeMap::from([(WhyNot::NoMutant, 1), (WhyNot::KilledBefore, 1)]));
        assert_eq!((two.coupled, two.alone, two.first_ten), (2, 1, 1));
        assert_eq!(two.why_not, BTreeMap::from([(WhyNot::Survived, 1)]));
        assert_eq!(coupling.unmeasurable(), [("the new tests do not detect the fault", 1)]);
    }
}
