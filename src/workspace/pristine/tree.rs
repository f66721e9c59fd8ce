//! One tree that is restored after every run.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;

use super::changes::TreeChanges;
use super::kept::Kept;
use super::watch::TreeWatch;

/// A tree, and how to get back to what it was.
pub struct Pristine {
    tree: PathBuf,
    shared: Arc<Shared>,
    watch: TreeWatch,
}

/// What trees have in common that are copies of each other.
struct Shared {
    kept: Kept,
    /// Paths that unchanged programs write, too.
    expected: Mutex<BTreeSet<PathBuf>>,
}

impl Pristine {
    /// Keeps a tree as it is now.
    pub fn keep(tree: &Path) -> io::Result<Self> {
        let shared = Shared { kept: Kept::of(tree)?, expected: Mutex::default() };
        Ok(Self { tree: tree.to_owned(), shared: Arc::new(shared), watch: TreeWatch::over(tree) })
    }

    /// Watches a copy of the tree, which shares what is kept.
    pub fn copied_to(&self, copy: &Path) -> Self {
        Self { tree: copy.to_owned(), shared: self.shared.clone(), watch: TreeWatch::over(copy) }
    }

    /// Takes note that programs that nobody changed write to these paths.
    pub fn expect(&self, paths: impl IntoIterator<Item = PathBuf>) {
        self.shared.expected.lock().expect("the lock is not poisoned").extend(paths);
    }

    /// Takes what was changed since the last look as right, and expects it from now on.
    pub fn adopt(&mut self) -> io::Result<BTreeSet<PathBuf>> {
        let mut adopted = BTreeSet::new();
        for path in self.changed()? {
            if self.shared.kept.adopt(&self.tree, &path)? {
                adopted.insert(path);
            }
        }
        self.expect(adopted.iter().cloned());
        Ok(adopted)
    }

    /// Puts right what was changed since the last look. Paths that unchanged programs write to are restored, too, but
    /// are not told.
    pub fn restore(&mut self) -> io::Result<TreeChanges> {
        let mut changes = TreeChanges::default();
        let changed = self.changed()?;
        if changed.is_empty() {
            return Ok(changes);
        }
        // Some may fail as the disk is full, until what filled it is removed.
        let mut failed = vec![];
        for path in changed {
            match self.shared.kept.restore(&self.tree, &path) {
                Ok(difference) => changes.add(difference, path),
                Err(_) => failed.push(path),
            }
        }
        for path in failed {
            changes.add(self.shared.kept.restore(&self.tree, &path)?, path);
        }
        // Directories may be new ones; and what was told now is our own doing.
        self.watch.skip()?;
        let expected = self.shared.expected.lock().expect("the lock is not poisoned");
        for list in [&mut changes.wrote, &mut changes.removed] {
            list.retain(|path| !expected.contains(path));
        }
        Ok(changes)
    }

    /// Paths that may have changed since the last look, parents before what is in them.
    fn changed(&mut self) -> io::Result<BTreeSet<PathBuf>> {
        self.watch.changed(|directory| self.shared.kept.below(directory))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::fs::symlink;

    use super::super::kept::paths_below;
    use super::super::watch::SCRATCH;
    use super::*;

    /// What a tree looks like: paths, modes, contents.
    fn looks(tree: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
        let look = |path: PathBuf| {
            let full = tree.join(&path);
            let about = full.symlink_metadata().unwrap();
            let link = || fs::read_link(&full).map(|to| to.into_os_string().into_encoded_bytes());
            let bytes = if about.is_file() { fs::read(&full) } else { link() };
            (path, about.permissions().mode(), bytes.unwrap_or_default())
        };
        let mut paths = paths_below(tree, Path::new(""));
        paths.sort();
        paths.into_iter().map(look).collect()
    }

    fn tree() -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        for directory in ["src/deep", "out", SCRATCH] {
            fs::create_dir_all(tree.path().join(directory)).unwrap();
        }
        for (path, text) in [("src/a.c", "a"), ("src/deep/b.c", "b"), ("prog", "run"), ("out/log", "1")] {
            fs::write(tree.path().join(path), text).unwrap();
        }
        fs::set_permissions(tree.path().join("prog"), PermissionsExt::from_mode(0o755)).unwrap();
        symlink("src/a.c", tree.path().join("link")).unwrap();
        tree
    }

    /// By both ways of looking.
    fn both(tree: &Path) -> [Pristine; 2] {
        let notify = Pristine::keep(tree).unwrap();
        let mut manifest = notify.copied_to(tree);
        manifest.watch = TreeWatch::by_manifest(tree);
        [notify, manifest]
    }

