//! A copy of a tree from which it is restored.

use std::fs;
use std::fs::File;
use std::fs::Metadata;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

use super::super::copy::Copying;
use super::super::copy::Workspace;
use super::changes::Difference;

/// What is kept of a tree.
pub struct Kept {
    copy: Workspace,
}

impl Kept {
    /// Keeps all of a tree as it is now.
    pub fn of(tree: &Path) -> io::Result<Self> {
        Ok(Self { copy: Workspace::copy(tree, &Copying::default())? })
    }

    /// All paths that are kept at or below one.
    pub fn below(&self, inside: &Path) -> Vec<PathBuf> {
        paths_below(self.copy.path(), inside)
    }

    /// Puts a path of the tree right, with all that is below it if it is not there; how it differed.
    pub fn restore(&self, tree: &Path, inside: &Path) -> io::Result<Option<Difference>> {
        put_right(&self.copy.path().join(inside), &tree.join(inside))
    }

    /// Takes a path of the tree, with all that is below it, as the right one; whether it differed.
    pub fn adopt(&self, tree: &Path, inside: &Path) -> io::Result<bool> {
        put_right(&tree.join(inside), &self.copy.path().join(inside)).map(|differed| differed.is_some())
    }
}

/// All paths at or below one of a tree, relative to the tree.
pub fn paths_below(tree: &Path, inside: &Path) -> Vec<PathBuf> {
    // What cannot be read or is gone meanwhile is no path of the tree.
    let entries = WalkDir::new(tree.join(inside)).follow_root_links(false).into_iter().filter_map(Result::ok);
    entries.filter_map(|entry| Some(entry.path().strip_prefix(tree).ok()?.to_owned())).collect()
}

/// Makes one place like the other; how it differed.
pub fn put_right(right: &Path, place: &Path) -> io::Result<Option<Difference>> {
    let (want, have) = (about(right)?, about(place)?);
    let Some(want) = want else {
        return have.map(|have| remove(place, &have).map(|()| Difference::Wrote)).transpose();
    };
    let Some(have) = have else {
        return copy_all(right, place).map(|()| Some(Difference::Removed));
    };
    if want.file_type() != have.file_type() || !same_content(right, &want, place, &have)? {
        remove(place, &have)?;
        copy_all(right, place)?;
        return Ok(Some(Difference::Wrote));
    }
    if want.is_symlink() {
        return Ok(None);
    }
    let differs = want.permissions() != have.permissions();
    if differs {
        fs::set_permissions(place, want.permissions())?;
    }
    if want.is_file() && want.modified()? != have.modified()? {
        set_modified(place, &want);
    }
    Ok(differs.then_some(Difference::Wrote))
}

/// What is at a path, links not followed; nothing if it, or a directory that it would be in, is not there.
fn about(path: &Path) -> io::Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Whether two files or links say the same; directories do, whatever is in them.
fn same_content(right: &Path, want: &Metadata, place: &Path, have: &Metadata) -> io::Result<bool> {
    if want.is_symlink() {
        return Ok(fs::read_link(right)? == fs::read_link(place)?);
    }
    if !want.is_file() {
        return Ok(true);
    }
    if want.len() != have.len() {
        return Ok(false);
    }
    // What cannot be read any more is not the same.
    let (Ok(mut one), Ok(mut other)) = (File::open(right), File::open(place)) else { return Ok(false) };
    let (mut left, mut right) = ([0; 16 << 10], [0; 16 << 10]);
    loop {
        let count = one.read(&mut left)?;
        if count == 0 {
            return Ok(true);
        }
        if other.read_exact(&mut right[..count]).is_err() || left[..count] != right[..count] {
            return Ok(false);
        }
    }
}

fn remove(place: &Path, have: &Metadata) -> io::Result<()> {
    if !have.is_dir() {
        return fs::remove_file(place);
    }
    if fs::remove_dir_all(place).is_ok() {
        return Ok(());
    }
    // Directories that may not be read or written keep what is in them.
    for entry in WalkDir::new(place)
        .follow_root_links(false)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|e| e.file_type().is_dir())
    {
        open_up(entry.path())?;
    }
    fs::remove_dir_all(place)
}

/// Lets its owner do everything with a directory.
fn open_up(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(directory, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    let _ = directory;
    Ok(())
}

/// Copies a file, a link or a directory with all that is in it.
fn copy_all(right: &Path, place: &Path) -> io::Result<()> {
    let mut modes = Vec::new();
    for entry in WalkDir::new(right).follow_root_links(false) {
        let entry = entry?;
        let to = match entry.path().strip_prefix(right) {
            Ok(inside) if !inside.as_os_str().is_empty() => place.join(inside),
            _ => place.to_owned(),
        };
        let about = entry.metadata()?;
        if about.is_dir() {
            fs::create_dir(&to)?;
            modes.push((to, about.permissions()));
        } else if about.is_symlink() {
            link(&fs::read_link(entry.path())?, &to)?;
        } else if about.is_file() {
            fs::copy(entry.path(), &to)?;
            set_modified(&to, &about);
        }
    }
    // Last, as a directory may not let anything be put into it.
    modes.into_iter().rev().try_for_each(|(directory, mode)| fs::set_permissions(directory, mode))
}

fn link(target: &Path, place: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, place);
    #[cfg(not(unix))]
    return fs::copy(target, place).map(drop);
}

/// Sets the time of a file; one that may not be written to keeps its own.
fn set_modified(place: &Path, like: &Metadata) {
    if let (Ok(file), Ok(time)) = (File::options().write(true).open(place), like.modified()) {
        let _ = file.set_modified(time);
    }
}
