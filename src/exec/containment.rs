//! Which protection the system offers, and sandboxes that use it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;
use thiserror::Error;

#[cfg(target_os = "linux")]
use super::linux;
use super::quota::Quota;
use super::quota::SetLimits;
use super::sandbox::Blueprint;
use super::sandbox::Sandbox;

/// The oldest Landlock that keeps files from being cut short.
const TRUNCATION: u32 = 3;
/// The oldest Landlock that keeps signals inside.
const SIGNALS: u32 = 6;

/// Where programs write temporary files that do not ask TMPDIR.
pub const SHARED: [&str; 2] = ["/tmp", "/dev/shm"];

/// The requested protection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxMode {
    /// None: processes have groups of their own and limits of time and output.
    Off,
    /// What the system offers.
    #[default]
    Auto,
    /// All of it, or nothing is run.
    Require,
}

/// The requested sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SandboxPolicy {
    pub mode: SandboxMode,
    /// Whether tests may use the network.
    pub network: bool,
    /// Directories outside of the copy that tests may write to.
    pub write: Vec<PathBuf>,
    pub limits: SetLimits,
}

/// Which protection is in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Protection {
    pub mode: SandboxMode,
    /// What tests of mutants are kept from, in words.
    pub in_force: Vec<String>,
    /// What they are not kept from, and why.
    pub missing: Vec<String>,
}

/// Why there is no sandbox.
#[derive(Debug, Error)]
pub enum SandboxError {
    #[error("--sandbox require: {0}; use --sandbox auto to run without that")]
    Missing(String),
    #[error("cannot set up the sandbox: {0}; use --sandbox off to run without one")]
    Io(#[from] io::Error),
}

/// The protection that is in force; makes the sandboxes of builds and tests.
#[derive(Clone, Debug, Default)]
pub struct Containment {
    protection: Protection,
    /// None if there are no sandboxes.
    means: Option<Arc<Means>>,
}

/// What runs in a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inmate {
    Build,
    Test,
    BuildAndTest,
}

/// By what processes are kept inside.
#[derive(Debug)]
struct Means {
    files: bool,
    /// Whether tests may also write to what all programs share.
    shared: AtomicBool,
    write: Vec<PathBuf>,
    quota: Arc<Quota>,
    #[cfg(target_os = "linux")]
    namespaces: Option<Arc<linux::Namespaces>>,
    #[cfg(target_os = "linux")]
    _guardian: Option<linux::Guardian>,
}

impl Containment {
    /// No sandboxes.
    pub fn off() -> Self {
        let protection = Protection { mode: SandboxMode::Off, ..Protection::default() };
        Self { protection, means: None }
    }

    /// Finds out what the system offers, and has it ready.
    pub fn set_up(policy: &SandboxPolicy) -> Result<Self, SandboxError> {
        if policy.mode == SandboxMode::Off {
            return Ok(Self::off());
        }
        let made = Self::with(policy)?;
        match made.protection.missing.first() {
            Some(missing) if policy.mode == SandboxMode::Require => {
                Err(SandboxError::Missing(missing.clone()))
            }
            _ => Ok(made),
        }
    }

    /// Which protection is in force.
    pub fn protection(&self) -> &Protection {
        &self.protection
    }

    /// A sandbox for builds: they write to these directories, and may use the network and any amount of memory.
    pub fn builds(&self, writable: &[PathBuf]) -> io::Result<Sandbox> {
        self.sandbox(writable, Inmate::Build)
    }

    /// A sandbox for tests: they write to these directories.
    pub fn tests(&self, writable: &[PathBuf]) -> io::Result<Sandbox> {
        self.sandbox(writable, Inmate::Test)
    }

    /// A sandbox for a command that builds and tests: it has the network of tests, or verdicts could not be compared
    /// with theirs, and any amount of memory, since compilers need more than tests.
    pub fn builds_and_tests(&self, writable: &[PathBuf]) -> io::Result<Sandbox> {
        self.sandbox(writable, Inmate::BuildAndTest)
    }

    /// What to try if the unchanged program's tests fail; nothing without a sandbox.
    pub fn hint(&self) -> String {
        match self.means {
            Some(_) => {
                "; if they pass outside of wildcaught, try --network or --sandbox off; if that helps, list the \
                 directories that they write to under write in [sandbox]"
                    .into()
            }
            None => String::new(),
        }
    }