    /// Does something to a tree; what was told, after it is the same again, twice.
    #[track_caller]
    fn told(spoil: impl Fn(&Path)) -> String {
        let mut notes = vec![];
        for which in 0..2 {
            let tree = tree();
            let before = looks(tree.path());
            let [notify, manifest] = both(tree.path());
            let mut pristine = if which == 0 { notify } else { manifest };
            for _ in 0..2 {
                spoil(tree.path());
                assert_ne!(looks(tree.path()), before);
                notes.push(pristine.restore().unwrap().note());
                assert_eq!(looks(tree.path()), before);
                assert!(pristine.restore().unwrap().is_empty());
            }
        }
        assert!(notes.iter().all(|note| *note == notes[0]), "{notes:?}");
        notes.swap_remove(0)
    }

    #[test]
    fn what_was_written_added_and_removed_is_put_right() {
        let note = told(|tree| {
            fs::write(tree.join("src/a.c"), "x").unwrap();
            fs::write(tree.join("new"), "x").unwrap();
            fs::remove_file(tree.join("prog")).unwrap();
        });
        assert_eq!(note, "changed its tree: wrote new and src/a.c, removed prog");
    }

    #[test]
    fn modes_and_links_are_put_right() {
        let note = told(|tree| {
            fs::set_permissions(tree.join("prog"), PermissionsExt::from_mode(0o600)).unwrap();
            fs::remove_file(tree.join("link")).unwrap();
            symlink("/etc/passwd", tree.join("link")).unwrap();
        });
        assert_eq!(note, "changed its tree: wrote link and prog");
    }

    #[test]
    fn a_directory_that_went_or_came_is_put_right_and_watched_again() {
        let note = told(|tree| {
            fs::remove_dir_all(tree.join("src")).unwrap();
            fs::create_dir_all(tree.join("more/and/more")).unwrap();
            fs::write(tree.join("more/and/file"), "x").unwrap();
        });
        assert_eq!(note, "changed its tree: wrote more, removed src");
    }

    #[test]
    fn a_directory_that_was_made_anew_is_compared() {
        let note = told(|tree| {
            fs::rename(tree.join("src"), tree.join("old")).unwrap();
            fs::create_dir_all(tree.join("src/deep")).unwrap();
            fs::write(tree.join("src/deep/b.c"), "b").unwrap();
            fs::write(tree.join("src/a.c"), "y").unwrap();
        });
        assert!(note.contains("wrote old and src/a.c"), "{note}");
    }

    #[test]
    fn a_link_in_the_place_of_a_directory_leads_nothing_outside() {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("deep")).unwrap();
        fs::write(outside.path().join("a.c"), "theirs").unwrap();
        told(|tree| {
            fs::write(tree.join("src/a.c"), "x").unwrap();
            fs::remove_dir_all(tree.join("src")).unwrap();
            symlink(outside.path(), tree.join("src")).unwrap();
        });
        assert_eq!(fs::read(outside.path().join("a.c")).unwrap(), b"theirs");
        assert!(!outside.path().join("deep/b.c").exists());
    }

    #[test]
    fn more_events_than_the_queue_holds_are_made_up_for() {
        let tree = tree();
        let before = looks(tree.path());
        let mut pristine = Pristine::keep(tree.path()).unwrap();
        let most = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
        let most: usize = most.trim().parse().unwrap();
        for number in 0..most.min(100_000) / 2 {
            let path = tree.path().join(format!("out/{}", number % 7));
            fs::write(&path, "x").unwrap();
            fs::remove_file(path).unwrap();
        }
        fs::write(tree.path().join("src/deep/b.c"), "x").unwrap();
        assert_eq!(pristine.restore().unwrap().wrote, [PathBuf::from("src/deep/b.c")]);
        assert_eq!(looks(tree.path()), before);
    }

    #[test]
    fn what_unchanged_programs_write_is_put_right_but_not_told() {
        for which in 0..2 {
            let tree = tree();
            let mut all = both(tree.path());
            let pristine = &mut all[which];
            fs::write(tree.path().join("out/log"), "22").unwrap();
            assert_eq!(pristine.adopt().unwrap(), BTreeSet::from(["out/log".into()]));
            fs::write(tree.path().join("out/log"), "poison").unwrap();
            assert!(pristine.restore().unwrap().is_empty());
            assert_eq!(fs::read(tree.path().join("out/log")).unwrap(), b"22");
        }
    }

    #[test]
    fn files_of_runners_are_their_own() {
        for which in 0..2 {
            let tree = tree();
            let pristine = &mut both(tree.path())[which];
            let reach = tree.path().join(SCRATCH).join("reach");
            fs::write(&reach, "1").unwrap();
            assert!(pristine.restore().unwrap().is_empty() && reach.exists());
        }
    }
}
