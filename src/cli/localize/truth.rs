//! Where the fault is, as the options say it.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::analysis::localize::FaultLine;
use crate::analysis::localize::Spectrum;
use crate::analysis::localize::faults_from_diff;
use crate::analysis::localize::faults_from_list;
use crate::analysis::localize::faults_from_versions;

use super::args::TruthArgs;

/// The faulty lines, if the options name them.
pub fn faults(args: &TruthArgs, spectrum: &Spectrum, root: &Path) -> Result<Option<Vec<FaultLine>>> {
    if let Some(path) = &args.faults {
        let text = read(path)?;
        let text = String::from_utf8_lossy(&text);
        return Ok(Some(faults_from_list(&text, &path.display().to_string())?));
    }
    if let Some(path) = &args.fix_diff {
        return Ok(Some(faults_from_diff(&read(path)?, &path.display().to_string())?));
    }
    args.fixed.as_deref().map(|fixed| from_trees(spectrum, root, fixed)).transpose()
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Compares the files that are ranked, before and after the fix.
fn from_trees(spectrum: &Spectrum, root: &Path, fixed: &Path) -> Result<Vec<FaultLine>> {
    let mut faults = Vec::new();
    let mut compared = 0;
    for file in spectrum.files() {
        // A file that is in one of the trees only tells nothing about lines.
        if let (Ok(before), Ok(after)) = (fs::read(root.join(file)), fs::read(fixed.join(file))) {
            compared += 1;
            faults.extend(faults_from_versions(file, &before, &after));
        }
    }
    if compared == 0 {
        bail!(
            "{}: no file of the matrix is there and under {}; check --root",
            fixed.display(),
            root.display()
        );
    }
    if faults.is_empty() {
        bail!("{}: none of {compared} files differs from those under {}", fixed.display(), root.display());
    }
    Ok(faults)
}
