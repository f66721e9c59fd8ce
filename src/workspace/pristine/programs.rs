//! Programs outside of the tree that runs use, and what they were.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;

use super::changes::TreeChanges;
use super::kept::Difference;
use super::kept::put_right;
use super::manifest::Stamp;

/// Programs that must stay as they are. Looking at them costs a system call each.
pub struct Programs {
    kept: TempDir,
    programs: Vec<(PathBuf, Option<Stamp>)>,
}

impl Programs {
    /// Keeps a copy of each program that is outside of a tree.
    pub fn outside(tree: &Path, programs: &[PathBuf]) -> io::Result<Self> {
        let kept = tempfile::Builder::new().prefix("wildcaught-").tempdir()?;
        let outside = programs.iter().filter(|path| path.is_absolute() && !path.starts_with(tree));
        let outside: Vec<&PathBuf> = outside.filter(|path| path.is_file()).collect();
        for (number, path) in outside.iter().enumerate() {
            put_right(path, &kept.path().join(number.to_string()))?;
        }
        let programs = outside.into_iter().map(|path| (path.clone(), stamp(path))).collect();
        Ok(Self { kept, programs })
    }

    /// Puts right what was changed, and adds it to the changes.
    pub fn restore(&mut self, changes: &mut TreeChanges) -> io::Result<()> {
        for (number, (path, known)) in self.programs.iter_mut().enumerate() {
            let now = stamp(path);
            if now == *known {
                continue;
            }
            match put_right(&self.kept.path().join(number.to_string()), path)? {
                Some(Difference::Removed) => changes.removed.push(path.clone()),
                Some(Difference::Wrote) => changes.wrote.push(path.clone()),
                None => {}
            }
            *known = stamp(path);
        }
        Ok(())
    }
}

/// The stamp of a program; none if it is gone.
fn stamp(path: &Path) -> Option<Stamp> {
    path.symlink_metadata().ok().map(|about| Stamp::of(&about))
}
