//! Where the links of a tree lead in a copy of it.

use std::io;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

/// Symbolic links of a tree.
pub struct Links {
    /// The tree, without links on the way to it.
    root: PathBuf,
}

impl Links {
    /// For a tree.
    pub fn new(root: &Path) -> io::Result<Self> {
        Ok(Self { root: root.canonicalize()? })
    }

    /// Where a link at a place inside of the tree must lead in a copy: into the copy if it leads into the tree, by a
    /// relative path; else where it led, by an absolute one.
    pub fn copied(&self, inside: &Path, target: &Path) -> PathBuf {
        let parent = inside.parent().unwrap_or(Path::new(""));
        if stays_inside(parent, target) {
            return target.to_owned();
        }
        let full = normal(&self.root.join(parent).join(target));
        match full.strip_prefix(&self.root) {
            Ok(rest) => {
                let up: PathBuf = parent.components().map(|_| Component::ParentDir).collect();
                let path = up.join(rest);
                if path.as_os_str().is_empty() { PathBuf::from(".") } else { path }
            }
            Err(_) => full,
        }
    }
}

impl Links {
    /// Whether a link at a place inside of the tree leads into the tree, but not into its own top directory.
    pub fn is_back(&self, inside: &Path, target: &Path) -> bool {
        let parent = inside.parent().unwrap_or(Path::new(""));
        let full = normal(&self.root.join(parent).join(target));
        let own = inside.components().next().map(|first| self.root.join(first));
        full.starts_with(&self.root) && own.is_none_or(|own| !full.starts_with(own))
    }
}

/// Whether a path never climbs out of the tree, seen from a directory in it.
fn stays_inside(parent: &Path, target: &Path) -> bool {
    let mut depth = parent.components().count();
    target.components().all(|component| match component {
        Component::ParentDir if depth == 0 => false,
        Component::ParentDir => {
            depth -= 1;
            true
        }
        Component::CurDir => true,
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::RootDir | Component::Prefix(_) => false,
    })
}

/// A path without `.` and `..`, by its words alone: what it names need not exist.
fn normal(path: &Path) -> PathBuf {
    let mut all = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(all.pop()),
            Component::CurDir => {}
            other => all.push(other),
        }
    }
    all
}
