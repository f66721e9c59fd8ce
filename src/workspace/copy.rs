//! One copy of a tree.

use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use walkdir::DirEntry;
use walkdir::WalkDir;

use crate::files::Beneath;
use crate::files::TemporaryDirectory;

use super::links::Links;

/// What of a tree is copied.
#[derive(Clone, Debug, Default)]
pub struct Copying {
    /// Names of files and directories that are left out, besides version control.
    pub skip: Vec<String>,
    /// Names of directories that the copy only points to; `name=/path` points out of the tree.
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
            || self.is_outside(entry)
            || self.skip.iter().any(|skip| *skip == *name)
            || self.except.as_ref().is_some_and(|except| is_same(entry, except))
    }

    fn links(&self, entry: &DirEntry) -> bool {
        self.link.iter().any(|link| *link == *entry.file_name().to_string_lossy())
    }

    /// Names in the root that point out of the tree, with where they lead.
    fn outside(&self) -> impl Iterator<Item = (&str, &Path)> {
        self.link.iter().filter_map(|link| link.split_once('=')).map(|(name, path)| (name, Path::new(path)))
    }

    fn is_outside(&self, entry: &DirEntry) -> bool {
        entry.depth() == 1 && self.outside().any(|(name, _)| name == entry.file_name().to_string_lossy())
    }
}

/// Whether an entry is this directory; names are compared first, since they are at hand.
fn is_same(entry: &DirEntry, directory: &Path) -> bool {
    let Ok(full) = directory.canonicalize() else { return false };
    full.file_name() == Some(entry.file_name()) && entry.path().canonicalize().is_ok_and(|path| path == full)
}

/// A copy of a tree, removed when dropped. Nothing outside of it is written to, whatever links are in it.
pub struct Workspace {
    beneath: Beneath,
    directory: TemporaryDirectory,
}

impl Workspace {
    /// Copies `root`, all but version control. Files are cloned where the file system can do that; they
    /// keep their times, so that a build finds them as new or old as they are. A link leads where it led, but into
    /// the copy if that was inside of `root`.
    pub fn copy(root: &Path, copying: &Copying) -> io::Result<Self> {
        let directory = TemporaryDirectory::new("copy")?;
        let links = Links::new(root)?;
        let mut entries =
            WalkDir::new(root).min_depth(1).into_iter().filter_entry(|entry| !copying.skips(entry));
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let inside = entry.path().strip_prefix(root).expect("it was found there");
            let to = directory.path().join(inside);
            let kind = entry.file_type();
            if kind.is_dir() && copying.links(&entry) {
                point_to_directory(&links, inside, &entry.path().canonicalize()?, &to)?;
                entries.skip_current_dir();
            } else if kind.is_dir() {
                fs::create_dir_all(&to)?;
            } else if kind.is_symlink() {
                point_to(&links.copied(inside, &fs::read_link(entry.path())?), &to)?;
            } else if kind.is_file() {
                copy_file(&entry, &to)?;
            }
        }
        for (name, target) in copying.outside() {
            match target.is_dir() {
                true => point_to_directory(&links, Path::new(name), target, &directory.path().join(name))?,
                false => point_to(target, &directory.path().join(name))?,
            }
        }
        Ok(Self { beneath: Beneath::open(directory.path())?, directory })
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
        self.beneath.write(inside, bytes)
    }
}

/// The directory in which node finds packages, and in which tools keep what they made:
const MODULES: &str = "node_modules";
/// these names, which a copy has for itself.
const CACHES: [&str; 3] = [".cache", ".vite", ".vitest"];

