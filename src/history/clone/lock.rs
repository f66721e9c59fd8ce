//! One process at a time: a lock that the system releases even if its holder is killed.

use std::fs::File;
use std::fs::TryLockError;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

/// Held as long as it lives.
pub struct Lock {
    /// The system ties the lock to the open file.
    _file: File,
}

const PAUSE: Duration = Duration::from_millis(50);

impl Lock {
    /// Waits for the lock; none if `go_on` says to stop first. The file stays: removing it would let a third
    /// process lock another file of the same name.
    pub fn wait(path: &Path, go_on: &dyn Fn() -> ControlFlow<()>) -> io::Result<Option<Self>> {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        while go_on().is_continue() {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // Some network file systems have no locks; then people have to take care themselves.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Self { _file: file }));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        Ok(None)
    }
}
