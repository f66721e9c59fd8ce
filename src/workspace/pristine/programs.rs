//! Programs outside of the tree that runs use, and what they were.

use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::files::TemporaryDirectory;

use super::changes::TreeChanges;
use super::kept::put_right;
use super::manifest::Stamp;

/// Programs that must stay as they are. Looking at them costs a system call each.
#[derive(Default)]
pub struct Programs {
    kept: Option<TemporaryDirectory>,
    programs: Vec<(PathBuf, Option<Stamp>)>,
}

impl Programs {
    /// Keeps a copy of each program that is outside of a tree.
    pub fn outside(tree: &Path, programs: &[PathBuf]) -> io::Result<Self> {
        let outside = programs.iter().filter(|path| path.is_absolute() && !path.starts_with(tree));
        let outside: Vec<&PathBuf> = outside.filter(|path| path.is_file()).collect();
        if outside.is_empty() {
            return Ok(Self::default());
        }
        let kept = TemporaryDirectory::new("programs")?;
        for (number, path) in outside.iter().enumerate() {
            put_right(path, &kept.path().join(number.to_string()))?;
        }
        let programs = outside.into_iter().map(|path| (path.clone(), stamp(path))).collect();
        Ok(Self { kept: Some(kept), programs })
    }

    /// Puts right what was changed, and adds it to the changes.
    pub fn restore(&mut self, changes: &mut TreeChanges) -> io::Result<()> {
        let Some(kept) = &self.kept else { return Ok(()) };
        for (number, (path, known)) in self.programs.iter_mut().enumerate() {
            let now = stamp(path);
            if now == *known {
                continue;
            }
            changes.add(put_right(&kept.path().join(number.to_string()), path)?, path.clone());
            *known = stamp(path);
        }
        Ok(())
    }
}

/// The stamp of a program; none if it is gone.
fn stamp(path: &Path) -> Option<Stamp> {
    path.symlink_metadata().ok().map(|about| Stamp::of(&about))
}
