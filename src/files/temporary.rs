//! Temporary files and directories.

use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::NamedTempFile;
use tempfile::TempDir;

use super::home::Home;

/// A file system in memory, where there is one.
pub(super) const MEMORY: &str = "/dev/shm";

/// A directory that is gone when this is dropped, or when wildcaught is started after a kill.
#[derive(Debug)]
pub struct TemporaryDirectory {
    // Dropped before the home, in which it is.
    directory: TempDir,
    home: Arc<Home>,
}

impl TemporaryDirectory {
    /// Makes a directory, with this word in its name.
    pub fn new(word: &str) -> io::Result<Self> {
        let home = Home::within(&std::env::temp_dir())?;
        let directory = tempfile::Builder::new().prefix(&format!("{word}-")).tempdir_in(home.path())?;
        Ok(Self { directory, home })
    }

    /// Makes another directory inside of this one.
    pub fn inner(&self) -> io::Result<Self> {
        Ok(Self { directory: tempfile::tempdir_in(self.path())?, home: Arc::clone(&self.home) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Keeps the directory; gives where it is.
    pub fn keep(self) -> PathBuf {
        self.home.keep();
        self.directory.keep()
    }
}

/// Where programs that we start may put temporary files: with ours, if there are any.
pub fn temporary_home() -> Option<PathBuf> {
    Home::known(&std::env::temp_dir()).map(|home| home.path().to_owned())
}

/// A file with a name that is gone when this is dropped, or when wildcaught is started after a kill.
pub struct TemporaryFile {
    file: NamedTempFile,
    _home: Arc<Home>,
}

impl TemporaryFile {
    /// Makes a file.
    pub fn new() -> io::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    /// Makes a file in memory, or among other temporary files where there is no such place.
    pub fn in_memory() -> io::Result<Self> {
        Self::within(Path::new(MEMORY)).or_else(|_| Self::new())
    }

    fn within(base: &Path) -> io::Result<Self> {
        let home = Home::within(base)?;
        Ok(Self { file: NamedTempFile::new_in(home.path())?, _home: home })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Sets its length.
    pub fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.file.as_file().set_len(bytes)
    }
}

impl Read for TemporaryFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for TemporaryFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
