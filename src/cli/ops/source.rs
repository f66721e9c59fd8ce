//! Reads a set from a file or from standard input.

use std::fs;
use std::io;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::operator::OperatorSet;
use crate::operator::read_set;

/// A set; `-` is standard input.
pub fn read(path: &Path) -> Result<OperatorSet> {
    let name = name(path);
    let mut bytes = Vec::new();
    if is_standard_input(path) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(path).map(|read| bytes = read)
    }
    .with_context(|| format!("cannot read {name}"))?;
    let Ok(text) = String::from_utf8(bytes) else {
        bail!("{name} is not UTF-8, so it is not an operator set; sets write other bytes as \\xHH");
    };
    Ok(read_set(&text, &name)?)
}

/// Several sets; standard input can be read but once.
pub fn read_all<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<Vec<OperatorSet>> {
    let paths: Vec<&Path> = paths.into_iter().collect();
    if paths.iter().filter(|path| is_standard_input(path)).count() > 1 {
        bail!(
            "`-` is given twice, but standard input can be read only once; write one of the sets to a file"
        );
    }
    paths.into_iter().map(read).collect()
}

/// What messages call a set.
pub fn name(path: &Path) -> String {
    if is_standard_input(path) { "standard input".into() } else { path.display().to_string() }
}

fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}
