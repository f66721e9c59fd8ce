//! Builds projects whose settings have no build command.

use std::path::Path;

use crate::harness::Config;
use crate::harness::Style;

use super::super::request::RunError;
use super::junit;
use super::maven;

/// The line that builds the project in a tree as it is now; none if nothing is built.
pub fn own_build_line(config: &Config, tree: &Path) -> Result<Option<String>, RunError> {
    match &config.tests.style {
        _ if config.build.command.is_some() => Ok(config.build.command.clone()),
        Style::Junit(junit) => junit::build_line(junit, tree).map(Some),
        _ if maven::is_asked_once(config) => maven::build_line(tree).map(Some),
        _ => Ok(None),
    }
}
