//! The runtime of Java and Kotlin: a class in each source root.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::SourceFile;
use crate::lex::TokenKind;

use super::setup::LanguageRuntime;
use super::setup::Setup;

const SOURCE: &str = include_str!("java/W.java");

/// Tokens of a file among which its package is named.
const HEAD: usize = 200;

/// Java.
pub struct Java;

impl LanguageRuntime for Java {
    fn companions(&self, setup: &Setup, files: &[(&Path, &SourceFile)]) -> BTreeMap<PathBuf, Vec<u8>> {
        let roots: BTreeSet<PathBuf> = files.iter().map(|(path, file)| source_root(path, file)).collect();
        let class = |root: PathBuf| (root.join("wildcaught/rt/W.java"), setup.fill(SOURCE).into_bytes());
        roots.into_iter().map(class).collect()
    }
}

/// The directory in which a file's packages are.
fn source_root(path: &Path, file: &SourceFile) -> PathBuf {
    let mut root = path.parent().unwrap_or(Path::new("")).to_owned();
    let Some(start) = (0..file.tokens.len().min(HEAD)).find(|&at| file.token(at) == b"package") else {
        return root;
    };
    let names = (start + 1..file.tokens.len())
        .take_while(|&at| file.token(at) != b";")
        .filter(|&at| file.tokens[at].kind == TokenKind::Identifier);
    for _ in names {
        root.pop();
    }
    root
}
