//! What every search is given.

use super::completeness::SearchEnd;
use super::first_order::FirstOrderResult;
use super::points::PointProgram;
use super::points::SearchBound;
use super::request::SshomRequest;

/// What every search is given.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    pub request: &'a SshomRequest,
    pub program: &'a PointProgram,
    pub first_order: &'a FirstOrderResult,
    pub bound: SearchBound<'a>,
}

impl SearchContext<'_> {
    /// Why a search ends that is not done.
    pub fn ended(&self) -> SearchEnd {
        if self.bound.progress.stopped() { SearchEnd::Cancelled } else { SearchEnd::TimeOut }
    }
}
