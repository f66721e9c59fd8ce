//! Builds a copy of the broken program in which every statement is watched, so that no coverage tool is needed.

use std::path::Path;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::control::Events;
use crate::engine::Project;
use crate::engine::WatchedCopy;
use crate::files::TemporaryDirectory;
use crate::harness::Config;
use crate::harness::Style;
use crate::insert::Arsenal;
use crate::insert::FileChoice;
use crate::insert::Fit;
use crate::insert::Inserter;
use crate::insert::Rules;
use crate::insert::Target;
use crate::insert::walk;
use crate::langdef::language;
use crate::langdef::language_of_tree;

use super::error::WitnessError;
use super::request::WitnessRequest;

/// A copy that is watched, and the paths of its files.
pub struct WatchedProgram {
    pub copy: WatchedCopy,
    pub files: Vec<String>,
}

/// Copies the sources, puts a guard into every statement, and builds that.
pub fn watched_program(
    request: &WitnessRequest,
    build: &str,
    named: Option<&str>,
    events: &Events,
) -> Result<WatchedProgram, WitnessError> {
    let refused = |error: &dyn std::error::Error| WitnessError::Watch { why: error.to_string() };
    let root = &request.sources;
    let def = named.map_or_else(|| language_of_tree(std::slice::from_ref(root)), language);
    let def = def.map_err(|error| refused(&error))?;
    let choice = FileChoice { exclude: vec![], tests: false, everything: true };
    let found = walk(&def, std::slice::from_ref(root), &choice).map_err(|error| refused(&error))?;
    let target = Target::new(&def, found.files);
    let arsenal = Arsenal::empty(&def);
    let fit = Fit::of(Rules::NONE, 0.0);
    let inserter = Inserter { def: &def, arsenal: &arsenal, target: &target, fit };
    let inside = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
    let paths: Vec<PathBuf> = target.files.iter().map(|file| inside(&file.path)).collect();
    // Nothing is tested here but by the commands of the request.
    let mut config = Config::new(Style::Command { command: ":".into() });
    config.build.command = Some(build.to_owned());
    let cache = TemporaryDirectory::new("cache").map_err(WitnessError::io("temporary directory"))?;
    let project = Project {
        root,
        config: &config,
        cache: cache.path().to_owned(),
        out: None,
        outer: request.outer.clone(),
        strays: OnceLock::new(),
        usual_build: OnceLock::new(),
        containment: request.containment.clone(),
        progress: &events.progress,
    };
    let copy = WatchedCopy::build(&project, &inserter, &paths, events)?;
    let files = paths.iter().map(|path| path.display().to_string()).collect();
    Ok(WatchedProgram { copy, files })
}
