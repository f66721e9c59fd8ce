//! One run at a time.

use std::fs::File;
use std::fs::TryLockError;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::Write;
use std::path::Path;

use super::error::RunDirError;

/// Locks a directory until the file is dropped; the lock file names the process.
pub fn lock(directory: &Path) -> Result<File, RunDirError> {
    let path = directory.join("lock");
    let mut file = open(&path).map_err(RunDirError::io(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let process = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
            // Between its lock and its number, the file has the number of the run before.
            let process = process.filter(|process| is_running(*process));
            return Err(RunDirError::Busy { path: directory.to_owned(), process });
        }
        Err(TryLockError::Error(source)) => return Err(RunDirError::Io { path, source }),
    }
    let written = file.set_len(0).and_then(|()| file.rewind());
    let written = written.and_then(|()| writeln!(file, "{}", std::process::id()));
    written.map_err(RunDirError::io(&path))?;
    Ok(file)
}

/// Opens the file; a link in its place is refused, since it would be written through.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
    }
    options.open(path)
}

fn is_running(process: u32) -> bool {
    cfg!(not(target_os = "linux")) || Path::new(&format!("/proc/{process}")).exists()
}