/// Points to a directory. `node_modules`, and one that has links back into the tree (the packages of a workspace), becomes
/// a directory of links: those lead into the copy, and caches are the copy's own.
fn point_to_directory(links: &Links, inside: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let caches = inside.file_name().is_some_and(|name| name == MODULES);
    if !caches && !leads_back(links, inside, from)? {
        return point_to(from, to);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (place, to) = (inside.join(entry.file_name()), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        let scope = kind.is_dir() && entry.file_name().to_string_lossy().starts_with('@');
        if CACHES.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if kind.is_symlink() {
            point_to(&links.copied(&place, &fs::read_link(entry.path())?), &to)?;
        } else if scope {
            point_to_directory(links, &place, &entry.path(), &to)?;
        } else {
            point_to(&entry.path(), &to)?;
        }
    }
    Ok(())
}

/// Whether a directory, or a scope in it (`@name`), has a link that leads into the tree but not into itself.
fn leads_back(links: &Links, inside: &Path, from: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (place, kind) = (inside.join(entry.file_name()), entry.file_type()?);
        let scope = kind.is_dir() && entry.file_name().to_string_lossy().starts_with('@');
        let back = match kind.is_symlink() {
            true => links.is_back(&place, &fs::read_link(entry.path())?),
            false => scope && leads_back(links, &place, &entry.path())?,
        };
        if back {
            return Ok(true);
        }
    }
    Ok(false)
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

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A project and a neighbour of it.
    fn scene() -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("project");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("src/a.c"), "mine").unwrap();
        fs::write(home.path().join("shared.h"), "shared").unwrap();
        (home, root)
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn nothing_is_written_through_a_linked_directory() {
        let (_home, root) = scene();
        let copying = Copying { link: vec!["src".into()], ..Copying::default() };
        let copy = Workspace::copy(&root, &copying).unwrap();
        assert!(copy.write(Path::new("src/a.c"), b"mutant").is_err());
        assert!(copy.write(Path::new("src/new.c"), b"mutant").is_err());
        assert_eq!(text(&root.join("src/a.c")), "mine");
        assert!(!root.join("src/new.c").exists());
    }

    #[test]
    fn a_source_that_is_a_link_becomes_a_file_of_the_copy_when_it_is_mutated() {
        let (home, root) = scene();
        symlink("../shared.h", root.join("shared.h")).unwrap();
        let copy = Workspace::copy(&root, &Copying::default()).unwrap();
        assert_eq!(text(&copy.path().join("shared.h")), "shared", "a link to outside still leads there");
        copy.write(Path::new("shared.h"), b"mutant").unwrap();
        assert_eq!(text(&copy.path().join("shared.h")), "mutant");
        assert_eq!(text(&home.path().join("shared.h")), "shared");
    }

    #[test]
    fn links_inside_of_the_project_lead_into_the_copy() {
        let (_home, root) = scene();
        fs::create_dir(root.join("deep")).unwrap();
        symlink(root.join("src/a.c"), root.join("deep/absolute.c")).unwrap();
        symlink("../src/a.c", root.join("deep/relative.c")).unwrap();
        symlink("../../project/src/a.c", root.join("deep/around.c")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let copy = Workspace::copy(&root, &Copying::default()).unwrap();
        copy.write(Path::new("src/a.c"), b"mutant").unwrap();
        for name in ["absolute.c", "relative.c", "around.c"] {
            assert_eq!(text(&copy.path().join("deep").join(name)), "mutant", "{name}");
        }
        let second = Workspace::copy(copy.path(), &Copying::default()).unwrap();
        second.write(Path::new("deep/absolute.c"), b"second").unwrap();
        assert_eq!(text(&second.path().join("src/a.c")), "second");
        assert_eq!(text(&copy.path().join("src/a.c")), "mutant");
        assert_eq!(text(&root.join("src/a.c")), "mine");
    }

    #[test]
    fn packages_of_a_workspace_lead_into_the_copy() {
        let (_home, root) = scene();
        fs::create_dir_all(root.join("packages/a")).unwrap();
        fs::write(root.join("packages/a/index.js"), "mine").unwrap();
        fs::create_dir_all(root.join("node_modules/@scope")).unwrap();
        fs::create_dir_all(root.join("node_modules/other")).unwrap();
        fs::write(root.join("node_modules/other/index.js"), "other").unwrap();
        symlink("../../packages/a", root.join("node_modules/@scope/a")).unwrap();
        let copying = Copying { link: vec!["node_modules".into()], ..Copying::default() };
        let copy = Workspace::copy(&root, &copying).unwrap();
        copy.write(Path::new("packages/a/index.js"), b"mutant").unwrap();
        assert_eq!(text(&copy.path().join("node_modules/@scope/a/index.js")), "mutant");
        assert_eq!(text(&copy.path().join("node_modules/other/index.js")), "other");
        fs::create_dir(copy.path().join("node_modules/.cache")).unwrap();
        assert!(!root.join("node_modules/.cache").exists(), "caches are the copy's own");
        assert_eq!(text(&root.join("packages/a/index.js")), "mine");
    }

    #[test]
    fn a_name_may_lead_out_of_the_tree() {
        let (home, root) = scene();
        fs::create_dir_all(root.join("modules")).unwrap();
        fs::write(home.path().join("installed"), "elsewhere").unwrap();
        let target = home.path().join("installed");
        let copying = Copying { link: vec![format!("modules={}", target.display())], ..Copying::default() };
        let copy = Workspace::copy(&root, &copying).unwrap();
        assert_eq!(text(&copy.path().join("modules")), "elsewhere");
    }

    #[test]
    fn files_of_the_copy_are_no_hard_links() {
        use std::os::unix::fs::MetadataExt;
        let (_home, root) = scene();
        fs::hard_link(root.join("src/a.c"), root.join("b.c")).unwrap();
        let copy = Workspace::copy(&root, &Copying::default()).unwrap();
        fs::write(copy.path().join("b.c"), "a test wrote this").unwrap();
        assert_eq!(fs::metadata(copy.path().join("b.c")).unwrap().nlink(), 1);
        assert_eq!(text(&root.join("src/a.c")), "mine");
    }
}
