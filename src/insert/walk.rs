//! Which files of a target are mutated: those of the language, wanted, and written by the project itself.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use globset::Glob;
use globset::GlobSet;
use globset::GlobSetBuilder;
use ignore::WalkBuilder;

use crate::history::CommitSelection;
use crate::history::Unwanted;
use crate::langdef::LangDef;

/// Why a file is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOut {
    /// By the user's glob.
    Excluded,
    Test,
    Vendored,
    Generated,
    Minified,
    /// Binary, or larger than can be read.
    NoText,
}

impl LeftOut {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Excluded => "excluded",
            Self::Test => "test code",
            Self::Vendored => "vendored",
            Self::Generated => "generated",
            Self::Minified => "minified",
            Self::NoText => "no text",
        }
    }
}

/// Why a target could not be read.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    #[error("{}: no such file or directory", .0.display())]
    Missing(PathBuf),
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{0}")]
    Walk(#[from] ignore::Error),
    #[error("glob {glob:?}: {reason}")]
    Glob { glob: String, reason: String },
}

/// Which files the user wants.
#[derive(Clone, Debug, Default)]
pub struct FileChoice {
    /// Globs of files that are skipped.
    pub exclude: Vec<String>,
    /// Mutate tests, too.
    pub tests: bool,
    /// Mutate vendored, generated and minified files, too.
    pub everything: bool,
}

/// The files to mutate, and those that are skipped with the reason.
#[derive(Default)]
pub struct FoundFiles {
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub left_out: Vec<(PathBuf, LeftOut)>,
}

/// Walks through files and directories. What git ignores is not looked at; a file that is named is taken
/// whatever it is, and so is what is inside of a directory of tests that is named.
pub fn walk(def: &LangDef, roots: &[PathBuf], choice: &FileChoice) -> Result<FoundFiles, WalkError> {
    let rules = Rules {
        def,
        selection: CommitSelection::new(def, &[], choice.everything)
            .map_err(|error| WalkError::Glob { glob: String::new(), reason: error.to_string() })?,
        exclude: globs(&choice.exclude)?,
        tests: globs(if choice.tests { &[] } else { &def.file.tests.paths })?,
    };
    let mut found = FoundFiles::default();
    for root in roots {
        if !root.exists() {
            return Err(WalkError::Missing(root.clone()));
        }
        if root.is_file() {
            found.files.push((clean(root), read(root)?));
            continue;
        }
        let mut walk = WalkBuilder::new(root);
        walk.require_git(false).sort_by_file_path(Path::cmp);
        for entry in walk.build() {
            let entry = entry?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                rules.take(root, entry.path(), &mut found)?;
            }
        }
    }
    found.files.sort_by(|a, b| a.0.cmp(&b.0));
    found.files.dedup_by(|a, b| a.0 == b.0);
    found.left_out.sort();
    found.left_out.dedup();
    Ok(found)
}

struct Rules<'a> {
    def: &'a LangDef,
    selection: CommitSelection,
    exclude: GlobSet,
    tests: GlobSet,
}

impl Rules<'_> {
    fn take(&self, root: &Path, path: &Path, found: &mut FoundFiles) -> Result<(), WalkError> {
        let inside = path.strip_prefix(root).unwrap_or(path);
        if !self.def.owns(inside.as_os_str().as_encoded_bytes()) {
            return Ok(());
        }
        let shown = clean(path);
        let unwanted = if self.exclude.is_match(inside) || self.exclude.is_match(&shown) {
            Some(LeftOut::Excluded)
        } else if self.tests.is_match(inside) {
            Some(LeftOut::Test)
        } else {
            self.selection.judge_path(self.def, inside.as_os_str().as_encoded_bytes()).map(reason)
        };
        if let Some(unwanted) = unwanted {
            found.left_out.push((shown, unwanted));
            return Ok(());
        }
        let text = read(path)?;
        match self.selection.judge_text(&text) {
            Some(unwanted) => found.left_out.push((shown, reason(unwanted))),
            None => found.files.push((shown, text)),
        }
        Ok(())
    }
}

fn reason(unwanted: Unwanted) -> LeftOut {
    match unwanted {
        Unwanted::OtherLanguage | Unwanted::OtherPath => LeftOut::Excluded,
        Unwanted::Vendored => LeftOut::Vendored,
        Unwanted::Generated => LeftOut::Generated,
        Unwanted::Minified => LeftOut::Minified,
        Unwanted::Unfit => LeftOut::NoText,
    }
}

fn read(path: &Path) -> Result<Vec<u8>, WalkError> {
    fs::read(path).map_err(|error| WalkError::Read { path: path.to_owned(), error })
}

/// The path without `./`: the same file has one name.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect()
}

fn globs(patterns: &[String]) -> Result<GlobSet, WalkError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let fail = |error: globset::Error| WalkError::Glob {
            glob: pattern.clone(),
            reason: error.kind().to_string(),
        };
        set.add(Glob::new(pattern).map_err(fail)?);
    }
    set.build().map_err(|error| WalkError::Glob { glob: String::new(), reason: error.to_string() })
}
