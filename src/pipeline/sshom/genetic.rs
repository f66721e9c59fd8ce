//! The genetic search: combinations are bred from those that came near.

use crate::analysis::sshom::Breeding;
use crate::analysis::sshom::Genetic;

use super::completeness::Completeness;
use super::context::SearchContext;
use super::error::SshomError;
use super::result::Findings;
use super::trials::TestsRun;
use super::trials::Trials;

/// Breeds until all generations are done. The fitness of a combination depends on all tests that kill it.
pub fn search(context: &SearchContext) -> Result<Findings, SshomError> {
    let mut breeding = Breeding { seed: context.request.seed, ..Breeding::default() };
    breeding.max_order = context.request.max_order.unwrap_or(breeding.max_order);
    breeding.initial_order = breeding.initial_order.min(breeding.max_order);
    let mut search = Genetic::new(&context.first_order.first, breeding);
    let mut trials = Trials::new(context);
    trials.try_all(&mut search, TestsRun::All, context.bound.time)?;
    trials.findings(Completeness::Genetic, None)
}
