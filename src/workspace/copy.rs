//! One copy of a tree.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;
use walkdir::WalkDir;

/// A copy of a tree, removed when dropped.
pub struct Workspace {
    directory: TempDir,
}

impl Workspace {
    /// Copies `root`, all but version control. Files are cloned where the file system can do that.
    pub fn copy(root: &Path) -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("wildcaught-").tempdir()?;
        let entries = WalkDir::new(root)
            .min_depth(1)
            .into_iter()
            .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | ".hg" | ".svn")));
        for entry in entries {
            let entry = entry?;
            let inside = entry.path().strip_prefix(root).expect("it was found there");
            let to = directory.path().join(inside);
            let kind = entry.file_type();
            if kind.is_dir() {
                fs::create_dir_all(&to)?;
            } else if kind.is_symlink() {
                #[cfg(unix)]
                std::os::unix::fs::symlink(fs::read_link(entry.path())?, &to)?;
            } else if kind.is_file() {
                fs::copy(entry.path(), &to)?;
            }
        }
        Ok(Self { directory })
    }

    /// Where the copy is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file of the copy.
    pub fn write(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::write(self.path().join(inside), bytes)
    }
}