    /// The same for a command that compiles.
    pub fn compiler_hint(&self) -> &'static str {
        if self.means.is_some() { "; if it passes outside of wildcaught, try --sandbox off" } else { "" }
    }

    /// The unchanged program was tested: limits that are not set follow from what it used.
    pub fn settle(&self) {
        if let Some(means) = &self.means {
            means.quota.settle();
        }
    }

    /// Whether sandboxes may write to the temporary directories that all programs share, although the settings do not
    /// ask for it.
    pub fn shares_temporary(&self) -> bool {
        self.means.as_ref().is_some_and(|means| means.shared.load(Ordering::Relaxed))
    }

    /// Lets sandboxes that are made from now on write to the temporary directories that all programs share, or not;
    /// whether that makes a difference.
    pub fn share_temporary(&self, shared: bool) -> bool {
        let Some(means) = self.means.as_ref().filter(|means| means.files) else { return false };
        self.protection.mode == SandboxMode::Auto && means.shared.swap(shared, Ordering::Relaxed) != shared
    }

    #[cfg(target_os = "linux")]
    fn with(policy: &SandboxPolicy) -> Result<Self, SandboxError> {
        let mut found = Found::default();
        let orphans = linux::adopt_orphans();
        found.note(
            orphans,
            "processes that outlive a test",
            "the kernel does not list child processes, or limits file locks",
        );
        if !orphans {
            return Ok(Self { protection: found.protection(policy.mode), means: None });
        }
        let landlock = linux::landlock_version();
        let older = |what: &str| format!("{what} (Landlock {landlock} of this kernel is too old)");
        found.note(landlock > 0, "writing outside of the copy", "the kernel has no Landlock");
        if landlock > 0 {
            found.note(landlock >= TRUNCATION, "truncating files outside", &older("needs version 3"));
            found.note(landlock >= SIGNALS, "signals to other processes", &older("needs version 6"));
        }
        let namespaces = if policy.network { None } else { Some(linux::Namespaces::new()) };
        if let Some(made) = &namespaces {
            let why = made.as_ref().err().map(ToString::to_string).unwrap_or_default();
            found.note(made.is_ok(), "network other than loopback", &format!("no network namespace: {why}"));
        }
        let means = Means {
            files: landlock > 0,
            shared: AtomicBool::new(false),
            write: policy.write.clone(),
            quota: Arc::new(Quota::new(policy.limits)),
            namespaces: namespaces.and_then(Result::ok).map(Arc::new),
            _guardian: Some(linux::Guardian::start()?),
        };
        found.note(true, "unlimited memory, processes and files", "");
        Ok(Self { protection: found.protection(policy.mode), means: Some(Arc::new(means)) })
    }

    #[cfg(not(target_os = "linux"))]
    fn with(policy: &SandboxPolicy) -> Result<Self, SandboxError> {
        let mut found = Found::default();
        found.note(false, "unlimited use of anything but time and output", "sandboxes need Linux");
        Ok(Self { protection: found.protection(policy.mode), means: None })
    }

    #[cfg(target_os = "linux")]
    fn sandbox(&self, writable: &[PathBuf], inmate: Inmate) -> io::Result<Sandbox> {
        let Some(means) = &self.means else { return Ok(Sandbox::none()) };
        let mut writable: Vec<PathBuf> = writable.iter().chain(&means.write).cloned().collect();
        if means.shared.load(Ordering::Relaxed) {
            writable.extend(SHARED.map(PathBuf::from));
        }
        Sandbox::build(Blueprint {
            writable: &writable,
            files: means.files,
            quota: (inmate == Inmate::Test).then(|| Arc::clone(&means.quota)),
            namespaces: means.namespaces.clone().filter(|_| inmate != Inmate::Build),
        })
    }

    #[cfg(not(target_os = "linux"))]
    fn sandbox(&self, _writable: &[PathBuf], _inmate: Inmate) -> io::Result<Sandbox> {
        Ok(Sandbox::none())
    }
}

impl Protection {
    /// One line for people.
    pub fn line(&self) -> String {
        if self.mode == SandboxMode::Off {
            return "sandbox off: mutants can do everything you can do".into();
        }
        let mut line = match self.in_force.is_empty() {
            true => "no sandbox".to_owned(),
            false => format!("sandbox: no {}", self.in_force.join(", no ")),
        };
        if !self.missing.is_empty() {
            line += &format!("; not enforced: {}", self.missing.join("; "));
        }
        line
    }
}

/// What was found out about the system.
#[derive(Default)]
struct Found {
    in_force: Vec<String>,
    missing: Vec<String>,
}

impl Found {
    /// Notes whether tests are kept from something, or why not.
    fn note(&mut self, there: bool, from: &str, why: &str) {
        match there {
            true => self.in_force.push(from.to_owned()),
            false => self.missing.push(format!("no {from} ({why})")),
        }
    }

    fn protection(self, mode: SandboxMode) -> Protection {
        Protection { mode, in_force: self.in_force, missing: self.missing }
    }
}
