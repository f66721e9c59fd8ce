//! What could not be found out about mutants and tests, as warnings.

use crate::text::one_line;

use super::baseline::Baseline;
use super::campaign::Campaign;
use super::policy::Policy;

impl Campaign<'_> {
    /// Warns of mutants that were given up, of tests that depend on others, and of repairs that did not happen again.
    pub(super) fn tell_doubts(&self, policy: &Policy, baseline: &Baseline) {
        if policy.given_up() > 0 {
            self.events.warn(format!(
                "{} mutants hang in test after test, and were not run with all of them",
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
                "{}{more} fails without any mutant if only some of the tests before it run: where it fails behind others, \
                 a mutant counts as killed by it only if it also fails alone",
                one_line(name)
            ));
        }
        if policy.unsure() > 0 {
            self.events.warn(format!(
                "{} times a mutant repaired a failing test, but not when run again; these results are unknown",
                policy.unsure()
            ));
        }
    }
}
