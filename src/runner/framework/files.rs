//! Files of a tree by globs.

use std::path::Path;

use globset::Glob;
use globset::GlobSetBuilder;
use walkdir::WalkDir;

use super::super::request::RunError;

/// The files of a tree that match one of the globs, in order.
pub fn files(tree: &Path, globs: &[String]) -> Result<Vec<String>, RunError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(
            Glob::new(glob).map_err(|error| RunError::Broken(format!("{glob:?} is not a glob: {error}")))?,
        );
    }
    let set = set.build().map_err(|error| RunError::Broken(error.to_string()))?;
    let entries = WalkDir::new(tree).sort_by_file_name().into_iter().filter_map(Result::ok);
    let inside = entries.filter(|entry| !entry.file_type().is_dir()).filter_map(|entry| {
        let inside = entry.path().strip_prefix(tree).ok()?.to_owned();
        set.is_match(&inside).then(|| inside.display().to_string())
    });
    Ok(inside.collect())
}
