//! What a started process may do: where it may write, whether it has a network, how much it may use.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::files::TemporaryDirectory;

#[cfg(target_os = "linux")]
use super::linux;
#[cfg(target_os = "linux")]
pub use super::linux::Usage;
use super::process::Process;
use super::quota::Exceeded;
use super::quota::Quota;

/// What all processes of a run have at a moment.
#[cfg(not(target_os = "linux"))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub memory: u64,
    pub processes: u64,
}

/// What a process that is started with it may do ([`super::Spec::sandboxed`]). [`super::Containment`] makes them.
///
/// It has a temporary directory of its own, which the process finds in `TMPDIR`, and which is gone with this.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// None: nothing is restricted.
    inside: Option<Arc<Inside>>,
}

#[derive(Debug)]
pub(super) struct Inside {
    /// The temporary directory of what runs inside.
    pub temporary: TemporaryDirectory,
    /// How much it may use, if that is limited.
    pub quota: Option<Arc<Quota>>,
    #[cfg(target_os = "linux")]
    pub rules: Option<Arc<std::os::fd::OwnedFd>>,
    #[cfg(target_os = "linux")]
    pub namespaces: Option<Arc<linux::Namespaces>>,
}

/// How a sandbox is made.
pub(super) struct Blueprint<'b> {
    pub writable: &'b [PathBuf],
    /// Whether writing is restricted.
    pub files: bool,
    pub quota: Option<Arc<Quota>>,
    #[cfg(target_os = "linux")]
    pub namespaces: Option<Arc<linux::Namespaces>>,
}

impl Sandbox {
    /// No sandbox: a process may do whatever we may.
    pub fn none() -> Self {
        Self::default()
    }

    /// The directory that a process finds in `TMPDIR`; none if that is not set for it.
    pub fn temporary(&self) -> Option<&Path> {
        self.inside.as_ref().map(|inside| inside.temporary.path())
    }

    /// The most memory that a run may use now, in bytes, if that is limited.
    pub fn memory(&self) -> Option<u64> {
        self.inside.as_ref()?.quota.as_ref().map(|quota| quota.memory())
    }

    /// Notes what a process and all that it started use; which limit that exceeds.
    pub(super) fn exceeded(&self, process: &Process) -> Option<Exceeded> {
        let quota = self.inside.as_ref()?.quota.as_ref()?;
        let used = process.usage()?;
        quota.note(used);
        quota.exceeded(used)
    }

    /// Notes what a process that has ended used, and removes its temporary files.
    pub(super) fn tidy(&self, process: &Process) {
        let Some(inside) = &self.inside else { return };
        if let Some(quota) = &inside.quota {
            quota.note(Usage { memory: process.peak(), processes: 1 });
        }
        for entry in fs::read_dir(inside.temporary.path()).into_iter().flatten().flatten() {
            // What cannot be removed now is removed with the directory.
            let path = entry.path();
            let _ = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => fs::remove_dir_all(path),
                false => fs::remove_file(path),
            };
        }
    }

    pub(super) fn inside(&self) -> Option<&Inside> {
        self.inside.as_deref()
    }

    #[cfg(target_os = "linux")]
    pub(super) fn build(blueprint: Blueprint) -> io::Result<Self> {
        let temporary = TemporaryDirectory::new("tmp")?;
        let writable: Vec<PathBuf> =
            blueprint.writable.iter().cloned().chain([temporary.path().to_owned()]).collect();
        let rules = if blueprint.files { linux::ruleset(&writable)? } else { None };
        let (quota, namespaces) = (blueprint.quota, blueprint.namespaces);
        let inside = Inside { temporary, quota, rules: rules.map(Arc::new), namespaces };
        Ok(Self { inside: Some(Arc::new(inside)) })
    }
}
