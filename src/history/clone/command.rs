//! Runs the user's `git` on the copy of a remote repository.

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use crate::control::Progress;
use crate::exec::Ended;
use crate::exec::Observation;
use crate::exec::Spec;
use crate::exec::Streams;
use crate::files::TemporaryFile;
use crate::history::HistoryError;

use super::Received;
use super::Remote;
use super::failure::explain;
use super::failure::no_git;
use super::failure::silent;

/// Removes what hooks set for the repository they run in: it must not reach the copy.
const FORGET: &str = "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY \
    GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE";

/// Prints where the remote's HEAD points; the address is `$1`.
const HEAD: &str = "git ls-remote --symref -- \"$1\" HEAD";

/// Brings all branches under their own names, and removes those that are gone; the address is `$1`. The remote
/// gets no name, since the address of a named remote, and a password in it, would be written down.
const FETCH: &str = "git --git-dir=. -c gc.auto=0 -c maintenance.auto=false fetch --progress --prune \
    --update-head-ok -- \"$1\" '+refs/heads/*:refs/heads/*'";

/// How long git may print nothing where nobody can end it.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often progress is shown.
const TICK: Duration = Duration::from_millis(50);

/// Git, run for a remote.
pub(super) struct Git<'a> {
    pub remote: &'a Remote,
    /// Whether a user at the terminal can answer questions.
    pub can_ask: bool,
    pub progress: &'a dyn Fn(Received) -> ControlFlow<()>,
}

/// Why git was ended.
#[derive(Clone, Copy)]
enum Cut {
    Stopped,
    Silent,
}

impl Git<'_> {
    /// Where the remote's HEAD points, as `git ls-remote --symref` prints it.
    pub fn remote_head(&self, copy: &Path) -> Result<String, HistoryError> {
        let output = self.run(copy, HEAD)?;
        Ok(String::from_utf8_lossy(&output).into_owned())
    }

    /// Brings the branches of a copy up to date.
    pub fn fetch(&self, copy: &Path) -> Result<(), HistoryError> {
        self.run(copy, FETCH).map(|_| ())
    }

    fn run(&self, copy: &Path, line: &str) -> Result<Vec<u8>, HistoryError> {
        if (self.progress)(Received::default()).is_break() {
            return Err(HistoryError::Stopped);
        }
        let fail = |error| HistoryError::Io { path: copy.into(), error };
        let messages = TemporaryFile::new().map_err(fail)?;
        let (outcome, cut) = self.watched(copy, line, messages.path()).map_err(fail)?;
        match (outcome.ended, cut) {
            (Ended::Code(0), _) => Ok(outcome.stdout),
            (_, Some(Cut::Silent)) => Err(silent(self.remote, PATIENCE)),
            // In the foreground, Ctrl-C reaches git as well.
            (_, Some(Cut::Stopped)) | (Ended::Signal(2 | 15), _) => Err(HistoryError::Stopped),
            (Ended::Code(127), _) => Err(no_git(self.remote)),
            _ => {
                let printed = fs::read(messages.path()).map_err(fail)?;
                Err(explain(self.remote, &String::from_utf8_lossy(&printed)))
            }
        }
    }

    /// Runs git while progress is shown from the messages that it writes to a file.
    fn watched(&self, copy: &Path, line: &str, messages: &Path) -> io::Result<(Observation, Option<Cut>)> {
        let stop = Progress::default();
        let env = self.env();
        let line = format!("{FORGET}; exec {line} 2>\"$2\"");
        let spec = Spec::shell(line, copy).arg(self.remote.url()).arg(messages).envs(&env);
        let spec = spec.time(Duration::MAX).streams(Streams::Apart);
        let spec = spec.stopped_by(&stop).in_foreground(self.can_ask);
        thread::scope(|scope| {
            let worker = scope.spawn(|| spec.run());
            let cut = self.watch(messages, &|| worker.is_finished());
            if cut.is_some() {
                stop.stop();
            }
            let outcome = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok((outcome?, cut))
        })
    }

    /// Shows progress until git is finished, or says why it has to be ended.
    fn watch(&self, messages: &Path, finished: &dyn Fn() -> bool) -> Option<Cut> {
        let (mut length, mut since) = (0, Instant::now());
        while !finished() {
            thread::sleep(TICK);
            let printed = fs::read(messages).unwrap_or_default();
            if (self.progress)(Received::newest(&printed).unwrap_or_default()).is_break() {
                return Some(Cut::Stopped);
            }
            if printed.len() != length {
                (length, since) = (printed.len(), Instant::now());
            }
            if !self.can_ask && since.elapsed() >= PATIENCE {
                return Some(Cut::Silent);
            }
        }
        None
    }

    fn env(&self) -> Vec<(String, String)> {
        // Failures are recognised by their English words.
        let mut set = vec![("LC_ALL", "C")];
        if !self.can_ask {
            set.extend([("GIT_TERMINAL_PROMPT", "0"), ("SSH_ASKPASS_REQUIRE", "force")]);
        }
        set.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
    }
}
