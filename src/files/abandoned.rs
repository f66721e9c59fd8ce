//! Temporary files of processes that were killed.

use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use super::home::MARK;
use super::home::OWNER;
use super::home::PREFIX;
use super::home::remove;
use super::temporary::MEMORY;

/// A directory of temporary files whose process is gone. It is locked, so that nobody else removes it too.
#[derive(Debug)]
pub struct Abandoned {
    path: PathBuf,
    _lock: File,
}

impl Abandoned {
    /// What killed processes of this user left in the places for temporary files.
    pub fn find() -> Vec<Self> {
        let places = [std::env::temp_dir(), PathBuf::from(MEMORY)];
        places.iter().flat_map(|place| Self::within(place)).collect()
    }

    /// What they left in one place.
    pub fn within(place: &Path) -> Vec<Self> {
        // A place that does not exist or cannot be read holds nothing that could be removed.
        let Ok(entries) = fs::read_dir(place) else { return vec![] };
        let named = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(PREFIX);
        let paths = entries.flatten().filter(named).map(|entry| entry.path());
        let mut found: Vec<Self> = paths.filter_map(|path| Self::claim(&path)).collect();
        found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it with all that is in it. No link is followed.
    pub fn remove(self) -> io::Result<()> {
        remove(&self.path)
    }

    /// The directory, if it is ours and its process is gone.
    fn claim(path: &Path) -> Option<Self> {
        let known = fs::symlink_metadata(path).ok()?;
        if !known.is_dir() || !is_own(&known) {
            return None;
        }
        // Its process was killed before it wrote the mark. Only an empty directory is removed by this.
        if fs::remove_dir(path).is_ok() {
            return None;
        }
        let mut lock = open_no_link(&path.join(OWNER)).ok()?;
        if !lock.metadata().ok()?.is_file() || lock.try_lock().is_err() {
            return None;
        }
        let mut text = String::new();
        lock.read_to_string(&mut text).ok()?;
        if text.is_empty() {
            // Killed before the mark was written; nothing else is in the directory unless it is somebody else's.
            let _ = fs::remove_file(path.join(OWNER)).and_then(|()| fs::remove_dir(path));
            return None;
        }
        text.starts_with(MARK).then(|| Self { path: path.to_owned(), _lock: lock })
    }
}

#[cfg(unix)]
fn is_own(known: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    known.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(_known: &fs::Metadata) -> bool {
    true
}

fn open_no_link(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(place: &Path, name: &str, mark: &str) -> PathBuf {
        let path = place.join(name);
        fs::create_dir_all(path.join("copy/deep")).unwrap();
        fs::write(path.join(OWNER), mark).unwrap();
        path
    }

    fn sweep(place: &Path) {
        Abandoned::within(place).into_iter().for_each(|found| found.remove().unwrap());
    }

    #[test]
    fn only_what_is_marked_and_not_locked_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let mark = format!("{MARK}1\n");
        let dead = left(place.path(), "wildcaught-dead", &mark);
        let alive = left(place.path(), "wildcaught-alive", &mark);
        let lock = File::open(alive.join(OWNER)).unwrap();
        lock.lock().unwrap();
        let unmarked = left(place.path(), "wildcaught-notes", "mine");
        let other = left(place.path(), "other", &mark);
        sweep(place.path());
        assert!(!dead.exists());
        assert!(alive.exists() && unmarked.exists() && other.exists());
        drop(lock);
        // A process that another test is just starting holds the lock until it has begun.
        for _ in 0..500 {
            sweep(place.path());
            if !alive.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        panic!("what nobody holds is not removed");
    }

    #[test]
    fn one_that_was_killed_before_it_wrote_its_mark_is_removed_too() {
        let place = tempfile::tempdir().unwrap();
        for (name, marked) in [("wildcaught-a", false), ("wildcaught-b", true)] {
            fs::create_dir(place.path().join(name)).unwrap();
            if marked {
                fs::write(place.path().join(name).join(OWNER), "").unwrap();
            }
        }
        sweep(place.path());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_and_rights_that_were_taken_away_are_no_obstacle() {
        use std::os::unix::fs::PermissionsExt;
        use std::os::unix::fs::symlink;
        let (place, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mark = format!("{MARK}1\n");
        let real = left(outside.path(), "real", &mark);
        symlink(&real, place.path().join("wildcaught-link")).unwrap();
        let dead = left(place.path(), "wildcaught-dead", &mark);
        symlink(outside.path(), dead.join("copy/out")).unwrap();
        symlink(outside.path(), dead.join("out")).unwrap();
        fs::set_permissions(dead.join("copy/deep"), fs::Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(dead.join("copy"), fs::Permissions::from_mode(0o500)).unwrap();
        sweep(place.path());
        assert!(!dead.exists() && real.join("copy/deep").exists());
        assert!(place.path().join("wildcaught-link").is_symlink());
    }
}
