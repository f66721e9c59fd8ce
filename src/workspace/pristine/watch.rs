//! Which paths of a tree may have changed since the last look.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use super::kept::paths_below;
use super::manifest::Manifest;
#[cfg(target_os = "linux")]
use super::notify::Notify;

/// The directory of runners' own files, inside of a tree. Files directly in it are theirs to write.
pub const SCRATCH: &str = "wildcaught.scratch";

/// Watches a tree.
pub struct TreeWatch {
    tree: PathBuf,
    by: By,
}

/// How changes are found.
enum By {
    #[cfg(target_os = "linux")]
    Notify(Notify),
    Manifest(Manifest),
}

impl TreeWatch {
    /// Watches a tree as well as the system lets us.
    pub fn over(tree: &Path) -> Self {
        #[cfg(target_os = "linux")]
        if let Ok(notify) = Notify::over(tree) {
            return Self { tree: tree.to_owned(), by: By::Notify(notify) };
        }
        Self::by_manifest(tree)
    }

    /// Watches a tree by comparing all of its files.
    pub(super) fn by_manifest(tree: &Path) -> Self {
        Self { tree: tree.to_owned(), by: By::Manifest(Manifest::of(tree)) }
    }

    /// Paths that were written since the last look, or seem so.
    pub fn written(&mut self) -> io::Result<BTreeSet<PathBuf>> {
        self.changed(|_| vec![])
    }

    /// Paths that may have changed since the last look. `below` lists what else was below a directory.
    pub(super) fn changed(&mut self, below: impl Fn(&Path) -> Vec<PathBuf>) -> io::Result<BTreeSet<PathBuf>> {
        let mut changed = match &mut self.by {
            #[cfg(target_os = "linux")]
            By::Notify(notify) => {
                let told = notify.look()?;
                let mut paths = told.paths;
                for directory in told.whole {
                    paths.extend(below(&directory));
                    paths.extend(paths_below(&self.tree, &directory));
                    notify.add(&directory)?;
                    paths.insert(directory);
                }
                paths
            }
            By::Manifest(known) => {
                let now = Manifest::of(&self.tree);
                let differing = known.differing(&now);
                *known = now;
                differing
            }
        };
        changed.retain(|path| path.parent() != Some(Path::new(SCRATCH)) || self.tree.join(path).is_dir());
        Ok(changed)
    }

    /// Skips what was done since the last look, and watches directories that are new.
    pub(super) fn skip(&mut self) -> io::Result<()> {
        match &mut self.by {
            #[cfg(target_os = "linux")]
            By::Notify(notify) => {
                for directory in notify.look()?.whole {
                    notify.add(&directory)?;
                }
                notify.look().map(drop)
            }
            By::Manifest(known) => {
                *known = Manifest::of(&self.tree);
                Ok(())
            }
        }
    }
}
