//! The runtime of Go: a file in each package.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::SourceFile;

use super::setup::LanguageRuntime;
use super::setup::Setup;

const SOURCE: &str = include_str!("go/wildcaught_rt.go");

/// Go.
pub struct Go;

impl LanguageRuntime for Go {
    fn companions(&self, setup: &Setup, files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        let source = setup.fill(SOURCE);
        let beside = |(path, file): &(&Path, &SourceFile)| {
            let text = source.replace("@PACKAGE@", &package(file).unwrap_or_default());
            (path.with_file_name("wildcaught_rt.go"), text.into_bytes())
        };
        files.iter().map(beside).collect()
    }
}

/// The name of the package that a file is in.
fn package(file: &SourceFile) -> Option<String> {
    let at = (0..file.tokens.len()).find(|&at| file.token(at) == b"package")?;
    (at + 1 < file.tokens.len()).then(|| String::from_utf8_lossy(file.token(at + 1)).into_owned())
}
