//! A terminal that may be closed while wildcaught runs.

use std::io::IsTerminal;
use std::io::stderr;
use std::io::stdout;

/// Which of our streams went to a terminal at first.
#[derive(Clone, Copy)]
pub struct Terminal {
    out: bool,
    err: bool,
}

impl Terminal {
    /// Looks where the streams go.
    pub fn new() -> Self {
        Self { out: stdout().is_terminal(), err: stderr().is_terminal() }
    }

    /// Drops what is printed from now on if the terminal is gone: a message that nobody can read is no reason to
    /// fail before results are written.
    #[cfg(unix)]
    pub fn forget_if_closed(self) {
        let Ok(nowhere) = std::fs::File::options().write(true).open("/dev/null") else { return };
        if self.out && !stdout().is_terminal() {
            let _ = rustix::stdio::dup2_stdout(&nowhere);
        }
        if self.err && !stderr().is_terminal() {
            let _ = rustix::stdio::dup2_stderr(&nowhere);
        }
    }

    #[cfg(not(unix))]
    pub fn forget_if_closed(self) {}
}

/// Whether the user wants the end of the terminal to be ignored (`nohup`).
pub fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & 1 << (signal_hook::consts::SIGHUP - 1) != 0
}
