//! Writing below a directory and nowhere else.

use std::fs::File;
use std::io;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use cap_std::fs::Metadata;
use cap_std::fs::OpenOptions;

/// A directory. Nothing outside of it is written to: paths are opened relative to it, and a link that leads out of
/// it is an error (`openat2` with `RESOLVE_BENEATH` on Linux, else directory by directory).
#[derive(Debug)]
pub struct Beneath {
    directory: Dir,
    path: PathBuf,
}

/// Whether a written file must survive a power cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    Volatile,
    Durable,
}

impl Beneath {
    /// Opens a directory. Links on the way to it are followed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let directory = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { directory, path: path.to_owned() })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file; the directories that it needs are made. A file that is a link inside of the directory stays
    /// one; a link that leads out is replaced by a file. The file is always a new one: whoever has a hard link to
    /// the old one keeps that as it is.
    pub fn write(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put(inside, bytes, Durability::Volatile)
    }

    /// Does the same, and waits until the file and its name are on the disk.
    pub fn write_durably(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put(inside, bytes, Durability::Durable)
    }

    /// Makes a file that must not exist yet, and waits until it is on the disk.
    pub fn create_durably(&self, inside: &Path, bytes: &[u8]) -> io::Result<()> {
        let file = self.create_new(inside, bytes)?;
        file.sync_all()?;
        self.sync(parent(inside))
    }

    /// Makes a directory and those above it.
    pub fn create_dir_all(&self, inside: &Path) -> io::Result<()> {
        if inside.as_os_str().is_empty() {
            return Ok(());
        }
        self.directory.create_dir_all(inside)
    }

    /// Reads a file.
    pub fn read(&self, inside: &Path) -> io::Result<Vec<u8>> {
        self.directory.read(inside)
    }

    /// Removes a file, or a link and not where it leads.
    pub fn remove_file(&self, inside: &Path) -> io::Result<()> {
        self.directory.remove_file(inside)
    }

    /// Removes an empty directory.
    pub fn remove_dir(&self, inside: &Path) -> io::Result<()> {
        self.directory.remove_dir(inside)
    }

    /// Where a path leads when all links are followed, seen from the directory; an error if that is outside.
    pub fn real(&self, inside: &Path) -> io::Result<PathBuf> {
        self.directory.canonicalize(inside)
    }

    fn put(&self, inside: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
        self.create_dir_all(parent(inside))?;
        let target = self.real(inside).unwrap_or_else(|_| inside.to_owned());
        let known = self.directory.symlink_metadata(&target).ok().filter(Metadata::is_file);
        let temporary = target.with_file_name(unused_name());
        let written = self.create_new(&temporary, bytes).and_then(|file| {
            known.as_ref().map_or(Ok(()), |known| keep_mode(&file, known))?;
            if durability == Durability::Durable {
                file.sync_all()?;
            }
            self.directory.rename(&temporary, &self.directory, &target)
        });
        // The first failure is the one to report.
        written.inspect_err(|_| drop(self.directory.remove_file(&temporary)))?;
        if durability == Durability::Durable { self.sync(parent(&target)) } else { Ok(()) }
    }

    fn create_new(&self, inside: &Path, bytes: &[u8]) -> io::Result<File> {
        let options = OpenOptions::new().write(true).create_new(true).clone();
        let mut file = self.directory.open_with(inside, &options)?.into_std();
        file.write_all(bytes)?;
        Ok(file)
    }

    fn sync(&self, inside: &Path) -> io::Result<()> {
        let inside = if inside.as_os_str().is_empty() { Path::new(".") } else { inside };
        if cfg!(unix) {
            self.directory.open(inside)?.sync_all()?;
        }
        Ok(())
    }
}

fn parent(inside: &Path) -> &Path {
    inside.parent().unwrap_or(Path::new(""))
}

/// A name that no other file of this process has; of other processes, by its number.
fn unused_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!(".wildcaught-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Gives a file the mode of another, and its owner where that is allowed.
#[cfg(unix)]
fn keep_mode(file: &File, known: &Metadata) -> io::Result<()> {
    use cap_std::fs::MetadataExt;
    use std::os::unix::fs::PermissionsExt;
    // Only root may give files away; everybody else owns what they write.
    let _ = std::os::unix::fs::fchown(file, Some(known.uid()), Some(known.gid()));
    file.set_permissions(std::fs::Permissions::from_mode(known.mode() & 0o7777))
}

#[cfg(not(unix))]
fn keep_mode(_file: &File, _known: &Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A directory to write in, and a file outside of it.
    fn scene() -> (tempfile::TempDir, Beneath, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("inside")).unwrap();
        let victim = home.path().join("victim");
        fs::write(&victim, "precious").unwrap();
        let beneath = Beneath::open(&home.path().join("inside")).unwrap();
        (home, beneath, victim)
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_directory_that_is_a_link_to_outside_is_refused() {
        let (home, beneath, victim) = scene();
        symlink(home.path(), beneath.path().join("absolute")).unwrap();
        symlink("..", beneath.path().join("relative")).unwrap();
        for path in ["absolute/victim", "relative/victim", "../victim", "relative/new/file"] {
            assert!(beneath.write(Path::new(path), b"broken").is_err(), "{path}");
        }
        assert!(beneath.write(&victim, b"broken").is_err());
        assert_eq!(text(&victim), "precious");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_that_is_a_link_to_outside_is_replaced() {
        let (_home, beneath, victim) = scene();
        let link = beneath.path().join("a.c");
        symlink(&victim, &link).unwrap();
        beneath.write(Path::new("a.c"), b"mutant").unwrap();
        assert_eq!((text(&victim), text(&link)), ("precious".into(), "mutant".into()));
    }

    #[test]
    fn a_link_inside_stays_a_link() {
        let (_home, beneath, _) = scene();
        beneath.write(Path::new("src/real.c"), b"one").unwrap();
        let link = beneath.path().join("a.c");
        symlink("src/real.c", &link).unwrap();
        beneath.write_durably(Path::new("a.c"), b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(text(&beneath.path().join("src/real.c")), "two");
    }

    #[test]
    fn a_hard_link_to_the_file_keeps_its_text_and_modes_are_kept() {
        let (_home, beneath, victim) = scene();
        let file = beneath.path().join("a.c");
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o450)).unwrap();
        fs::hard_link(&victim, &file).unwrap();
        beneath.write(Path::new("a.c"), b"mutant").unwrap();
        assert_eq!((text(&victim), text(&file)), ("precious".into(), "mutant".into()));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o450);
        assert_eq!(fs::read_dir(beneath.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_loop_of_links_is_no_endless_loop() {
        let (_home, beneath, _) = scene();
        symlink("b", beneath.path().join("a")).unwrap();
        symlink("a", beneath.path().join("b")).unwrap();
        assert!(beneath.write(Path::new("a/x"), b"x").is_err());
        beneath.write(Path::new("a"), b"x").unwrap();
        assert_eq!(text(&beneath.path().join("a")), "x");
    }
}
