//! What is given: points, and for each test the condition under which it fails.

use fixedbitset::FixedBitSet;
use roaring::RoaringBitmap;

use super::condition::Condition;
use super::condition::Conditions;
use super::points::Points;

/// A test and the combinations of mutants with which it fails.
#[derive(Clone, Debug)]
pub struct ConditionTest {
    pub name: String,
    pub fails: Condition,
}

/// Points with their mutants, and tests with their failing conditions.
#[derive(Clone, Debug)]
pub struct Problem {
    pub points: Points,
    pub conditions: Conditions,
    pub tests: Vec<ConditionTest>,
}

impl Problem {
    /// For each test, the mutants that it kills alone.
    pub fn kills(&self) -> Vec<FixedBitSet> {
        let mutants = self.points.mutants();
        self.tests.iter().map(|test| self.conditions.alone(test.fails, mutants)).collect()
    }

    /// The tests that fail with these mutants (in ascending order) on.
    pub fn killers(&self, combination: &[u32]) -> RoaringBitmap {
        let fails = |test: &ConditionTest| self.conditions.holds(test.fails, combination);
        (0..).zip(&self.tests).filter(|(_, test)| fails(test)).map(|(at, _)| at).collect()
    }
}
