//! The trees of a fix: the fixed revision with its own tests, and with those from before.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use globset::GlobSet;

use crate::files::Beneath;
use crate::files::TemporaryDirectory;
use crate::history::ChangedPath;
use crate::history::HistoryError;
use crate::history::SmallFix;
use crate::history::Snapshots;
use crate::history::blocks;
use crate::langdef::LangDef;
use crate::pipeline::coupling::fault::Fault;

/// A tree on disk whose one file has a fault, or has it no more.
pub(super) struct Tree {
    beneath: Beneath,
    /// The file that was fixed, inside of the tree.
    pub file: PathBuf,
    pub fixed: Vec<u8>,
    faulty: Vec<u8>,
    /// Where the fixing lines begin in the fixed text.
    pub at: usize,
}

/// Both trees of a fix.
pub(super) struct Trees {
    pub new: Tree,
    pub old: Tree,
    // Dropped last.
    _home: TemporaryDirectory,
}

/// Where the fix and its revisions are.
pub(super) struct Revisions<'a> {
    pub def: &'a LangDef,
    pub snapshots: &'a Snapshots,
    pub tests: &'a GlobSet,
    pub fix: &'a SmallFix,
    pub parent: &'a str,
    pub changed: &'a [ChangedPath],
}

impl Tree {
    /// Where it is.
    pub fn root(&self) -> &Path {
        self.beneath.path()
    }

    /// Puts the fault into the file, or takes it out again.
    pub fn put_fault(&self, fault: bool) -> io::Result<()> {
        self.beneath.write(&self.file, if fault { &self.faulty } else { &self.fixed })
    }
}

impl Revisions<'_> {
    /// Writes both trees; none if the fixing lines are not found in the revision before.
    pub fn trees(&self, fault: &Fault) -> Result<Option<Trees>, HistoryError> {
        let home = TemporaryDirectory::new("fix").map_err(io_at(Path::new("a temporary directory")))?;
        let path = &fault.block.path;
        let fixed = fault.target.files[fault.file].text.clone();
        let at = fault.block.after.start as usize;
        let new = self.check_out(&self.fix.commit, &home.path().join("new"))?;
        let file = PathBuf::from(String::from_utf8_lossy(path).into_owned());
        let new = Tree { beneath: new, file: file.clone(), fixed, faulty: fault.faulty.clone(), at };
        let Some(before) = self.snapshots.file(self.parent, path)? else { return Ok(None) };
        let Some((text, at)) = with_fix(&before, &new.fixed, at) else { return Ok(None) };
        let old = self.check_out(self.parent, &home.path().join("old"))?;
        self.renew_sources(&old, path)?;
        let old = Tree { beneath: old, file, fixed: text, faulty: before, at };
        for tree in [&new, &old] {
            tree.put_fault(false).map_err(io_at(&tree.file))?;
        }
        Ok(Some(Trees { new, old, _home: home }))
    }

    fn check_out(&self, commit: &str, directory: &Path) -> Result<Beneath, HistoryError> {
        self.snapshots.check_out(commit, directory)?;
        Beneath::open(directory).map_err(io_at(directory))
    }

    /// Brings the other sources of the old tree to the fixed revision. What the fix changed there are comments and
    /// tests inside of sources, or whole files that only one revision has.
    fn renew_sources(&self, old: &Beneath, fixed: &[u8]) -> Result<(), HistoryError> {
        for changed in self.changed {
            let name = String::from_utf8_lossy(&changed.path);
            let listed = self.fix.blocks.iter().any(|block| block.path == changed.path);
            if !self.def.owns(&changed.path)
                || self.tests.is_match(name.as_ref())
                || listed
                || changed.path == fixed
            {
                continue;
            }
            let inside = Path::new(name.as_ref());
            let text = self.snapshots.file(&self.fix.commit, &changed.path)?;
            match text {
                Some(text) => old.write(inside, &text).map_err(io_at(inside))?,
                None => old.remove_file(inside).map_err(io_at(inside))?,
            }
        }
        Ok(())
    }
}

/// The text from before with the fixing lines in it, and where they begin; none if they are not one block.
fn with_fix(before: &[u8], fixed: &[u8], at: usize) -> Option<(Vec<u8>, usize)> {
    let all = blocks(before, fixed);
    let block = all.iter().find(|block| block.after.start as usize == at)?;
    let (gone, come) = (block.before.range(), block.after.range());
    let text = [&before[..gone.start], &fixed[come], &before[gone.end..]].concat();
    Some((text, gone.start))
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> HistoryError {
    let path = path.to_owned();
    move |error| HistoryError::Io { path, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_inside_of_the_fixed_file_stay_as_they_were() {
        let before = "fn f() {\n    1\n}\n\nmod tests {\n    old();\n}\n";
        let fixed = "fn f() {\n    2\n}\n\nmod tests {\n    new();\n}\n";
        let at = fixed.find("    2").unwrap();
        let (text, place) = with_fix(before.as_bytes(), fixed.as_bytes(), at).unwrap();
        assert_eq!(text, before.replace('1', "2").as_bytes());
        assert_eq!(place, at);
        assert_eq!(with_fix(before.as_bytes(), fixed.as_bytes(), 0), None);
    }
}
