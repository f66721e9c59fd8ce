//! Files that are restored before and after each case, so that neither a case nor the next runner of a tree finds
//! what another case wrote.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;

use crate::files::Beneath;

use super::request::RunError;

/// How much is kept at the most.
const MOST_BYTES: u64 = 256 << 20;

/// Files of a tree as they were.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    tree: PathBuf,
    files: Vec<KeptFile>,
}

#[derive(Clone, Debug)]
struct KeptFile {
    inside: PathBuf,
    bytes: Vec<u8>,
    /// What the file system says of it while nobody wrote to it: which file, its size, and when it was written.
    seen: Option<(u64, u64, i64, i64)>,
}

impl Restored {
    /// Reads the files as they are now.
    pub fn new(tree: &Path, files: Vec<String>) -> Result<Self, RunError> {
        let mut kept = Vec::new();
        let mut left = MOST_BYTES;
        for inside in files.into_iter().map(PathBuf::from) {
            let path = tree.join(&inside);
            let bytes = fs::read(&path).map_err(RunError::io(path.display().to_string()))?;
            left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                RunError::Broken(
                    "the files under restore in [tests] are larger than 256 MiB; name fewer".into(),
                )
            })?;
            kept.push(KeptFile { seen: seen(&path), inside, bytes });
        }
        Ok(Self { tree: tree.to_owned(), files: kept })
    }

    /// Puts back what was written or removed.
    pub fn put_back(&mut self) -> Result<(), RunError> {
        for file in &mut self.files {
            let path = self.tree.join(&file.inside);
            if file.seen.is_some() && seen(&path) == file.seen {
                continue;
            }
            let is_link = path.is_symlink();
            let written = Beneath::open(&self.tree).and_then(|tree| {
                // What a link leads to is not the file that was there.
                if is_link {
                    tree.remove_file(&file.inside)?;
                }
                tree.write(&file.inside, &file.bytes)
            });
            written.map_err(RunError::io(path.display().to_string()))?;
            file.seen = seen(&path);
        }
        Ok(())
    }
}

fn seen(path: &Path) -> Option<(u64, u64, i64, i64)> {
    let known = fs::symlink_metadata(path).ok()?;
    Some((known.ino(), known.size(), known.mtime(), known.mtime_nsec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_removed_or_replaced_is_put_back() {
        let tree = tempfile::tempdir().unwrap();
        let path = |name: &str| tree.path().join(name);
        for name in ["a", "b", "c", "d"] {
            fs::write(path(name), name).unwrap();
        }
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut restored = Restored::new(tree.path(), names).unwrap();
        for _ in 0..2 {
            fs::write(path("a"), "other").unwrap();
            fs::remove_file(path("b")).unwrap();
            fs::remove_file(path("c")).unwrap();
            std::os::unix::fs::symlink("d", path("c")).unwrap();
            restored.put_back().unwrap();
            for name in ["a", "b", "c", "d"] {
                assert_eq!(fs::read_to_string(path(name)).unwrap(), name);
                assert!(!path(name).is_symlink());
            }
        }
        assert!(Restored::new(tree.path(), vec!["none".into()]).is_err());
    }
}
