//! Writes a file completely or not at all.

use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;

use super::beneath::Beneath;

/// Writes a file whole or not at all, and waits until it is on the disk. A link is followed; a mode is kept.
/// Nothing that somebody put beside the file is written to.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe (/dev/stdout, /dev/null) is written to: a rename would put a file in its place.
    if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return fs::write(path, bytes);
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"));
    };
    Beneath::open(directory_of(&path))?.write_durably(Path::new(name), bytes)
}

/// Waits until the names in a directory are on the disk.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_planted_link_is_followed_and_modes_and_links_are_kept() {
        let home = tempfile::tempdir().unwrap();
        let (file, link, victim) =
            (home.path().join("set"), home.path().join("link"), home.path().join("victim"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        fs::write(&victim, "precious").unwrap();
        symlink(&victim, home.path().join("set.partial")).unwrap();
        symlink("set", &link).unwrap();
        replace(&link, b"two").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "two");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 4);
    }
}
