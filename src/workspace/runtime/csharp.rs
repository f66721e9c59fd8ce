//! The runtime of C#: a class beside the first file.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::SourceFile;

use super::setup::LanguageRuntime;
use super::setup::Setup;

const SOURCE: &str = include_str!("csharp/W.cs");

/// C#.
pub struct Csharp;

impl LanguageRuntime for Csharp {
    fn companions(&self, setup: &Setup, files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        let class = |path: &Path| (path.with_file_name("WildcaughtW.cs"), setup.fill(SOURCE).into_bytes());
        files.first().map(|(path, _)| class(path)).into_iter().collect()
    }
}
