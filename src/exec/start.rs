//! From a spec to a process: the one place where processes are started.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use super::process::Process;
use super::spec::Spec;

/// How long a process lives that nobody ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// As long as the thread that starts it.
    OfThread,
    /// As long as we do.
    OfOurs,
}

impl Spec<'_> {
    /// Starts the process with these as standard input, output and error.
    pub(super) fn start(&self, streams: [OwnedFd; 3], life: Life) -> io::Result<Process> {
        #[cfg(target_os = "linux")]
        if let Some(inside) = self.sandbox.inside() {
            return super::boxed::start(self, inside, streams, life);
        }
        let _ = life;
        let [input, output, error] = streams.map(Stdio::from);
        let mut command = self.command();
        command.stdin(input).stdout(output).stderr(error);
        let process = Process::Plain { child: command.spawn()?, foreground: self.foreground };
        if let Process::Plain { child, .. } = &process {
            self.limits.apply(child)?;
        }
        Ok(process)
    }
}

/// A file that is empty and swallows everything.
pub fn nothing() -> io::Result<OwnedFd> {
    std::fs::File::options().read(true).write(true).open("/dev/null").map(OwnedFd::from)
}
