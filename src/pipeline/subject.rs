//! What is searched.

use std::path::PathBuf;

use crate::engine::Project;
use crate::insert::Inserter;

/// A project and those of its files that are changed.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub project: &'a Project<'a>,
    pub inserter: &'a Inserter<'a>,
    /// Per file of the target, its path inside of the project.
    pub paths: &'a [PathBuf],
}
