//! One copy of a tree.

use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use tempfile::TempDir;
use walkdir::DirEntry;
use walkdir::WalkDir;

/// What of a tree is copied.
#[derive(Clone, Debug, Default)]
pub struct Copying {
    /// Names of files and directories that are left out, besides version control.
    pub skip: Vec<String>,
    /// Names of directories that the copy only points to.
    pub link: Vec<String>,
    /// A directory that is left out, wherever it is.
    pub except: Option<PathBuf>,
}

impl Copying {
    fn skips(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name().to_string_lossy();
        matches!(&*name, ".git" | ".hg" | ".svn")
            || name.starts_with("wildcaught.out")
            || name == super::in_place::DIRECTORY
            || self.skip.iter().any(|skip| *skip == *name)
            || self.except.as_ref().is_some_and(|except| is_same(entry, except))
    }

    fn links(&self, entry: &DirEntry) -> bool {
        self.link.iter().any(|link| *link == *entry.file_name().to_string_lossy())
    }
}

/// Whether an entry is this directory; names are compared first, since they are at hand.
fn is_same(entry: &DirEntry, directory: &Path) -> bool {
    let Ok(full) = directory.canonicalize() else { return false };
    full.file_name() == Some(entry.file_name()) && entry.path().canonicalize().is_ok_and(|path| path == full)
}

/// A copy of a tree, removed when dropped.
pub struct Workspace {
    directory: TempDir,
}

impl Workspace {
    /// Copies `root`, all but version control. Files are cloned where the file system can do that; they
    /// keep their times, so that a build finds them as new or old as they are.
    pub fn copy(root: &Path, copying: &Copying) -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("wildcaught-").tempdir()?;
        let mut entries =
            WalkDir::new(root).min_depth(1).into_iter().filter_entry(|entry| !copying.skips(entry));
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let inside = entry.path().strip_prefix(root).expect("it was found there");
            let to = directory.path().join(inside);
            let kind = entry.file_type();
            if kind.is_dir() && copying.links(&entry) {
                point_to(&entry.path().canonicalize()?, &to)?;
                entries.skip_current_dir();
            } else if kind.is_dir() {
                fs::create_dir_all(&to)?;
            } else if kind.is_symlink() {
                point_to(&fs::read_link(entry.path())?, &to)?;
            } else if kind.is_file() {
                copy_file(&entry, &to)?;
            }
        }
        Ok(Self { directory })
    }

    /// Where the copy is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Keeps the copy; gives where it is.
    pub fn keep(self) -> PathBuf {
        self.directory.keep()
    }

    /// Writes a file of the copy; directories that it needs are made.
    pub fn write(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.path().join(inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)
    }
}

fn point_to(target: &Path, link: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, link);
    #[cfg(not(unix))]
    return fs::copy(target, link).map(drop);
}

fn copy_file(entry: &DirEntry, to: &Path) -> io::Result<()> {
    fs::copy(entry.path(), to)?;
    let modified = entry.metadata()?.modified()?;
    // A file that may not be written to keeps the time of the copy.
    if let Ok(file) = File::options().write(true).open(to) {
        file.set_modified(modified)?;
    }
    Ok(())
}
