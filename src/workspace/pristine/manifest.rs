//! The times and sizes of all files of a tree, for systems that do not tell who changes them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

/// What changes when a file is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    size: u64,
    inode: u64,
    mode: u32,
    /// When its content, its name or its mode changed last; no program can set it.
    changed: (i64, i64),
}

impl Stamp {
    /// The stamp of a file.
    #[cfg(unix)]
    pub fn of(about: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let changed = (about.ctime(), about.ctime_nsec());
        // The content of a directory changes it; what matters of that is seen in its files.
        let changed = if about.is_dir() { (0, 0) } else { changed };
        let size = if about.is_dir() { 0 } else { about.size() };
        Self { size, inode: about.ino(), mode: about.mode(), changed }
    }

    #[cfg(not(unix))]
    pub fn of(about: &Metadata) -> Self {
        let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
        let changed = about.modified().ok().and_then(since).unwrap_or_default();
        let changed = (changed.as_secs() as i64, i64::from(changed.subsec_nanos()));
        let mode = u32::from(about.permissions().readonly());
        Self { size: about.len(), inode: 0, mode, changed }
    }
}

/// The stamps of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    stamps: BTreeMap<PathBuf, Stamp>,
}

impl Manifest {
    /// The stamps as they are now.
    pub fn of(tree: &Path) -> Self {
        // What cannot be read is missing here, and so differs.
        let entries = WalkDir::new(tree).min_depth(1).into_iter().filter_map(Result::ok);
        let stamp = |entry: walkdir::DirEntry| {
            let inside = entry.path().strip_prefix(tree).ok()?.to_owned();
            Some((inside, Stamp::of(&entry.metadata().ok()?)))
        };
        Self { stamps: entries.filter_map(stamp).collect() }
    }

    /// Paths that are in one of two manifests only, or differ.
    pub fn differing(&self, other: &Self) -> BTreeSet<PathBuf> {
        let gone = self.stamps.iter().filter(|(path, stamp)| other.stamps.get(*path) != Some(stamp));
        let new = other.stamps.keys().filter(|path| !self.stamps.contains_key(*path));
        gone.map(|(path, _)| path).chain(new).cloned().collect()
    }
}
