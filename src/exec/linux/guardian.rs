//! Kills the processes we started if we are killed.
//!
//! A process that is ended by SIGKILL cannot clean up after itself. A shell waits for our end, which it notices by a
//! pipe, and then ends every process with one of our tags.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;

/// Ends every process whose tag begins with `$1`, and what those fork meanwhile.
const SCRIPT: &str = r#"
read -r _
tries=0
while [ $tries -lt 100 ]; do
    found=$(grep -lsE "^Max file locks +$1[0-9]{10} " /proc/[0-9]*/limits)
    [ -n "$found" ] || exit 0
    for path in $found; do
        pid=${path#/proc/}
        kill -9 "${pid%/limits}"
    done
    tries=$((tries + 1))
    sleep 0.05
done
"#;

/// The shell. It ends when this is dropped.
#[derive(Debug)]
pub struct Guardian {
    shell: Child,
}

impl Guardian {
    /// Starts the shell.
    pub fn start() -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh", &std::process::id().to_string()]).process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self { shell: command.spawn()? })
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        // Nothing of ours runs any more: there is nothing to wait for.
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}
