//! Where a process may write, as a set of rules for Landlock.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::path::PathBuf;

use landlock::ABI;
use landlock::Access;
use landlock::AccessFs;
use landlock::PathBeneath;
use landlock::PathFd;
use landlock::Ruleset;
use landlock::RulesetAttr;
use landlock::RulesetCreatedAttr;
use landlock::Scope;

/// Changes of files; calls of device drivers are skipped.
const CHANGES: ABI = ABI::V3;
/// Signals and abstract sockets stay inside.
const SCOPES: ABI = ABI::V6;

/// Devices that hold nothing, and terminals.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Rules that let a process change files only below these paths, and send signals only to what is under the same rules.
/// Paths that do not exist are left out.
pub fn ruleset(writable: &[PathBuf]) -> io::Result<Option<OwnedFd>> {
    let changes = AccessFs::from_write(CHANGES);
    let mut rules = Ruleset::default()
        .handle_access(changes)
        .and_then(|rules| rules.scope(Scope::from_all(SCOPES)))
        .and_then(Ruleset::create)
        .map_err(io::Error::other)?;
    let devices = DEVICES.iter().map(Path::new);
    for path in writable.iter().map(PathBuf::as_path).chain(devices) {
        let Ok(opened) = PathFd::new(path) else { continue };
        let allowed = if path.is_dir() { changes } else { changes & AccessFs::from_file(CHANGES) };
        rules = rules.add_rule(PathBeneath::new(opened, allowed)).map_err(io::Error::other)?;
    }
    Ok(rules.into())
}
