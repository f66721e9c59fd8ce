//! The prioritized search: few mutants that nearly the same tests kill, near each other, come first.

use crate::analysis::sshom::Prioritized;
use crate::analysis::sshom::PriorityBounds;
use crate::analysis::sshom::Weights;
use crate::analysis::sshom::batches;

use super::completeness::Completeness;
use super::context::SearchContext;
use super::error::SshomError;
use super::result::Findings;
use super::trials::TestsRun;
use super::trials::Trials;

/// Tries likely combinations of each directory. Directories share the time evenly.
pub fn search(context: &SearchContext) -> Result<Findings, SshomError> {
    let first = &context.first_order.first;
    let usual = PriorityBounds::default();
    let bounds = PriorityBounds { order: context.request.max_order.unwrap_or(usual.order), ..usual };
    let batches = batches(first);
    let mut trials = Trials::new(context);
    for (done, batch) in batches.iter().enumerate() {
        let time = context.bound.time.share(batches.len() - done);
        let mut search = Prioritized::new(first, batch, bounds, Weights::default());
        trials.try_all(&mut search, TestsRun::UntilRuledOut, time)?;
    }
    trials.findings(Completeness::Within(bounds), None)
}
