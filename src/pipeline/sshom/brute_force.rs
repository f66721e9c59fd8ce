//! The search by brute force: all pairs, then all triples, and so on.

use crate::analysis::sshom::BruteForce;

use super::completeness::Completeness;
use super::context::SearchContext;
use super::error::SshomError;
use super::result::Findings;
use super::trials::TestsRun;
use super::trials::Trials;

/// The highest order by default.
const USUAL_ORDER: usize = 2;

/// Tries all combinations of at most the order that is asked for.
pub fn search(context: &SearchContext) -> Result<Findings, SshomError> {
    let order = context.request.max_order.unwrap_or(USUAL_ORDER);
    let mut search = BruteForce::new(context.program.points.clone(), order);
    let mut trials = Trials::new(context);
    trials.try_all(&mut search, TestsRun::UntilRuledOut, context.bound.time)?;
    trials.findings(Completeness::UpToOrder(order), Some(order))
}
