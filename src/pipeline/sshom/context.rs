//! What every search is given.

use super::completeness::Ended;
use super::first_order::FirstOrderResult;
use super::points::Bound;
use super::points::PointProgram;
use super::request::SshomRequest;

/// What every search is given.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    pub request: &'a SshomRequest,
    pub program: &'a PointProgram,
    pub first_order: &'a FirstOrderResult,
    pub bound: Bound<'a>,
}

impl SearchContext<'_> {
    /// Why a search ends that is not done.
    pub fn ended(&self) -> Ended {
        if self.bound.progress.stopped() { Ended::Cancelled } else { Ended::TimeOut }
    }
}
