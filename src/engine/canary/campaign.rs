//! The canary of a campaign.

use super::super::baseline::Baseline;
use super::super::campaign::Campaign;
use super::super::campaign::CampaignSummary;
use super::super::error::TestError;
use super::check::Executed;

impl Campaign<'_> {
    /// What is wrong if no test executes the sources; asks only if that is not known yet.
    pub(in super::super) fn complaint(
        &self,
        baseline: &Baseline,
        summary: &mut CampaignSummary,
    ) -> Result<Option<String>, TestError> {
        let Some(canary) = self.canary.as_ref().filter(|_| !summary.executed) else { return Ok(None) };
        match canary.check(baseline)? {
            Executed::No(complaint) => Ok(Some(complaint)),
            Executed::Yes | Executed::Unknown => {
                summary.executed = true;
                Ok(None)
            }
        }
    }
}
