//! Tests that were skipped, noted by the program that skips them and read by the one that counts them.
//!
//! Both are started by the same `cargo test`, whose process id names the file: what another run left does not count.

use std::path::PathBuf;

/// Where the skips of this `cargo test` are noted: one line each, the missing tool.
pub fn file() -> PathBuf {
    #[cfg(unix)]
    let run = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let run = 0;
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped-{run}"))
}
