//! Where the fault is, if that is known.

use std::fs;
use std::path::Path;

use crate::analysis::localize::FaultLine;
use crate::analysis::localize::Spectrum;
use crate::analysis::localize::faults_from_diff;
use crate::analysis::localize::faults_from_list;
use crate::analysis::localize::faults_from_versions;
use crate::workspace::read_below;

use super::error::InputError;

/// Where faulty lines are read from.
pub enum FaultSource<'a> {
    /// A file with `file:line` on each line.
    List(&'a Path),
    /// The fix as a unified diff.
    Diff(&'a Path),
    /// The project's root after the fix.
    Fixed(&'a Path),
}

impl FaultSource<'_> {
    /// Reads the faulty lines; `root` is the project before the fix.
    pub fn read(&self, spectrum: &Spectrum, root: &Path) -> Result<Vec<FaultLine>, InputError> {
        match self {
            Self::List(path) => {
                let text = fs::read(path).map_err(InputError::read(path))?;
                let text = String::from_utf8_lossy(&text);
                Ok(faults_from_list(&text, &path.display().to_string())?)
            }
            Self::Diff(path) => {
                let text = fs::read(path).map_err(InputError::read(path))?;
                Ok(faults_from_diff(&text, &path.display().to_string())?)
            }
            Self::Fixed(fixed) => from_trees(spectrum, root, fixed),
        }
    }
}

/// Compares the files that are ranked, before and after the fix.
fn from_trees(spectrum: &Spectrum, root: &Path, fixed: &Path) -> Result<Vec<FaultLine>, InputError> {
    let mut faults = Vec::new();
    let mut compared = 0;
    for file in spectrum.files() {
        // A file that is in only one of the trees says nothing about lines.
        if let (Ok(before), Ok(after)) = (read_below(root, file), read_below(fixed, file)) {
            compared += 1;
            faults.extend(faults_from_versions(file, &before, &after));
        }
    }
    let (fixed, root) = (fixed.to_owned(), root.to_owned());
    if compared == 0 {
        return Err(InputError::NothingToCompare { fixed, root });
    }
    if faults.is_empty() {
        return Err(InputError::NothingDiffers { fixed, root, compared });
    }
    Ok(faults)
}
