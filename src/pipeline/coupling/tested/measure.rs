//! One fix: the six steps of the [module](super).

use std::collections::BTreeSet;

use crate::control::Events;
use crate::engine::Baseline;
use crate::engine::TestError;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Target;
use crate::pipeline::coupling::column::Column;
use crate::pipeline::coupling::fault::Fault;
use crate::runner::RunError;

use super::mutants::Met;
use super::mutants::Trial;
use super::mutants::target_with;
use super::outcome::TestedOutcome;
use super::outcome::Unmeasurable;
use super::suite::Suite;
use super::suite::Surroundings;
use super::suite::passing;
use super::trees::Tree;
use super::trees::Trees;

/// Most tests that are named.
const NAMED: usize = 5;

/// What to measure for one fix.
pub(super) struct Measure<'a> {
    pub around: &'a Surroundings<'a>,
    pub columns: &'a [Column],
    pub fit: &'a Fit,
    pub fault: &'a Fault,
    pub trees: &'a Trees,
    /// Most mutants that are tried.
    pub most: usize,
    /// The tests that detect the fault, if that is known: neither do the old tests, then.
    pub detecting: Option<BTreeSet<String>>,
    pub events: &'a Events,
}

/// Why a measurement ends early.
pub(super) enum End {
    Unmeasurable(Unmeasurable),
    Stopped,
}

impl From<TestError> for End {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Run(RunError::Stopped) => Self::Stopped,
            error => Self::Unmeasurable(Unmeasurable::Failed(error.to_string())),
        }
    }
}

impl Measure<'_> {
    /// Measures; says how the fixed revision was tested in any case.
    pub fn run(&self) -> (String, Result<TestedOutcome, End>) {
        let suite = match Suite::new(self.around, &self.trees.new) {
            Ok(Some(suite)) => suite,
            Ok(None) => return (String::new(), Err(End::Unmeasurable(Unmeasurable::NoSettings))),
            Err(error) => return (String::new(), Err(error.into())),
        };
        (suite.how.clone(), self.steps(suite))
    }

    fn steps(&self, mut new: Suite) -> Result<TestedOutcome, End> {
        let after = self.tested(&mut new, |said| match said.contains("does not build") {
            true => Unmeasurable::NotBuilt(said),
            false => Unmeasurable::Baseline(said),
        })?;
        let detecting = match &self.detecting {
            Some(known) => known.clone(),
            None => self.detecting(&new, &after, Unmeasurable::FaultNotBuilt)?,
        };
        if detecting.is_empty() {
            return Err(End::Unmeasurable(Unmeasurable::NotDetected));
        }
        let Some(mut old) = Suite::new(self.around, &self.trees.old)? else {
            return Err(End::Unmeasurable(Unmeasurable::NoSettings));
        };
        let before = self.tested(&mut old, Unmeasurable::OldTests)?;
        if self.detecting.is_none() {
            self.not_detected_before(&detecting, &old, &before)?;
        }
        let ignored = after.failing(&self.unforgiving(&new)).len();
        let trial = Trial::new(self.around.def, self.columns, self.fit, self.fault, self.most);
        let met = self.mutants(&trial, (&old, &before), (&new, &after))?;
        let detecting = detecting.into_iter().collect();
        Ok(TestedOutcome::Measured { detecting, ignored, sets: trial.outcomes(&met) })
    }

    /// Whether the old tests pass on the fault.
    fn not_detected_before(
        &self,
        detecting: &BTreeSet<String>,
        old: &Suite,
        before: &Baseline,
    ) -> Result<(), End> {
        // An old test can only notice the fault if one of its name does in the new tree; see the module.
        if !before.tests.iter().any(|test| detecting.contains(&test.name)) {
            return Ok(());
        }
        let noticed = self.detecting(old, before, Unmeasurable::OldTests)?;
        if noticed.is_empty() {
            return Ok(());
        }
        let names = noticed.into_iter().take(NAMED).collect();
        Err(End::Unmeasurable(Unmeasurable::DetectedBefore(names)))
    }

    /// The settings of a suite as if it ignored no test.
    fn unforgiving(&self, suite: &Suite) -> crate::harness::Config {
        let mut config = suite.config.clone();
        config.tests.known_failing =
            self.around.config.map(|config| config.tests.known_failing.clone()).unwrap_or_default();
        config
    }

    /// Tests a tree without its fault. Most tests must pass; the others are ignored from then on.
    fn tested(&self, suite: &mut Suite, why: impl Fn(String) -> Unmeasurable) -> Result<Baseline, End> {
        let baseline = match suite.baseline(false, self.events) {
            Err(TestError::Baseline(said)) => return Err(End::Unmeasurable(why(said))),
            tested => tested?,
        };
        let failing = suite.ignore(&baseline);
        if failing * 2 >= baseline.tests.len() {
            let said = format!("{failing} of {} tests fail", baseline.tests.len());
            return Err(End::Unmeasurable(why(said)));
        }
        Ok(baseline)
    }

    /// The tests that pass without the fault and not with it.
    fn detecting(
        &self,
        suite: &Suite,
        baseline: &Baseline,
        why: impl Fn(String) -> Unmeasurable,
    ) -> Result<BTreeSet<String>, End> {
        let faulty = match suite.baseline(true, self.events) {
            Err(TestError::Baseline(said)) => return Err(End::Unmeasurable(why(said))),
            tested => tested?,
        };
        let still = passing(&faulty);
        Ok(passing(baseline).into_iter().filter(|name| !still.contains(name)).map(str::to_owned).collect())
    }

    /// Tests the mutants with the old tests, then those that survive with the new ones.
    fn mutants(
        &self,
        trial: &Trial,
        (old, before): (&Suite, &Baseline),
        (new, after): (&Suite, &Baseline),
    ) -> Result<Vec<Met>, End> {
        let mut met = vec![Met::Untested; trial.tried.len()];
        let all: BTreeSet<usize> = (0..trial.tried.len()).collect();
        let text = &self.trees.old.fixed;
        let other = (*text != self.trees.new.fixed).then(|| target_with(self.around.def, self.fault, text));
        let target = other.as_ref().unwrap_or(&self.fault.target);
        for (number, fate) in self.fates(trial, &all, target, &self.trees.old, old, before)? {
            met[number] = Met::before(fate);
        }
        let left: BTreeSet<usize> = all.into_iter().filter(|number| met[*number] == Met::Survived).collect();
        for &number in &left {
            met[number] = Met::Untested;
        }
        for (number, fate) in self.fates(trial, &left, &self.fault.target, &self.trees.new, new, after)? {
            met[number] = Met::after(fate);
        }
        Ok(met)
    }

    fn fates(
        &self,
        trial: &Trial,
        wanted: &BTreeSet<usize>,
        target: &Target,
        tree: &Tree,
        suite: &Suite,
        baseline: &Baseline,
    ) -> Result<Vec<(usize, crate::matrix::Fate)>, End> {
        let Some(column) = self.columns.last().filter(|_| !wanted.is_empty()) else { return Ok(vec![]) };
        let (def, fit) = (self.around.def, self.fit.clone());
        let inserter = Inserter { def, arsenal: &column.arsenal, target, fit };
        let found = inserter.file(self.fault.file).mutants;
        let (numbers, mutants) = trial.find(wanted, &inserter, &found, tree);
        let fates = suite.fates(&inserter, &mutants, baseline, self.events)?;
        Ok(numbers.into_iter().zip(fates).collect())
    }
}
