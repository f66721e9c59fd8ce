//! One directory per process and place, in which all of its temporary files are.
//!
//! A file in it is locked for as long as the process lives. The system ends the lock with the process, whatever
//! ends it: a directory whose lock is free was left behind. Unlike a process number, the lock holds across
//! containers that share a place.

use std::collections::BTreeMap;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::Weak;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

/// How the names of homes begin.
pub const PREFIX: &str = "wildcaught-";
/// The file that is locked.
pub const OWNER: &str = "owner";
/// How that file begins: without it, a directory is none of ours.
pub const MARK: &str = "temporary files of wildcaught, removed by the next run; process ";
/// How often a home is tried to be made: another process may sweep it before it is locked.
const TRIES: usize = 100;

/// The homes of this process, by where they are.
static HOMES: Mutex<BTreeMap<PathBuf, Weak<Home>>> = Mutex::new(BTreeMap::new());

/// A directory for the temporary files of this process. It is removed when it is dropped.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    kept: AtomicBool,
    _lock: File,
}

impl Home {
    /// The home of this process in a directory; made if it is not there.
    pub fn within(base: &Path) -> io::Result<Arc<Self>> {
        let mut homes = HOMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(home) = homes.get(base).and_then(Weak::upgrade) {
            return Ok(home);
        }
        let home = Arc::new(Self::make(base)?);
        homes.insert(base.to_owned(), Arc::downgrade(&home));
        Ok(home)
    }

    /// The home of this process in a directory, if there is one now.
    pub fn known(base: &Path) -> Option<Arc<Self>> {
        HOMES.lock().unwrap_or_else(PoisonError::into_inner).get(base).and_then(Weak::upgrade)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps what is in it when everything else is removed: it is the user's from now on.
    pub fn keep(&self) {
        self.kept.store(true, Ordering::Relaxed);
        // Without the mark, nobody sweeps it. If it cannot be removed, the next run takes what was to be kept.
        let _ = fs::remove_file(self.path.join(OWNER));
    }

    fn make(base: &Path) -> io::Result<Self> {
        for _ in 0..TRIES {
            let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?.keep();
            if let Some(lock) = lock(&path.join(OWNER))? {
                return Ok(Self { path, kept: AtomicBool::new(false), _lock: lock });
            }
        }
        Err(io::Error::other("temporary directories are removed as soon as they are made"))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if !self.kept.load(Ordering::Relaxed) {
            // What cannot be removed now is tried again by the next run.
            let _ = remove(&self.path);
        }
    }
}

/// Makes and locks the file that says who owns a directory; none if somebody swept it meanwhile.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if file.try_lock().is_err() || !path.exists() {
        return Ok(None);
    }
    writeln!(file, "{MARK}{}", std::process::id())?;
    Ok(Some(file))
}

/// Removes a home. The file that marks it goes last: if this is cut short, the next run continues with it.
pub fn remove(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() == OWNER {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => remove_tree(&entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_file(path.join(OWNER))?;
    fs::remove_dir(path)
}

/// Removes a directory, also one in which a program took away our rights. No link is followed.
fn remove_tree(path: &Path) -> io::Result<()> {
    if fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    allow_below(path);
    fs::remove_dir_all(path)
}

/// Takes back our rights to a directory before it is read, and to those in it. What fails here fails again when the
/// directory is removed.
fn allow_below(directory: &Path) {
    allow(directory);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            allow_below(&entry.path());
        }
    }
}

#[cfg(unix)]
fn allow(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
}

#[cfg(not(unix))]
fn allow(_directory: &Path) {}
