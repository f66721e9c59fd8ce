//! Warnings about results that are incomplete or uncertain.

use crate::text::one_line;

use super::baseline::Baseline;
use super::campaign::Campaign;
use super::policy::Policy;

impl Campaign<'_> {
    /// Warns of mutants that were given up, of tests that depend on others, and of repairs that did not happen again.
    pub(super) fn warn_of_doubts(&self, policy: &Policy, baseline: &Baseline) {
        if policy.given_up() > 0 {
            self.events.warn(format!(
                "{} mutants time out in many tests, so they were not run with the rest; their rows of the kill \
                 matrix are incomplete",
                policy.given_up()
            ));
        }
        let dependent = policy.dependent();
        if let Some(first) = dependent.min() {
            let name = baseline.tests.get(first as usize).map_or("", |test| test.name.as_str());
            let more = match dependent.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            self.events.warn(format!(
                "{}{more} depends on the order of tests: it fails without any mutant if only some of the tests \
                 before it run. A mutant counts as killed by it only if it also fails alone",
                one_line(name)
            ));
        }
        if policy.unsure() > 0 {
            self.events.warn(format!(
                "{} repairs of a failing test did not happen again in a second run; these results count as unknown",
                policy.unsure()
            ));
        }
    }
}
